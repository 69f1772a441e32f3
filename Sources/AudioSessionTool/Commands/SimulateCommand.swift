import ArgumentParser

struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Play the part of hardware or of another program, for tests and demonstrations.",
        subcommands: [SimulateCardCommand.self, SimulateCallCommand.self, SimulatePromptCommand.self])
}
