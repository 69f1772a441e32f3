import AudioSessions
import PeerSupport
import Synchronization

/// The available ports, and those in use: always typed.
final class RouteObserver: Sendable {
    private let manager: AudioSessionManager
    private let kind: String
    private let known: Mutex<Set<String>>

    init(_ manager: AudioSessionManager, _ kind: String) {
        self.manager = manager
        self.kind = kind
        known = Mutex(Self.names(manager, kind))
    }

    func run(_ way: Way) async {
        await way.receiveEvents(manager, { manager.events() }, manager.observe) { [self] in handle($0, $1) }
    }

    private func handle(_ event: AudioSessionManager.Event, _ time: UInt64) {
        switch event {
        case .availablePortsChanged where kind != "default":
            let now = Self.names(manager, kind)
            let before = known.withLock { known in
                defer { known = now }
                return known
            }
            for name in now.subtracting(before) { report(time, isThere: true, name) }
            for name in before.subtracting(now) { report(time, isThere: false, name) }
        case .routeChanged(let change) where kind == "default":
            peer_saw(time, "typed", "default", change.current.outputs.first?.nodeName ?? "none")
        default: break
        }
    }

    private func report(_ time: UInt64, isThere: Bool, _ name: String) {
        if kind == "jack" {
            peer_saw(time, "typed", "jack", isThere ? "yes" : "no")
        } else {
            peer_saw(time, "typed", isThere ? "appears" : "goes", name)
        }
    }

    /// The names of the ports of the driver.
    private static func names(_ manager: AudioSessionManager, _ kind: String) -> Set<String> {
        let ports = manager.availableOutputs
        if kind == "jack" { return Set(ports.compactMap(\.routeName).filter { $0 == PEER_JACK }) }
        return Set(ports.compactMap(\.nodeName).filter { peer_is_ours($0) })
    }
}
