/// Whose turn it is.
extension PlayerStateMachine {
    mutating func interrupted(_ actions: inout [PlayerAction]) {
        guard state == .playing else { return }
        wish = .goOn
        hush(.interrupted, &actions)
    }

    mutating func playWhenPermitted(_ actions: inout [PlayerAction]) {
        guard !queue.isEmpty, state != .playing else { return }
        wish = .play
        enter(.paused(reason: .interrupted), &actions)
    }

    mutating func deactivated(_ actions: inout [PlayerAction]) {
        wish = .none
        switch state {
        case .playing, .paused(reason: .interrupted): hush(.sessionInactive, &actions)
        case .paused, .stopped, .finished: break
        }
    }

    mutating func outputLostMeanwhile(_ actions: inout [PlayerAction]) {
        guard case .paused(reason: .interrupted) = state else { return }
        wish = .none
        enter(.paused(reason: .routeLost), &actions)
    }

    /// Silent now, by the gate: making a stream inactive takes a round trip.
    mutating func hush(_ reason: AudioPlayer.PauseReason, _ actions: inout [PlayerAction]) {
        isGateHeld = true
        enter(.paused(reason: reason), &actions)
    }
}
