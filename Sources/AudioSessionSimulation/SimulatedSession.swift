import AudioSessionTool
import AudioSessions
import PipeWireGraph

/// The session of a simulated program, and the output about its state.
struct SimulatedSession: Sendable {
    struct Phase: Sendable, Hashable {
        /// The name of the phase in JSON.
        var name: String
        /// The sentence that the text output shows.
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

    /// Creates a session that requests the end of the program when the connection to PipeWire is
    /// lost.
    ///
    /// - Parameters:
    ///   - event: the value of `event` in the session's JSON lines.
    ///   - configuration: the configuration of the session.
    ///   - manager: the manager that creates the session.
    ///   - ending: receives the request to end.
    ///   - output: receives a line for each phase.
    ///   - json: whether the lines are JSON.
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

    /// Performs the request that begins the phase, and writes a line after it is granted.
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

    /// Waits until the time has passed or the end is requested.
    ///
    /// - Parameter time: how long the phase lasts.
    /// - Returns: whether the time passed without a request to end.
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
