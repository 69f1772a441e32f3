package import ArgumentParser

/// The options of a simulated prompt.
package struct SimulatePromptCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "prompt",
        abstract: "Simulate a prompt: it ducks music, interrupts spoken audio, and restores both.",
        // The lines have at most 80 columns.
        usage: """
            audiosession simulate prompt [--seconds <seconds>] [--json]
                                         [--remote <socket>]
            """,
        discussion: """
            It plays nothing: only its session acts on others. SIGINT (Ctrl-C) and SIGTERM end it early.

            Ends with 69 if PipeWire cannot be reached or is lost.
            """)

    @Option(help: ArgumentHelp("The duration of the prompt.", valueName: "seconds"))
    package var seconds = 3.0

    @Flag(help: "Print one JSON object a line. The format is stable: see Docs/CommandLine.md.")
    package var json = false

    @OptionGroup package var connection: ConnectionOptions

    package init() {}

    package func validate() throws {
        guard (0...86_400).contains(seconds) else {
            throw ValidationError("--seconds \(seconds) is out of range. Use 0 to 86400.")
        }
    }

    package func run() throws { try SimulationProgram.replaceThisProgram() }
}
