import AudioSessions
import PeerSupport

/// `peer-audiosessions KIND callback|async`: this library, as any program uses it.
/// `peer-audiosessions KIND ordinary`: with a callback, without the right to a higher priority.
/// `peer-audiosessions KIND thread`: with an asynchronous sequence, in a task that prefers the
/// manager's thread.
/// `peer-audiosessions crowd COUNT`: so many active sessions.
/// `peer-audiosessions session cause`: a ringtone's session that activates and deactivates by its
/// input.
/// `peer-audiosessions session thread-cause`: the same, in tasks that prefer the manager's thread.
/// `peer-audiosessions session music`: a session for music that does the same.
/// `peer-audiosessions nothing callback`: is only loaded with all its libraries, and started.
@main struct Peer {
    static func main() async throws {
        // No other thread exists yet.
        if CommandLine.arguments.last == Way.ordinary.rawValue { peer_be_ordinary() }
        try await run()
    }

    /// Not on the main actor, which on Linux wakes two threads, one after the other.
    @concurrent private static func run() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { return peerPrint("unavailable wrong arguments") }
        guard arguments[1] != "nothing" else {
            peer_follow_driver()
            peer_ready()
            return await stay()
        }
        let manager: AudioSessionManager
        do {
            manager = try await AudioSessionManager.connect(.init(applicationName: "peer-audiosessions"))
        } catch {
            return peerPrint("unavailable \(error)")
        }
        if !["cause", "thread-cause", "music"].contains(arguments[2]) { peer_follow_driver() }
        let way = Way(rawValue: arguments[2]) ?? .async
        switch (arguments[1], arguments[2]) {
        case ("crowd", let count): try await stayActive(manager, Int(count) ?? 0)
        case ("session", "cause"): try await TurnTaker(manager, .init(.playback, priority: .ringtone)).run()
        case ("session", "thread-cause"):
            try await TurnTaker(manager, .init(.playback, priority: .ringtone), on: manager.taskExecutor).run()
        case ("session", "music"): try await TurnTaker(manager, .init(.playback)).run()
        case ("session", _): try await SessionObserver(manager).run(way)
        case ("volume", _): try await VolumeObserver(manager).run(way)
        case (let kind, _): await RouteObserver(manager, kind).run(way)
        }
    }
}

/// The way in which events are received.
enum Way: String {
    case callback, async, ordinary, thread

    /// Waits until the driver ends this process.
    func receiveEvents<Event: Sendable>(
        _ manager: AudioSessionManager, _ events: () -> EventSequence<Event>,
        _ observe: (@escaping @Sendable (Event) -> Void) -> EventObservation,
        _ handle: @escaping @Sendable (Event, UInt64) -> Void
    ) async {
        switch self {
        case .callback, .ordinary:
            let observation = observe { handle($0, peer_now()) }
            peer_ready()
            await stay()
            observation.cancel()
        case .async:
            await receiveEvents(events(), handle)
        case .thread:
            await withTaskExecutorPreference(manager.taskExecutor) { await receiveEvents(events(), handle) }
        }
    }

    @concurrent private func receiveEvents<Event: Sendable>(
        _ events: EventSequence<Event>, _ handle: @Sendable (Event, UInt64) -> Void
    ) async {
        peer_ready()
        for await event in events { handle(event, peer_now()) }
    }
}

/// Waits until the driver ends this process. Events wake no task, because only the handler receives
/// them.
func stay() async {
    let (never, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in never {}
    withExtendedLifetime(continuation) {}
}

func peerPrint(_ line: String) { peer_line(line + "\n") }
