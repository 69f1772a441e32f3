package import AudioSessionCore
import AudioSessions
import PipeWireGraph

/// This extension receives the inputs of the session and the manager.
extension AudioPlayer {
    package nonisolated var facts: ParticipantFacts { snapshot.withLock(\.facts) }

    package func sessionChanged(_ input: ParticipantInput) {
        switch input {
        case .activated: handle(.sessionActivated)
        case .interrupted: handle(.sessionInterrupted)
        case .interruptionEnded(let shouldResume): handle(.interruptionEnded(shouldResume: shouldResume))
        case .deactivated: handle(.sessionDeactivated)
        case .outputLost(let port): handle(.outputLostMeanwhile(port, from: route))
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
        case .becameNoisy(let port, let time):
            let pauses = session.configuration.pausesWhenOutputDisappears
            handle(.outputLost(port, at: time, in: session.state, pauses: pauses))
        case .changed(let change): handle(.routeChanged(change))
        case .routed(let route): snapshot.withLock { $0.route = route }
        case .linked(let node): handle(.streamLinked(node))
        case .sessionManager(let isThere): handle(.sessionManagerChanged(isThere: isThere))
        case .connectionLost: handle(.connectionLost)
        case .inputChanged, .inputObserved, .inputMuted: break
        }
    }

    func activateAndPlay() async throws(PlaybackError) {
        do {
            try await session.activate()
        } catch {
            handle(.activated(.play, .inactive, on: route))
            throw PlaybackError(error.code == .timedOut ? .timedOut : .sessionNotActivated, error.message)
        }
        try checkUsable()
        handle(.activated(.play, session.state, on: route))
    }

    /// Activates the session for the player. If another session activates first, the player resumes
    /// when that interruption ends.
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
