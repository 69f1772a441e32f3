import AudioSessions
import Glibc

/// `session-peer REMOTE fork 0` forks, see ``ForkedPeer``.
///
/// `session-peer REMOTE kill|stop STEP` runs every exchange that a session has with others, and is
/// killed or stopped at one step. It ends with 0 after the last step, and with 3 if a check failed.
///
/// Its opponent is a session of its own, with another connection.
@main struct SessionPeer {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let step = Int(arguments[3]) else {
            print("session-peer REMOTE kill|stop|fork STEP")
            exit(64)
        }
        alarm(100)
        if arguments[2] == "fork" {
            let connection = AudioSessionManager.Configuration(
                remote: arguments[1], applicationName: "Peer", timeout: .seconds(60))
            exit(try await ForkedPeer.run(connection) ? 0 : 3)
        }
        let steps = Steps(step, signal: arguments[2] == "kill" ? SIGKILL : SIGSTOP)
        // It may be stopped during any call, for as long as the test needs.
        let connection = AudioSessionManager.Configuration(
            remote: arguments[1], applicationName: "Peer", timeout: .seconds(30))
        let manager = try await AudioSessionManager.connect(connection, in: .stepped(by: steps))
        let rivals = try await AudioSessionManager.connect(connection)
        let peer = try AudioSession(manager: manager, configuration: .init(.playback, group: "peer"))
        let rival = try AudioSession(manager: rivals, configuration: .init(.playback, group: "rival"))
        let states = PeerStates(of: peer, isWaitedFor: arguments[2] == "kill")
        steps.begin()
        try await exchange(peer, rival, states)
        await manager.close()
        await rivals.close()
        print("\(steps.count) steps")
    }

    private static func exchange(_ peer: AudioSession, _ rival: AudioSession, _ states: PeerStates) async throws {
        try await peer.activate()
        try await peer.configure(.init(.playback, options: .duckOthers, group: "peer"))
        try await peer.configure(.init(.playback, group: "peer"))
        await states.reach(.active)
        // The session is interrupted, advised, and active again by its claim.
        try await rival.activate()
        await states.reach(.interrupted)
        try await rival.deactivate()
        await states.reach(.inactive)
        try await peer.activate()
        await states.reach(.active)
        // The session has taken back.
        try await rival.activate()
        await states.reach(.interrupted)
        try await peer.activate()
        await states.reach(.active)
        try await peer.deactivate()
        await states.reach(.inactive)
        try await rival.deactivate()
    }
}

/// The notifications of the peer, in order.
private final class PeerStates: Sendable {
    private let log: AsyncStream<AudioSession.State>
    private let observation: EventObservation
    private let isWaitedFor: Bool

    /// Runs a call. `isWaitedFor` is false if the peer is to be stopped: others act meanwhile, and
    /// the awaited state may be over.
    init(of session: AudioSession, isWaitedFor: Bool) {
        self.isWaitedFor = isWaitedFor
        let (log, received) = AsyncStream.makeStream(of: AudioSession.State.self)
        self.log = log
        observation = session.observe { if case .stateChanged(let state, _) = $0 { received.yield(state) } }
    }

    func reach(_ state: AudioSession.State) async {
        guard isWaitedFor else { return }
        for await next in log where next == state { return }
        exit(3)
    }
}
