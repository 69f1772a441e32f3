import AudioSessionCore

/// This extension receives changes of the output in use.
extension PlaybackStateMachine {
    mutating func routeEndangered() {
        if !steering.isEndangered { steering.endangeredAt = steering.now }
        steering.isEndangered = true
        guard let stream = steering.stream, stream.wasStopped, stream.hasSounded else { return }
        steering.stream?.hasFallen = true
        steering.stream?.needsRenewal = true
    }

    mutating func routeKept(_ actions: inout [Action]) {
        dangerIsOver()
        steering.awaitsRoute = false
        steering.pendingError = nil
        dropPauseForRemoval()
        applyHeldPause(&actions)
    }

    /// Opens the gate of a stream that continues after a loss.
    mutating func routeChanged(_ change: RouteChange, _ actions: inout [Action]) {
        actions.append(.notify(.routeChanged(change)))
        steering.awaitsRoute = false
        // The first output has appeared, to which the session manager should link the stream.
        if change.previous.outputs.isEmpty, !change.current.outputs.isEmpty { expectLink() }
        guard steering.isEndangered else { return }
        dangerIsOver()
        applyHeldPause(&actions)
        notifyPendingError(&actions)
    }

    mutating func dangerIsOver() {
        steering.isEndangered = false
        steering.stream?.hasFallen = false
    }

    mutating func notifyPendingError(_ actions: inout [Action]) {
        guard let error = steering.pendingError, !steering.isEndangered else { return }
        steering.pendingError = nil
        guard state == .playing, !steering.isUnserved else { return }
        steering.isUnserved = true
        actions.append(.notify(.failed(error, at: steering.now)))
    }

    /// Decides what a loss means in the session.
    ///
    /// A stream that continues keeps its gate closed until ``PlaybackEvent/routeChanged(_:)``, or
    /// until ``PlaybackEvent/routeKept`` if the output returns. One of them follows each loss.
    /// - Parameter pauses: whether the session's configuration pauses at a loss. Calls and sessions
    ///   that mix do not; they are notified of the new route only.
    mutating func outputLost(
        _ port: PortDescription, at time: MonotonicTime, in session: AudioSessionState, pauses: Bool,
        _ actions: inout [Action]
    ) {
        guard pauses else { return applyHeldPause(&actions) }
        becameNoisy(port, at: time, &actions)
        // The loss of the default output may be reported when the participant's route is another
        // one already. A request to resume may be on its way to PipeWire.
        if session == .interrupted || activations.contains(.resume) { outputLostMeanwhile(&actions) }
    }

    private mutating func becameNoisy(
        _ port: PortDescription, at time: MonotonicTime, _ actions: inout [Action]
    ) {
        actions.append(.send(.report(.losesOutput(port.outputID, at: time))))
        guard state == .playing else { return dangerIsOver() }
        actions.append(.notify(.becameNoisy(port, at: time)))
        guard pausesOnRouteLoss else { return applyHeldPause(&actions) }
        dangerIsOver()
        dropHeldPause()
        steering.pendingError = nil
        steering.awaitsRoute = true
        steering.isGateHeld = true
        steering.stream?.needsRenewal = true
        enter(.paused(reason: .routeLost), &actions)
    }

    mutating func sessionManagerChanged(isThere: Bool) {
        if isThere { steering.relinksLeft = OutputSteering.Limits.relinks }
        if !steering.applied.isActive { steering.stream?.needsRenewal = true }
    }

    mutating func connectionLost(_ counters: Counters, _ actions: inout [Action]) {
        suspend(counters, &actions)
        closeOutput(&actions)
        // No event of the lost connection can end the danger any more.
        dangerIsOver()
        steering.awaitsRoute = false
        dropHeldPause()
        // The output may be another one when PipeWire is back, so no advice starts the sound then.
        let isWaiting = state == .paused(reason: .interrupted) && intent != .none
        intent = .none
        if state == .playing || isWaiting { enter(.paused(reason: .mediaServicesLost), &actions) }
    }
}
