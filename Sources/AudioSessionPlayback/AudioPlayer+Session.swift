package import AudioSessionCore
package import AudioSessions
import PipeWireGraph

/// What the session and the manager tell the player, on the loop that all run on.
extension AudioPlayer: SessionParticipant {
    package nonisolated var facts: ParticipantFacts {
        snapshot.withLock { snapshot in
            var facts = ParticipantFacts()
            facts.isRunning = snapshot.state == .playing
            facts.isStoppedByRouteLoss = snapshot.state == .paused(reason: .routeLost)
            facts.streams = snapshot.streams
            facts.title = facts.isRunning ? snapshot.item?.path : nil
            return facts
        }
    }

    package nonisolated var timing: ParticipantTiming {
        assumeIsolated { player in
            guard player.machine.state == .playing, let report = player.stream?.report else {
                return ParticipantTiming()
            }
            return ParticipantTiming(
                output: StreamTiming(quantum: report.quantum, rate: report.graphRate, delay: report.delay))
        }
    }

    package nonisolated func receive(_ input: ParticipantInput) { assumeIsolated { $0.obey(input) } }

    package nonisolated func receive(_ input: RouteInput) { assumeIsolated { $0.follow(input) } }

    private func obey(_ input: ParticipantInput) {
        switch input {
        case .activated: receive(.sessionActivated)
        case .interrupted: receive(.sessionInterrupted)
        case .interruptionEnded(let shouldResume): interruptionEnded(shouldResume: shouldResume)
        case .deactivated: receive(.sessionDeactivated)
        case .outputLost(let port): lostOutput(port)
        case .outputRegained: routeRegained()
        case .ducked(let gain): stream?.setDuck(gain)
        case .targetChanged(let reason): choseRoute(reason)
        case .reconfigured: break
        case .properties(let properties): stream?.setProperties(properties.map { ($0.key, $0.value) })
        }
    }

    private func follow(_ input: RouteInput) {
        switch input {
        case .gateTriggers(let nodes): guardNodes(nodes)
        case .endangered: receive(.routeEndangered)
        case .kept: receive(.routeKept)
        case .becameNoisy(let port, let time): becameNoisy(port, at: time)
        case .changed(let change): receive(.routeChanged(change))
        case .linked(let node): receive(.streamLinked(node))
        case .sessionManager(let isThere): receive(.sessionManagerChanged(isThere: isThere))
        case .connectionLost: receive(PlayerEvent.connectionLost)
        case .inputChanged, .inputMuted: break
        }
    }
}

extension AudioPlayer {
    /// From now on the session knows whether it is this player that makes its sound. Playing does so by itself.
    package func joinSession() {
        guard !hasJoined else { return }
        hasJoined = true
        session.assumeIsolated { $0.join(self) }
        // Until its stream runs, the machine's route is its own: what is lost meanwhile must not be played over.
        _ = follow()
    }

    func activateAndPlay() async throws(PlaybackError) {
        let (wasPaused, ends) = (machine.state, ends)
        do {
            try await session.activate()
        } catch {
            throw PlaybackError(error.code == .timedOut ? .timedOut : .sessionNotActivated, error.message)
        }
        try checkUsable()
        // Whoever stopped or paused it meanwhile meant it.
        guard machine.state == wasPaused, self.ends == ends, !machine.queue.isEmpty else { return }
        takeTurn()
    }

    private func interruptionEnded(shouldResume: Bool) {
        guard shouldResume else { return receive(.advisedNotToResume) }
        guard configuration.resumesAfterInterruption, machine.wish != .none else { return }
        Task { await self.resume() }
    }

    private func resume() async {
        guard machine.wish != .none, !isClosed else { return }
        // Refused: somebody else was faster. That is an interruption once more, and the wish outlasts it.
        guard (try? await session.activate()) != nil, machine.wish != .none else { return }
        takeTurn()
    }

    /// The session was activated, which may have been long ago for one whom the next program interrupts at once.
    private func takeTurn() {
        switch session.state {
        case .active: receive(.play)
        case .interrupted: receive(.playWhenPermitted)
        case .inactive: break
        }
    }

    /// A session that is interrupted has no stream of whose output there could be news.
    private func lostOutput(_ port: PortDescription) {
        guard configuration.pausesOnRouteLoss, session.configuration.pausesWhenOutputDisappears,
            route.outputs.contains(where: { $0.uid == port.uid })
        else { return }
        receive(.outputLostMeanwhile)
    }

    private func routeRegained() {
        guard configuration.resumesAfterInterruption else { return }
        let regained = route
        Task { await self.resume(on: regained) }
    }

    /// The way back is as for a user's: who plays, pauses or pulls it again meanwhile is obeyed.
    private func resume(on regained: RouteDescription) async {
        guard machine.state == .paused(reason: .routeLost), !isClosed else { return }
        guard (try? await session.activate()) != nil, isReady else { return }
        guard machine.state == .paused(reason: .routeLost),
            route.outputs.map(\.uid) == regained.outputs.map(\.uid)
        else { return }
        takeTurn()
    }
}

extension PlaybackError {
    static func cannotPlay(_ configuration: AudioSession.Configuration) -> Self {
        Self(
            .sessionNotActivated,
            "The session's category \(configuration.category.name) does not play. "
                + "Use playback, ambient, soloAmbient or playAndRecord.")
    }
}
