import AudioSessionCore

/// This extension receives changes of the session.
extension PlayerStateMachine {
    mutating func interrupted(_ actions: inout [PlayerAction]) {
        guard state == .playing else { return }
        wish = .goOn
        hush(.interrupted, &actions)
    }

    mutating func play(in session: AudioSessionState, _ actions: inout [PlayerAction]) {
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

    private mutating func playWhenPermitted(_ actions: inout [PlayerAction]) {
        guard !queue.isEmpty, state != .playing else { return }
        wish = .play
        enter(.paused(reason: .interrupted), &actions)
    }

    mutating func interruptionEnded(shouldResume: Bool, _ actions: inout [PlayerAction]) {
        if !shouldResume, wish == .goOn { wish = .none }
        guard shouldResume, resumesAfterInterruption, wish != .none else { return }
        activate(.resume, &actions)
    }

    mutating func outputRegained(_ route: RouteDescription, _ actions: inout [PlayerAction]) {
        guard resumesAfterInterruption, state == .paused(reason: .routeLost) else { return }
        activate(.replug(route), &actions)
    }

    private mutating func activate(_ activation: PlayerActivation, _ actions: inout [PlayerAction]) {
        activations.insert(activation)
        actions.append(.activate(activation))
    }

    mutating func activated(
        _ activation: PlayerActivation, _ state: AudioSessionState, on route: RouteDescription,
        _ actions: inout [PlayerAction]
    ) {
        guard activations.remove(activation) != nil else { return }
        switch activation {
        case .play: break
        case .resume: guard wish != .none else { return }
        case .replug(let regained):
            guard route.outputs.map(\.uid) == regained.outputs.map(\.uid) else { return }
        }
        // The session may have been interrupted again at once.
        switch state {
        case .active: play(&actions)
        case .interrupted: playWhenPermitted(&actions)
        case .inactive: break
        }
    }

    mutating func deactivated(_ actions: inout [PlayerAction]) {
        wish = .none
        switch state {
        case .playing, .paused(reason: .interrupted): hush(.sessionInactive, &actions)
        case .paused, .stopped, .finished: break
        }
    }

    /// An interrupted session has no stream whose output could be lost.
    mutating func outputLostMeanwhile(
        _ port: PortDescription, from route: RouteDescription, _ actions: inout [PlayerAction]
    ) {
        if route.outputs.contains(where: { $0.uid == port.uid }) { outputLostMeanwhile(&actions) }
    }

    mutating func outputLostMeanwhile(_ actions: inout [PlayerAction]) {
        guard pausesOnRouteLoss, case .paused(reason: .interrupted) = state else { return }
        wish = .none
        enter(.paused(reason: .routeLost), &actions)
    }

    /// Silences the player by its gate, because making a stream inactive takes a round trip.
    mutating func hush(_ reason: AudioPlayer.PauseReason, _ actions: inout [PlayerAction]) {
        isGateHeld = true
        enter(.paused(reason: reason), &actions)
    }
}
