package import AudioSessionCore
import AudioSessions
import PipeWireGraph

/// What the session and the manager tell the player.
extension AudioPlayer {
    package nonisolated var facts: ParticipantFacts { snapshot.withLock(\.facts) }

    package func sessionChanged(_ input: ParticipantInput) {
        switch input {
        case .activated: handle(.sessionActivated)
        case .interrupted: handle(.sessionInterrupted)
        case .interruptionEnded(let shouldResume): handle(.interruptionEnded(shouldResume: shouldResume))
        case .deactivated: handle(.sessionDeactivated)
        case .outputLost(let port): outputLost(port)
        case .outputRegained: handle(.outputRegained(route))
        case .ducked(let gain): stream?.setDuck(gain)
        case .targetChanged(let reason):
            handle(.targetsChanged(reason))
            if isTargetOutdated { handle(.outputChosen) }
        case .reconfigured: break
        case .properties(let properties): stream?.setProperties(properties.map { ($0.key, $0.value) })
        }
    }

    package func routeChanged(_ input: RouteInput) {
        switch input {
        case .gateTriggers(let nodes):
            gateTriggers = nodes
            stream?.setGateTriggers(nodes)
        case .endangered: handle(.routeEndangered)
        case .kept: handle(.routeKept)
        case .becameNoisy(let port, let time): becameNoisy(port, at: time)
        case .changed(let change): handle(.routeChanged(change))
        case .routed(let route): snapshot.withLock { $0.route = route }
        case .linked(let node): handle(.streamLinked(node))
        case .sessionManager(let isThere): handle(.sessionManagerChanged(isThere: isThere))
        case .connectionLost: handle(.connectionLost)
        case .inputChanged, .inputObserved, .inputMuted: break
        }
    }

    private func becameNoisy(_ lost: PortDescription, at time: MonotonicTime) {
        guard session.configuration.pausesWhenOutputDisappears else { return handle(.outputReplaced) }
        handle(.becameNoisy(lost, at: time))
        // The loss of the computer's output may come when the player's route is another one already.
        if session.state == .interrupted { handle(.outputLostMeanwhile) }
    }

    /// An interrupted session has no stream whose output could be lost.
    private func outputLost(_ port: PortDescription) {
        guard session.configuration.pausesWhenOutputDisappears, route.outputs.contains(where: { $0.uid == port.uid })
        else { return }
        handle(.outputLostMeanwhile)
    }

    func activateAndPlay() async throws(PlaybackError) {
        handle(.playRequested)
        do {
            try await session.activate()
        } catch {
            handle(.activated(.play, .inactive, on: route))
            throw PlaybackError(error.code == .timedOut ? .timedOut : .sessionNotActivated, error.message)
        }
        try checkUsable()
        handle(.activated(.play, session.state, on: route))
    }

    /// If another session was activated first, the player resumes when that interruption ends.
    func activate(_ activation: PlayerActivation) async {
        guard !driver.isClosed, machine.activations.contains(activation) else { return }
        guard (try? await session.activate()) != nil, isReady else { return }
        handle(.activated(activation, session.state, on: route))
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
