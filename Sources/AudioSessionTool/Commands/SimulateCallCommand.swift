import ArgumentParser
import AudioSessions

struct SimulateCallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Be a program that is called: it rings, talks, hangs up, and tells others that they may go on.",
        // Lines of at most 80 columns.
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
    var seconds = 5.0

    @Option(help: ArgumentHelp("How long it rings.", valueName: "seconds"))
    var ringing = 1.5

    @Flag(help: "Print one JSON object a line. The format is stable: see Docs/CommandLine.md.")
    var json = false

    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        for (name, value) in [("--seconds", seconds), ("--ringing", ringing)] where !(0...86_400).contains(value) {
            throw ValidationError("\(name) \(value) is not from 0 to 86400.")
        }
    }

    func run() async throws {
        let ending = try Ending()
        ending.followSignals()
        let manager = try await connection.connect()
        let output = LineOutput(ending: ending)
        do {
            let call = try SimulatedSession(
                "call", .init(.playback, priority: .ringtone), on: manager, until: ending, output: output, json: json)
            try await run(call)
        } catch {
            throw ToolFailure(error)
        }
        await manager.close()
    }

    private func run(_ call: SimulatedSession) async throws {
        try await call.enter(.ringing) { try await $0.activate() }
        if try await call.last(.seconds(ringing)) {
            // One session from ringing to the end, so that others are interrupted once.
            try await call.enter(.talking) { try await $0.configure(.init(.playAndRecord, mode: .voiceChat)) }
            _ = try await call.last(.seconds(seconds))
        }
        try await call.enter(.hungUp) { try await $0.deactivate() }
    }
}

extension SimulatedSession.Phase {
    fileprivate static let ringing = Self(name: "ringing", sentence: "the telephone rings")
    fileprivate static let talking = Self(name: "active", sentence: "the call is on")
    fileprivate static let hungUp = Self(name: "ended", sentence: "the call is over, and others may go on")
}
