import AudioSessionCore

/// The output in use.
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

    mutating func becameNoisy(
        _ port: PortDescription, at time: MonotonicTime, _ actions: inout [PlayerAction]
    ) {
        dangerIsOver()
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
