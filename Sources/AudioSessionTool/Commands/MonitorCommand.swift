import ArgumentParser
import AudioSessions

struct MonitorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Print the current route, then each change of it.",
        discussion: """
            Continues until SIGINT (Ctrl-C), SIGTERM, or until the output's reader closes it; each ends it with 0. \
            Ends with 69 if PipeWire cannot be reached; if it is lost later, the monitor waits for its return.
            """)

    @Flag(help: "Print one JSON object a line. The format is stable: see Docs/CommandLine.md.")
    var json = false

    @OptionGroup var connection: ConnectionOptions

    func run() async throws {
        let ending = try Ending()
        ending.followSignals()
        let manager = try await connection.connect(until: ending)
        let monitor = Monitor(manager: manager, output: LineOutput(ending: ending), json: json)
        try await monitor.run(until: ending)
        await manager.close()
    }
}

/// Prints the events of a manager.
struct Monitor {
    let manager: AudioSessionManager
    let output: LineOutput
    let json: Bool

    /// Prints events until `ending` is requested or the reader of the output has closed it.
    ///
    /// - Throws: The failure of the output.
    func run(until ending: Ending) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await follow() }
            group.addTask { await ending.wait(orUntilAbandoned: output) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func follow() async throws {
        let feed = await MonitorFeed(of: manager)
        var journal = MonitorJournal(feed.status)
        try print(.route(feed.status.route, at: feed.status.time), in: &journal)
        for await event in feed.events {
            if let dropped = feed.takeDropped() { try print(.dropped(dropped, at: event.time), in: &journal) }
            try print(event, in: &journal)
        }
    }

    private func print(_ event: MonitorEvent, in journal: inout MonitorJournal) throws {
        if json {
            try output.write("\(JSONFormat.event(event))")
        } else {
            for line in journal.lines(for: event) { try output.print(line) }
        }
    }
}
