import ArgumentParser
import AudioSessions
import PipeWireGraph

struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Show every audio session, whether it may be heard, and if not, the cause.",
        discussion: """
            Also shows the streams of programs without sessions. A session is active, ducked, interrupted, or \
            advised: its interruption has ended, and it has 3 s to resume. Silent mode may silence it, and the user \
            may mute it.

            Ends with 69 if PipeWire cannot be reached.
            """)

    @Flag(help: "Print one JSON object. The format is stable: see Docs/CommandLine.md.")
    var json = false

    @OptionGroup var connection: ConnectionOptions

    func run() async throws {
        let manager = try await connection.connect()
        await manager.watchMutesOfAllStreams()
        let (overview, time) = await manager.timedOverview()
        await manager.close()
        let output = LineOutput()
        if json {
            try output.write("\(JSONFormat.overview(overview, at: time))")
        } else {
            for line in overview.lines { try output.print(line) }
        }
    }
}

extension AudioSessionManager {
    /// Returns the overview, with the time at which it was true.
    fileprivate func timedOverview() -> (SoundOverview, MonotonicTime) { (overview, .now) }
}
