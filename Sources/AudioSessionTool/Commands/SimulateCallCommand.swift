package import ArgumentParser

/// The options of a simulated call.
package struct SimulateCallCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Simulate a call: it rings, connects, hangs up, and advises others to resume.",
        // The lines have at most 80 columns.
        usage: """
            audiosession simulate call [--seconds <seconds>] [--ringing <seconds>]
                                       [--json] [--remote <socket>]
            """,
        discussion: """
            It plays and records nothing: only its session interrupts others. SIGINT (Ctrl-C) and \
            SIGTERM hang up.

            Ends with 69 if PipeWire cannot be reached or is lost, and with 75 if another call is active.
            """)

    @Option(help: ArgumentHelp("The duration of the call after it was answered.", valueName: "seconds"))
    package var seconds = 5.0

    @Option(help: ArgumentHelp("The duration of the ringing.", valueName: "seconds"))
    package var ringing = 1.5

    @Flag(help: "Print one JSON object a line. The format is stable: see Docs/CommandLine.md.")
    package var json = false

    @OptionGroup package var connection: ConnectionOptions

    package init() {}

    package func validate() throws {
        for (name, value) in [("--seconds", seconds), ("--ringing", ringing)] where !(0...86_400).contains(value) {
            throw ValidationError("\(name) \(value) is out of range. Use 0 to 86400.")
        }
    }

    package func run() throws { try SimulationProgram.replaceThisProgram() }
}
