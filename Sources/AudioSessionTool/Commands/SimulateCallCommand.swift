package import ArgumentParser

/// The options of a simulated call.
package struct SimulateCallCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Be a program that is called: it rings, talks, hangs up, and tells others that they may go on.",
        // The lines have at most 80 columns.
        usage: """
            audiosession simulate call [--seconds <seconds>] [--ringing <seconds>]
                                       [--json] [--remote <socket>]
            """,
        discussion: """
            Nothing is heard and nothing recorded: it is the session that others give way to. SIGINT (Ctrl-C) and \
            SIGTERM hang up.

            Ends with 69 if PipeWire cannot be reached or goes away, and with 75 if another call is on.
            """)

    @Option(help: ArgumentHelp("How long the call lasts once it was answered.", valueName: "seconds"))
    package var seconds = 5.0

    @Option(help: ArgumentHelp("How long it rings.", valueName: "seconds"))
    package var ringing = 1.5

    @Flag(help: "Print one JSON object a line. The format is stable: see Docs/CommandLine.md.")
    package var json = false

    @OptionGroup package var connection: ConnectionOptions

    package init() {}

    package func validate() throws {
        for (name, value) in [("--seconds", seconds), ("--ringing", ringing)] where !(0...86_400).contains(value) {
            throw ValidationError("\(name) \(value) is not from 0 to 86400.")
        }
    }

    package func run() throws { try SimulationProgram.replaceThisProgram() }
}
