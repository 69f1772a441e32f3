public import AudioSessionCore
import PipeWireGraph

/// Where this session's sound goes and comes from.
extension AudioSession {
    /// The ports of the session's players and recorders that run. While none of them runs: those to which the session's
    /// configuration, its preferences and its override would lead.
    ///
    /// It has outputs only with a category that plays, and inputs only with one that records. ``AudioSessionEvent/routeChanged(_:)``
    /// notifies of each change. The exception is another category of a session that is not active, which sends no event.
    ///
    /// Counterpart of `currentRoute`. Reads what PipeWire last told, from any thread, and never waits.
    public nonisolated var currentRoute: RouteDescription {
        let (route, configuration) = snapshot.withLock { ($0.route, $0.configuration) }
        // No call has opened the session yet.
        return route ?? manager.currentRoute.only(configuration)
    }

    /// What the session's configuration, preferences and override lead to.
    package nonisolated var routeTargets: RouteTargets { snapshot.withLock(\.targets) }
}

/// Gates belong to the participants, whose own followers are notified first.
extension AudioSession: RouteFollower {
    package nonisolated func receive(_ input: RouteInput) {
        let route: SessionRouteInput
        switch input {
        case .kept: route = .kept
        case .becameNoisy(let port, let time): route = .lost(port, at: time)
        case .changed(let change): route = .changed(change)
        default: return
        }
        assumeIsolated { $0.receive(SessionInput.route(route)) }
    }
}

extension RouteDescription {
    fileprivate func only(_ configuration: AudioSessionConfiguration) -> Self {
        Self(
            inputs: configuration.allowsRecording ? inputs : [], outputs: configuration.allowsPlayback ? outputs : [])
    }
}
