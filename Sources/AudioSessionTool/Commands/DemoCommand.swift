package import ArgumentParser

/// The options of the demonstration.
package struct DemoCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Play a file, pull the headphones, let other programs interrupt, and show the measurements.",
        // The lines have at most 80 columns.
        usage: """
            audiosession demo [--here] [--quantum <frames>] [--json]
                              [--remote <socket>]
            """,
        discussion: """
            Starts a private PipeWire with a virtual sound card, plays a file, pulls headphones out of a jack and a \
            headset out of USB, lets other processes call, speak and be killed, and prints a timeline of what was \
            measured on every sink. Docs/Demo.md explains it. \
            Nothing is heard, and the sound of this computer is not touched.

            With --here it plays on this computer's own PipeWire and asks you to pull the plug.

            Ends with 0 if no frame was heard on a wrong sink or at a wrong time, otherwise with 1.
            """)

    @Flag(help: "Play on this computer's PipeWire; you pull the headphones.")
    package var here = false

    @Option(
        help: ArgumentHelp(
            "Frames in each cycle of the private PipeWire, 32 to 8192.",
            discussion: "Without it PipeWire's default.", valueName: "frames"))
    package var quantum: Int?

    @Flag(help: "Print one JSON object a line. Docs/Demo.md describes it.")
    package var json = false

    @OptionGroup package var connection: ConnectionOptions

    package init() {}

    package func validate() throws {
        if let quantum, !(32...8192).contains(quantum) {
            throw ValidationError("--quantum \(quantum) is out of range. Use 32 to 8192.")
        }
        if here, quantum != nil {
            throw ValidationError("--quantum applies to the private PipeWire. Leave out --quantum or --here.")
        }
        if !here, connection.remote != nil {
            throw ValidationError("--remote applies only with --here. Add --here or leave out --remote.")
        }
    }

    package func run() throws { try SimulationProgram.replaceThisProgram() }
}
