import AudioSessions
import PeerSupport

/// The volume of the output in use, from a session that affects no other.
final class VolumeObserver: Sendable {
    private let manager: AudioSessionManager
    private let session: AudioSession

    init(_ manager: AudioSessionManager) throws {
        self.manager = manager
        session = try AudioSession(manager: manager, configuration: .init(.ambient))
    }

    func run(_ way: Way) async throws {
        try await session.activate()
        await waitForSink()
        await way.receiveEvents(manager, { session.events() }, session.observe) { [self] in handle($0, $1) }
    }

    /// Waits until the sink whose volume is set is in use.
    private func waitForSink() async {
        let changes = manager.events()
        guard manager.currentRoute.outputs.first?.nodeName != PEER_VOLUME_SINK else { return }
        for await change in changes {
            if case .routeChanged(let change) = change, change.current.outputs.first?.nodeName == PEER_VOLUME_SINK {
                return
            }
        }
    }

    /// The other peers report the amplitude, of which this is the cube root.
    private func handle(_ event: AudioSession.Event, _ time: UInt64) {
        guard case .outputVolumeChanged(_, let volume, _) = event else { return }
        let amplitude = Int((volume.level * volume.level * volume.level * 100).rounded())
        // Without Foundation, because loading it is half of the start-up.
        peer_saw(time, "full", "volume", "\(amplitude / 100).\(amplitude / 10 % 10)\(amplitude % 10)")
    }
}
