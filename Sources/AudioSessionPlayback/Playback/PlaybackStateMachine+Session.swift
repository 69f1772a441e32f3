import AudioSessionCore

/// This extension receives changes of the session.
extension PlaybackStateMachine {
    package mutating func receive(
        _ event: PlaybackEvent, _ counters: Counters, _ actions: inout [Action]
    ) {
        switch event {
        case .routeEndangered: routeEndangered()
        case .routeKept: routeKept(&actions)
        case .outputLost(let port, let time, let session, let pauses):
            outputLost(port, at: time, in: session, pauses: pauses, &actions)
        case .routeChanged(let change): routeChanged(change, &actions)
        case .sessionManagerChanged(let isThere): sessionManagerChanged(isThere: isThere)
        case .connectionLost: connectionLost(counters, &actions)
        case .targetsChanged(let reason): actions.append(.send(.request(.retarget(reason))))
        case .outputChosen: replaceStream()
        case .sessionActivated: sessionActivated(&actions)
        case .sessionInterrupted: interrupted(&actions)
        case .interruptionEnded(let shouldResume): interruptionEnded(shouldResume: shouldResume, &actions)
        case .activated(let activation, let state, let route): activated(activation, state, on: route, &actions)
        case .outputRegained(let route): outputRegained(route, &actions)
        case .sessionDeactivated: deactivated(&actions)
        case .configurationChanged(let allowsPlayback): if !allowsPlayback { playingForbidden(&actions) }
        case .outputLostMeanwhile(let port, let route): outputLostMeanwhile(port, from: route, &actions)
        case .streamPaused(let node): streamPaused(node)
        case .streamRuns(let node): streamRuns(node)
        case .streamLinked(let node): streamLinked(node)
        case .streamUnserved(let error):
            steering.pendingError = error
            notifyPendingError(&actions)
        case .streamFailed(let error): streamFailed(error, counters, &actions)
        }
    }

    /// Enters `playing`, and forgets an earlier loss or error of the output.
    mutating func begin(_ actions: inout [Action]) {
        steering.awaitsRoute = false
        steering.isGateHeld = false
        steering.isUnserved = false
        intent = .none
        steering.relinksLeft = OutputSteering.Limits.relinks
        enter(.playing, &actions)
    }

    /// Plays if that was requested during the interruption. The program's own activation ends the
    /// interruption, so nothing resumes after a later one.
    private mutating func sessionActivated(_ actions: inout [Action]) {
        if intent == .play {
            play(&actions)
        } else if !activations.contains(.resume) {
            intent = .none
        }
    }

    private mutating func interrupted(_ actions: inout [Action]) {
        guard state == .playing else { return }
        intent = .resume
        silence(.interrupted, &actions)
    }

    mutating func play(in session: AudioSessionState, _ actions: inout [Action]) {
        switch session {
        case .active: play(&actions)
        case .interrupted:
            activations.remove(.play)
            playWhenPermitted(&actions)
        case .inactive: activations.insert(.play)
        }
    }

    /// Whether `play` waits for the session's activation, which the caller of `play` asks for.
    var awaitsActivation: Bool { activations.contains(.play) }

    private mutating func playWhenPermitted(_ actions: inout [Action]) {
        guard canPlay, state != .playing else { return }
        leaveEnd(&actions)
        intent = .play
        enter(.paused(reason: .interrupted), &actions)
    }

    private mutating func interruptionEnded(shouldResume: Bool, _ actions: inout [Action]) {
        if !shouldResume, intent == .resume { intent = .none }
        guard shouldResume, resumesAfterInterruption, intent != .none else { return }
        activate(.resume, &actions)
    }

    private mutating func outputRegained(_ route: RouteDescription, _ actions: inout [Action]) {
        guard resumesAfterInterruption, state == .paused(reason: .routeLost) else { return }
        activate(.replug(route), &actions)
    }

    private mutating func activate(_ activation: PlayerActivation, _ actions: inout [Action]) {
        activations.insert(activation)
        actions.append(.activate(activation))
    }

    private mutating func activated(
        _ activation: PlayerActivation, _ session: AudioSessionState, on route: RouteDescription,
        _ actions: inout [Action]
    ) {
        guard activations.remove(activation) != nil else { return }
        switch activation {
        case .play: break
        case .resume: guard intent != .none else { return }
        case .replug(let regained):
            guard route.outputs.map(\.outputID) == regained.outputs.map(\.outputID) else { return }
        }
        // The session may have been interrupted again at once.
        switch session {
        case .active: play(&actions)
        case .interrupted: playWhenPermitted(&actions)
        case .inactive: break
        }
    }

    private mutating func deactivated(_ actions: inout [Action]) {
        intent = .none
        guard state == .playing || state == .paused(reason: .interrupted) else { return }
        silence(.sessionInactive, &actions)
    }

    /// A session whose category does not play is not ducked, and does not pause at a loss.
    private mutating func playingForbidden(_ actions: inout [Action]) {
        deactivated(&actions)
        activations = []
    }

    /// Handles a loss while the session is interrupted, or holds a claim afterwards. It then has no
    /// stream whose output could be lost.
    private mutating func outputLostMeanwhile(
        _ port: PortDescription, from route: RouteDescription, _ actions: inout [Action]
    ) {
        if route.outputs.contains(where: { $0.uid == port.uid }) { outputLostMeanwhile(&actions) }
    }

    mutating func outputLostMeanwhile(_ actions: inout [Action]) {
        guard pausesOnRouteLoss, state == .paused(reason: .interrupted) else { return }
        intent = .none
        enter(.paused(reason: .routeLost), &actions)
    }

    /// Silences the stream by its gate, because making a stream inactive takes a round trip.
    private mutating func silence(_ reason: State.PauseReason, _ actions: inout [Action]) {
        steering.isGateHeld = true
        enter(.paused(reason: reason), &actions)
    }

    mutating func enter(_ state: State, _ actions: inout [Action]) {
        guard state != self.state else { return }
        self.state = state
        activations = []
        actions += [.send(.report(.changed(facts))), .notify(.stateChanged(state, at: steering.now))]
    }
}
