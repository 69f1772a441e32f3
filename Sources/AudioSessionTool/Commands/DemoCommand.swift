import ArgumentParser
import FoundationEssentials
import Glibc

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Play a file, pull the headphones, let others have their turn, and show what was heard.",
        // Lines of at most 80 columns.
        usage: """
            audiosession demo [--here] [--quantum <frames>] [--json]
                              [--remote <socket>]
            """,
        discussion: """
            Starts a private PipeWire with a virtual sound card, plays a file, pulls headphones out of a jack and a \
            headset out of USB, lets other processes call, speak and be killed, and prints a timeline of what was \
            measured on every sink. Docs/Demo.md explains it. \
            Nothing is heard, and nothing of this machine's sound is touched.

            With --here it plays on this machine's own PipeWire and asks you to pull the plug.

            Ends with 0 only if nothing was heard where it was not to be heard, with 1 if something was.
            """)

    @Flag(help: "Play on this machine's PipeWire; you pull the headphones.")
    var here = false

    @Option(
        help: ArgumentHelp(
            "Frames in each cycle of the private PipeWire, 32 to 8192.",
            discussion: "Without it PipeWire's own default.", valueName: "frames"))
    var quantum: Int?

    @Flag(help: "Print one JSON object a line. Docs/Demo.md describes it.")
    var json = false

    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        if let quantum, !(32...8192).contains(quantum) {
            throw ValidationError("--quantum \(quantum) is not from 32 to 8192.")
        }
        if here, quantum != nil { throw ValidationError("--quantum is for the private PipeWire, not for --here.") }
        if !here, connection.remote != nil { throw ValidationError("--remote is for --here.") }
    }

    func run() async throws {
        let ending = try Ending()
        let output = LineOutput(ending: ending)
        let folder = here ? try Self.makeFolder() : nil
        defer { Self.remove(folder) }
        stopAtOnce(ending, output, folder)
        let told = DemoOutput(print: { try output.print($0) }, json: json)
        let differences: [String]
        do {
            if let folder {
                differences = try await LiveDemo(output: told, remote: connection.remote, folder: folder).run()
            } else {
                differences = try await PrivateDemo(output: told, quantum: quantum).run()
            }
        } catch {
            throw ToolFailure(error)
        }
        try told.conclude(differences)
        guard differences.isEmpty else { throw ToolFailure.differs }
    }

    /// A demonstration that did not get to its end has shown nothing. What it started ends with this process.
    private func stopAtOnce(_ ending: Ending, _ output: LineOutput, _ folder: String?) {
        ending.followSignals()
        Task {
            await ending.wait(orUntilAbandoned: output)
            Self.remove(folder)
            _exit(1)
        }
    }

    private static func makeFolder() throws(ToolFailure) -> String {
        let folder = FileManager.default.temporaryDirectory.path + "/audiosession-demo.\(UUID().uuidString)"
        guard mkdir(folder, 0o700) == 0 else {
            throw .cannotWrite(reason: "\(folder) cannot be made (\(systemMessage(errno)))")
        }
        return folder
    }

    private static func remove(_ folder: String?) {
        if let folder { try? FileManager.default.removeItem(atPath: folder) }
    }
}
