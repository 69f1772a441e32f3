public import AudioSessionCore
import PipeWireGraph

/// The session's current route.
extension AudioSession {
    /// The current inputs and outputs of this session: the ports of its running players and
    /// recorders.
    ///
    /// While none of them runs, it has the ports that its configuration, preferences and override
    /// select. It has outputs only with a category that plays, and inputs only with one that
    /// records.
    ///
    /// ``AudioSessionEvent/routeChanged(_:)`` notifies of each change, except when the category of
    /// an inactive session changes. The getter reads a snapshot from any thread and never waits.
    ///
    /// Counterpart of `currentRoute`.
    public nonisolated var currentRoute: RouteDescription {
        let (route, configuration) = snapshot.withLock { ($0.machine.route, $0.machine.configuration) }
        // No call has opened the session yet.
        return route ?? manager.currentRoute.only(configuration)
    }

    /// The ports that the session's configuration, preferences and override select.
    package nonisolated var routeTargets: RouteTargets { snapshot.withLock(\.machine.routeTargets) }
}

/// The participants' followers are notified before this one, and operate the gates.
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
