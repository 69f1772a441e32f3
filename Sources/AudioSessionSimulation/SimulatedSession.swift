import AudioSessionTool
import AudioSessions
import PipeWireGraph

/// The session of a program that does not exist otherwise, and what is told of it.
struct SimulatedSession: Sendable {
    struct Phase: Sendable, Hashable {
        /// In JSON.
        var name: String
        /// For people.
        var sentence: String
    }

    let session: AudioSession
    private let event: String
    private let ending: Ending
    private let output: LineOutput
    private let json: Bool
    private let start = MonotonicTime.now
    private let isLost = Locked(false)
    private let observation: EventObservation

    /// - Parameter event: what its lines are called in JSON.
    init(
        _ event: String, _ configuration: AudioSessionConfiguration, on manager: AudioSessionManager,
        until ending: Ending, output: LineOutput, json: Bool
    ) throws(AudioSessionError) {
        session = try AudioSession(manager: manager, configuration: configuration)
        self.event = event
        self.ending = ending
        self.output = output
        self.json = json
        observation = session.observe { [isLost] event in
            guard case .mediaServicesLost = event else { return }
            isLost.withLock { $0 = true }
            ending.request()
        }
    }

    /// Asks for what the phase begins with, and tells that it was granted.
    func enter(_ phase: Phase, by request: (AudioSession) async throws -> Void) async throws {
        let asked = MonotonicTime.now
        try await request(session)
        let now = MonotonicTime.now
        if json {
            try output.write(Self.line(event, phase.name, session.id.description, asked: asked, at: now).description)
        } else {
            try output.print("\(now.since(start).secondsColumn)  \(phase.sentence)")
        }
    }

    /// - Returns: whether the time passed without anybody asking for the end.
    func last(_ time: Duration) async throws -> Bool {
        let passed = await ending.wait(atMost: time, orUntilAbandoned: output)
        if isLost.withLock(\.self) { throw ToolFailure.connectionLost }
        return passed
    }

    static func line(
        _ event: String, _ phase: String, _ session: String, asked: MonotonicTime, at time: MonotonicTime
    ) -> JSONValue {
        .object([
            ("t", .integer(time.nanoseconds)), ("event", .string(event)), ("phase", .string(phase)),
            ("asked", .integer(asked.nanoseconds)), ("session", .string(session)),
        ])
    }
}
