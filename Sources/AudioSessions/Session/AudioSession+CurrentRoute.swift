public import AudioSessionCore
import PipeWireGraph

/// Where this session's sound goes and comes from.
extension AudioSession {
    /// The ports of the session's players and recorders that run. While none of them runs: those to which the session's
    /// configuration, its preferences and its override would lead.
    ///
    /// It has outputs only with a category that plays, and inputs only with one that records. Each change that comes of the
    /// computer, the user, or this session's own calls is told by ``Event/routeChanged(_:)``, but for another category of a
    /// session that is not active: that changes the route without an event.
    ///
    /// Counterpart of `currentRoute`. Reads what PipeWire last told, from any thread, and never waits.
    public nonisolated var currentRoute: RouteDescription {
        let (route, configuration) = snapshot.withLock { ($0.route, $0.configuration) }
        // Nothing was done with the session yet.
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

    /// What the session asks for.
    package var routeTargets: RouteTargets {
        let configuration = configuration
        return RouteTargets(
            output: RouteTarget(chooser.output, isAllowed: configuration.allowsPlayback),
            input: RouteTarget(chooser.input, isAllowed: configuration.allowsRecording))
    }

    /// - Parameter reason: of a change that comes of it; `nil`: as the routes themselves show.
    func followTargets(_ reason: RouteChangeReason?) {
        guard let follower else { return }
        let (targets, choice) = (routeTargets, routeChoice)
        let isSilent = reason == .categoryChange && state != .active
        manager.assumeIsolated { manager in
            if let reason, !isSilent { manager.expect(reason, to: choice, of: follower) }
            switch reason {
            case .categoryChange where isSilent: manager.adopt(targets, of: follower)
            case .categoryChange: manager.changeCategory(targets, of: follower)
            default: manager.setTargets(targets, of: follower)
            }
        }
        if isSilent { _ = adoptRoute() }
    }

    /// To be called when other streams of the session run than before.
    func followStreams() {
        guard let follower else { return }
        let members = liveMembers
        let streams = Set(members.lazy.filter(\.isHeard).flatMap(\.streams))
        let sources = Set(members.lazy.compactMap(\.sound.source))
        manager.assumeIsolated { manager in
            manager.setStreams(streams, of: follower)
            manager.setSources(sources, of: follower)
        }
    }

    /// Takes over what is known, and tells nobody.
    /// - Returns: the change, if the route is another one than could be read.
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

    /// What is recorded may be what was the default until now.
    func defaultInputChanged() { for member in liveMembers { member.sessionChoseRoute(for: nil) } }

    fileprivate func lostOutput(_ port: PortDescription, at time: MonotonicTime) {
        let pauses = configuration.pausesWhenOutputDisappears
        // A program that renders by itself is taken to stop, as it should.
        let rendersItself = !liveMembers.contains(where: \.isHeard)
        switch state {
        case .active where pauses:
            broadcaster.send(.becameNoisy(port, at: time))
            if rendersItself { consider(.stopped(byLossOf: port.uid, at: time)) }
        case .interrupted:
            lastLoss = (port.uid, time)
            for member in liveMembers { member.sessionLostOutput(port) }
            // It would be advised to go on, elsewhere.
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

/// What the manager calls about the session's route. Gates are those of players, which are told before.
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
