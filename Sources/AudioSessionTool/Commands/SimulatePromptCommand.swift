package import ArgumentParser

/// The options of a simulated prompt.
package struct SimulatePromptCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "prompt",
        abstract: "Be a program that says something: it lowers music, interrupts who speaks, and lets both be again.",
        // The lines have at most 80 columns.
        usage: """
            audiosession simulate prompt [--seconds <seconds>] [--json]
                                         [--remote <socket>]
            """,
        discussion: """
            Nothing is heard: it is the session that others make room for. SIGINT (Ctrl-C) and SIGTERM end it early.

            Ends with 69 if PipeWire cannot be reached or goes away.
            """)

    @Option(help: ArgumentHelp("How long it speaks.", valueName: "seconds"))
    package var seconds = 3.0

    @Flag(help: "Print one JSON object a line. The format is stable: see Docs/CommandLine.md.")
    package var json = false

    @OptionGroup package var connection: ConnectionOptions

    package init() {}

    package func validate() throws {
        guard (0...86_400).contains(seconds) else {
            throw ValidationError("--seconds \(seconds) is not from 0 to 86400.")
        }
    }

    package func run() throws { try SimulationProgram.replaceThisProgram() }
}
