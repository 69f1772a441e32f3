import AudioSessionTestKit
import AudioSessions
import PipeWireGraph

/// A session that rings, and then talks.
struct SimulatedCall: Sendable {
    enum Phase: String, Sendable, Hashable, CaseIterable {
        case ringing, active, ended

        var sentence: String {
            switch self {
            case .ringing: "the telephone rings"
            case .active: "the call is on"
            case .ended: "the call is over, and others may go on"
            }
        }
    }

    let session: AudioSession
    private let output: LineOutput
    private let json: Bool
    private let start = MonotonicTime.now

    init(manager: AudioSessionManager, output: LineOutput, json: Bool) throws(AudioSessionError) {
        session = try AudioSession(manager: manager, configuration: .init(.playback, priority: .ringtone))
        self.output = output
        self.json = json
    }

    /// - Throws: what the session throws, and what went wrong with the output.
    func run(ringing: Duration, talking: Duration, until ending: Ending) async throws {
        let isLost = Locked(false)
        let observation = session.observe { event in
            guard case .mediaServicesLost = event else { return }
            isLost.withLock { $0 = true }
            ending.request()
        }
        defer { observation.cancel() }
        try await session.activate()
        try tell(.ringing)
        if await ending.wait(atMost: ringing, orUntilAbandoned: output) {
            // One session from ringing to the end, so that others are interrupted once.
            try await session.configure(.init(.playAndRecord, mode: .voiceChat))
            try tell(.active)
            _ = await ending.wait(atMost: talking, orUntilAbandoned: output)
        }
        if isLost.withLock(\.self) { throw ToolFailure.connectionLost }
        try await session.deactivate()
        try tell(.ended)
    }

    private func tell(_ phase: Phase) throws(ToolFailure) {
        let now = MonotonicTime.now
        if json {
            try output.write(Self.line(phase, session.id.description, at: now).description)
        } else {
            try output.print("\(now.since(start).secondsColumn)  \(phase.sentence)")
        }
    }

    static func line(_ phase: Phase, _ session: String, at time: MonotonicTime) -> JSONText {
        .object([
            ("t", .unsigned(time.nanoseconds)), ("event", .string("call")), ("phase", .string(phase.rawValue)),
            ("session", .string(session)),
        ])
    }
}
