import AudioSessions
import PipeWireGraph

/// What the manager calls about the player's route, on the loop that both run on.
private final class RouteLink: RouteFollower {
    private weak let player: AudioPlayer?

    init(_ player: AudioPlayer) { self.player = player }

    func guardNodes(_ nodes: [ObjectID]) { player?.assumeIsolated { $0.guardNodes(nodes) } }
    func closeGate() { player?.assumeIsolated { $0.closeGate() } }
    func openGate() { player?.assumeIsolated { $0.receive(.routeKept) } }
    func becameNoisy(_ lost: PortDescription, at time: MonotonicTime) {
        player?.assumeIsolated { $0.becameNoisy(lost, at: time) }
    }
    func routeChanged(_ change: RouteChange) { player?.assumeIsolated { $0.receive(.routeChanged(change)) } }
    func streamLinked(_ node: ObjectID) { player?.assumeIsolated { $0.receive(.streamLinked(node)) } }
    func sessionManagerChanged(isThere: Bool) {
        player?.assumeIsolated { $0.receive(.sessionManagerChanged(isThere: isThere)) }
    }
    func connectionLost() { player?.assumeIsolated { $0.receive(.connectionLost) } }
}

extension AudioPlayer {
    /// The gate first; thinking comes after.
    fileprivate func closeGate() {
        stream?.setGate(closed: true)
        receive(.routeEndangered)
    }

    /// They are the route's, not the stream's: another one in its place has to know them as well.
    fileprivate func guardNodes(_ nodes: [ObjectID]) {
        guarded = nodes
        stream?.setGuard(nodes)
    }

    /// The session has chosen: another output perhaps, or another input, or another port of the same card.
    func choseRoute(_ reason: RouteChangeReason?) {
        if let follower {
            let targets = session.assumeIsolated { $0.routeTargets }
            let choice = session.routeChoice
            manager.assumeIsolated { manager in
                if let reason { manager.expect(reason, to: choice, of: follower) }
                manager.setTargets(targets, of: follower)
            }
        }
        guard stream != nil, target != session.assumeIsolated({ $0.target(.output) }) else { return }
        receive(.outputChosen)
    }

    fileprivate func becameNoisy(_ lost: PortDescription, at time: MonotonicTime) {
        guard session.configuration.pausesWhenOutputDisappears else { return receive(.outputReplaced) }
        session.assumeIsolated { $0.memberLosesOutput(lost, at: time) }
        receive(.becameNoisy(lost))
        // The machine's loss may come when the player's route is another one already.
        if session.state == .interrupted, configuration.pausesOnRouteLoss { receive(.outputLostMeanwhile) }
    }

    func setStreams(_ streams: Set<ObjectID>) {
        let follower = follow()
        manager.assumeIsolated { $0.setStreams(streams, of: follower) }
        snapshot.withLock { snapshot in
            snapshot.route = manager.assumeIsolated { $0.route(of: follower) }
            snapshot.streams = streams
        }
        session.assumeIsolated { session in
            session.refresh()
            session.memberMoved()
        }
    }

    func follow() -> FollowerID {
        if let follower { return follower }
        let link = RouteLink(self)
        let targets = session.assumeIsolated { $0.routeTargets }
        let follower = manager.assumeIsolated { $0.follow(link, targets) }
        self.follower = follower
        return follower
    }
}
