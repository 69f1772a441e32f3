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

    func followRoute() {
        guard follower == nil else { return }
        let targets = machine.routeTargets
        follower = manager.assumeIsolated { $0.follow(self, as: .session, targets) }
        if let route = adopt(targets) { receive(.route(.adopted(route))) }
    }

    func unfollowRoute() {
        guard let follower else { return }
        self.follower = nil
        manager.assumeIsolated { $0.unfollow(follower) }
    }

    /// What the session's configuration, preferences and override lead to.
    package var routeTargets: RouteTargets { machine.routeTargets }

    func setTargets(_ targets: RouteTargets, _ reason: RouteChangeReason?) {
        guard let follower else { return }
        let choice = routeChoice
        manager.assumeIsolated { manager in
            if let reason { manager.expect(reason, to: choice, of: follower) }
            if reason == .categoryChange {
                manager.changeCategory(targets, of: follower)
            } else {
                manager.setTargets(targets, of: follower)
            }
        }
    }

    /// Sets targets without a notification.
    /// - Returns: the route that follows from them; `nil` while there is none.
    func adopt(_ targets: RouteTargets) -> RouteDescription? {
        guard let follower else { return nil }
        return manager.assumeIsolated { manager in
            guard manager.machine.isKnown else { return nil }
            manager.adopt(targets, of: follower)
            return manager.route(of: follower)
        }
    }
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
