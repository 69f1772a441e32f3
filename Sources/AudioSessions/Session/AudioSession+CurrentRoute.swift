public import AudioSessionCore
import PipeWireGraph

/// Where this session's sound goes and comes from.
extension AudioSession {
    /// The ports of the session's players and recorders that run. While none of them runs: those to which the session's
    /// configuration, its preferences and its override would lead.
    ///
    /// It has outputs only with a category that plays, and inputs only with one that records. ``Event/routeChanged(_:)``
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
        let (link, targets) = (SessionRouteLink(self), routeTargets)
        follower = manager.assumeIsolated { $0.follow(link, as: .session, targets) }
        _ = adoptRoute()
    }

    func unfollowRoute() {
        guard let follower else { return }
        self.follower = nil
        manager.assumeIsolated { $0.unfollow(follower) }
    }

    /// What the session's configuration, preferences and override lead to.
    package var routeTargets: RouteTargets {
        let configuration = configuration
        return RouteTargets(
            output: RouteTarget(chooser.output, isAllowed: configuration.allowsPlayback),
            input: RouteTarget(chooser.input, isAllowed: configuration.allowsRecording))
    }

    /// Evaluates the route for the present targets.
    /// - Parameter reason: of a change that follows; `nil`: the one that the routes show.
    func followTargets(_ reason: RouteChangeReason?) {
        guard let follower else { return }
        if reason == .categoryChange, state != .active {
            _ = adoptRoute()
            return
        }
        let (targets, choice) = (routeTargets, routeChoice)
        manager.assumeIsolated { manager in
            if let reason { manager.expect(reason, to: choice, of: follower) }
            if reason == .categoryChange {
                manager.changeCategory(targets, of: follower)
            } else {
                manager.setTargets(targets, of: follower)
            }
        }
    }

    /// Updates the route after streams of the session have started or ended.
    func followStreams() {
        guard let follower else { return }
        let members = liveMembers
        let streams = Set(members.lazy.filter(\.isHeard).flatMap(\.streams))
        let sources = Set(members.lazy.compactMap(\.sound.source))
        manager.assumeIsolated { $0.setStreams(streams, recordingFrom: sources, of: follower) }
    }

    /// Updates the snapshot of the route without an event.
    /// - Returns: the difference from the snapshot before, if there is one.
    func adoptRoute() -> RouteChange? {
        guard let follower, manager.assumeIsolated({ $0.machine.isKnown }) else { return nil }
        let targets = routeTargets
        let (route, now) = manager.assumeIsolated { manager in
            manager.adopt(targets, of: follower)
            return (manager.route(of: follower), manager.environment.now())
        }
        let previous = snapshot.withLock { snapshot in
            defer { snapshot.route = route }
            return snapshot.route ?? route
        }
        guard previous != route else { return nil }
        return RouteChange(reason: .unknown, previous: previous, current: route, time: now)
    }

    /// Lets recorders that follow the default input decide again.
    func defaultInputChanged() { for member in liveMembers { member.sessionChoseRoute(for: nil) } }

    fileprivate func lostOutput(_ port: PortDescription, at time: MonotonicTime) {
        let pauses = configuration.pausesWhenOutputDisappears
        // A program that renders by itself is expected to pause.
        let rendersItself = !liveMembers.contains(where: \.isHeard)
        switch state {
        case .active where pauses:
            broadcaster.send(.becameNoisy(port, at: time))
            if rendersItself { consider(.stopped(byLossOf: port.uid, at: time)) }
        case .interrupted:
            lastLoss = (port.uid, time)
            for member in liveMembers { member.sessionLostOutput(port) }
            // Without this it would be advised to resume, on another output.
            guard pauses, rendersItself else { return }
            wasStoppedByRouteLoss = true
            updateRouteLoss()
            consider(.stopped(byLossOf: port.uid, at: time))
        default: break
        }
    }

    fileprivate func routeChanged(_ change: RouteChange) {
        snapshot.withLock { $0.route = change.current }
        broadcaster.send(.routeChanged(change))
        consider(change.current, at: change.time)
    }

    fileprivate func routeKept() { consider(currentRoute, at: manager.environment.now()) }
}

/// Passes changes of the session's route on. Gates belong to the players, whose own followers are notified first.
private final class SessionRouteLink: RouteFollower {
    private weak let session: AudioSession?

    init(_ session: AudioSession) { self.session = session }

    func openGate() { session?.assumeIsolated { $0.routeKept() } }
    func becameNoisy(_ lost: PortDescription, at time: MonotonicTime) {
        session?.assumeIsolated { $0.lostOutput(lost, at: time) }
    }
    func routeChanged(_ change: RouteChange) { session?.assumeIsolated { $0.routeChanged(change) } }
    func guardNodes(_ nodes: [ObjectID]) {}
    func closeGate() {}
    func streamLinked(_ node: ObjectID) {}
    func sessionManagerChanged(isThere: Bool) {}
    func connectionLost() {}
}

extension RouteDescription {
    fileprivate func only(_ configuration: AudioSessionConfiguration) -> Self {
        Self(
            inputs: configuration.allowsRecording ? inputs : [], outputs: configuration.allowsPlayback ? outputs : [])
    }
}
