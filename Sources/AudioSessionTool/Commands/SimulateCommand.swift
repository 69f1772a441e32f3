import ArgumentParser

struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulate hardware or another program, for tests and demonstrations.",
        subcommands: [SimulateCardCommand.self, SimulateCallCommand.self, SimulatePromptCommand.self])
}
