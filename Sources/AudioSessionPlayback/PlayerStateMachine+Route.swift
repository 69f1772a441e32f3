import AudioSessionCore

/// This extension receives changes of the output.
extension PlayerStateMachine {
    mutating func routeEndangered() {
        isEndangered = true
        guard output?.wasStopped == true, output?.hasSounded == true else { return }
        output?.hasFallen = true
        output?.needsRenewal = true
    }

    mutating func dangerIsOver() {
        isEndangered = false
        output?.hasFallen = false
    }

    mutating func complain(_ actions: inout [PlayerAction]) {
        guard let error = complaint, !isEndangered else { return }
        complaint = nil
        guard state == .playing, !isUnserved else { return }
        isUnserved = true
        actions.append(.tell(.failed(error)))
    }

    /// Handles a lost output in this state of the session.
    /// - Parameter pauses: Whether the session's configuration pauses at a loss. Calls and sessions
    ///   that mix do not; they only need the new route.
    mutating func outputLost(
        _ port: PortDescription, at time: MonotonicTime, in session: AudioSessionState, pauses: Bool,
        _ actions: inout [PlayerAction]
    ) {
        dangerIsOver()
        guard pauses else {
            obeyHeldPause(&actions)
            return complain(&actions)
        }
        becameNoisy(port, at: time, &actions)
        // The player's route may have changed already when the loss of the default output arrives.
        if session == .interrupted { outputLostMeanwhile(&actions) }
    }

    private mutating func becameNoisy(
        _ port: PortDescription, at time: MonotonicTime, _ actions: inout [PlayerAction]
    ) {
        actions.append(.send(.report(.losesOutput(uid: port.uid, at: time))))
        guard state == .playing else { return }
        actions.append(.tell(.becameNoisy(port)))
        guard pausesOnRouteLoss else {
            obeyHeldPause(&actions)
            return complain(&actions)
        }
        isPauseHeld = false
        complaint = nil
        awaitsRoute = true
        isGateHeld = true
        output?.needsRenewal = true
        enter(.paused(reason: .routeLost), &actions)
    }
}
