import AudioSessions
import PipeWireGraph

/// The player's own route.
extension AudioPlayer {
    /// They are the route's, not the stream's: another one in its place has to know them as well.
    func guardNodes(_ nodes: [ObjectID]) {
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

    func becameNoisy(_ lost: PortDescription, at time: MonotonicTime) {
        guard session.configuration.pausesWhenOutputDisappears else { return receive(.outputReplaced) }
        session.assumeIsolated { $0.participantLosesOutput(self, lost, at: time) }
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
        session.assumeIsolated { $0.participantMoved(self) }
    }

    func follow() -> FollowerID {
        if let follower { return follower }
        let targets = session.assumeIsolated { $0.routeTargets }
        let follower = manager.assumeIsolated { $0.follow(self, targets) }
        self.follower = follower
        return follower
    }
}
