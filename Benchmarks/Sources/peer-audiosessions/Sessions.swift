import AudioSessions
import PeerSupport

/// Music that is interrupted, and resumes when it is advised to.
final class SessionObserver: Sendable {
    private let manager: AudioSessionManager
    private let session: AudioSession

    init(_ manager: AudioSessionManager) throws {
        self.manager = manager
        session = try AudioSession(manager: manager, configuration: .init(.playback))
    }

    func run(_ way: Way) async throws {
        try await session.activate()
        await way.receiveEvents(manager, { session.events() }, session.observe) { [self] event, time in
            handle(event, time)
            if case .interruptionEnded = event { Task { try? await session.activate() } }
        }
    }

    private func handle(_ event: AudioSession.Event, _ time: UInt64) {
        switch event {
        case .interruptionBegan: peer_saw(time, "full", "began", "?")
        case .interruptionEnded: peer_saw(time, "full", "ended", "?")
        default: break
        }
    }
}

/// Activates and deactivates by its input.
final class TurnTaker: Sendable {
    private let session: AudioSession
    /// The executor of the tasks that activate; `nil` for Swift's pool.
    private let executor: (any TaskExecutor)?

    init(
        _ manager: AudioSessionManager, _ configuration: AudioSession.Configuration,
        on executor: (any TaskExecutor)? = nil
    ) throws {
        session = try AudioSession(manager: manager, configuration: configuration)
        self.executor = executor
    }

    /// Activates, and returns when that began and how long it took.
    @concurrent private func activate() async throws -> (caused: UInt64, took: UInt64) {
        let caused = peer_now()
        try await session.activate()
        return (caused, peer_now() - caused)
    }

    func run() async throws {
        var (caused, took): (UInt64, UInt64) = (0, 0)
        peer_ready()
        while let line = readLine() {
            switch line {
            case "activate":
                (caused, took) = try await withTaskExecutorPreference(executor) { try await activate() }
            case "took": peerPrint("took \(took)")
            case "deactivate":
                caused = peer_now()
                try await session.deactivate()
            default: peerPrint("caused \(caused)")
            }
        }
    }
}

/// So many sessions that mix with all others, and stay.
func stayActive(_ manager: AudioSessionManager, _ count: Int) async throws {
    let events = manager.events()
    var sessions: [AudioSession] = []
    for _ in 0..<count {
        let session = try AudioSession(manager: manager, configuration: .init(.ambient))
        try await session.activate()
        sessions.append(session)
    }
    peer_ready()
    for await event in events { if case .mediaServicesLost = event { break } }
    withExtendedLifetime(sessions) {}
}
