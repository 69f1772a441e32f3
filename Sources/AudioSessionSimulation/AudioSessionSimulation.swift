package import ArgumentParser
import AudioSessionTool

/// A command of `audiosession simulate`, or `audiosession demo`. `AudioSessionTool` defines its
/// options.
protocol Simulation: ParsableCommand {
    func simulate() async throws
}

/// The root command of the program `audiosession-simulate`.
package struct AudioSessionSimulation: ParsableCommand {
    static let simulations: [any Simulation.Type] = [
        SimulateCardCommand.self, SimulateCallCommand.self, SimulatePromptCommand.self, DemoCommand.self,
    ]

    package static let configuration = CommandConfiguration(
        commandName: SimulationProgram.name,
        abstract:
            "Play the part of hardware or of another program, for 'audiosession simulate' and 'audiosession demo'.",
        discussion: "Exit codes are those of 'audiosession', which 'audiosession --help' lists.",
        version: ToolProgram.version, subcommands: simulations)

    package init() {}

    /// Runs the command given by the program's arguments, and exits.
    package static func run() async -> Never {
        await ToolProgram.run(Self.self) { command in
            guard let simulation = command as? any Simulation else {
                var command = command
                return try command.run()
            }
            try await simulation.simulate()
        }
    }
}
