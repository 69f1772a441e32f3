import AudioSessionCore

/// This extension evaluates whether the input is still the one that is meant to be recorded.
extension RecorderStateMachine {
    var isLinked: Bool { link.deadline == nil && observation.port != nil }

    /// Sets the deadline by which the session manager must have linked the stream.
    mutating func awaitMicrophone() {
        link = Link(deadline: now + Limits.start, source: link.source, isKnownGone: link.isKnownGone)
    }

    /// Appends the action that is answered by ``RecorderEvent/observed(_:)``.
    func observeInput(_ actions: inout [RecorderAction]) {
        guard hasStream else { return }
        actions.append(.send(.request(.observeInput(of: node, former: input))))
    }

    mutating func observed(_ new: InputObservation, _ actions: inout [RecorderAction]) {
        let isBack = new.hasSessionManager && !observation.hasSessionManager
        if new.source != observation.source { applied.isGateClosed = nil }
        observation = new
        link.source = new.source ?? link.source
        if new.isMuted { mutes.insert(.user) } else { mutes.remove(.user) }
        if state == .recording { actions.append(.send(.report(.moved(facts)))) }
        if isBack {
            relinksLeft = Limits.relinks
            if link.deadline != nil { link.deadline = now + Limits.restart }
        }
        link.awaited = awaitsLink ? link.awaited ?? now : nil
        evaluateInput(&actions)
    }

    /// Evaluates an observation. An input that is missing, but not known to be removed, may return
    /// or may have been replaced by the user.
    mutating func evaluateInput(_ actions: inout [RecorderAction]) {
        guard state == .recording else { return }
        guard let input else {
            if let port = observation.port { use(port, &actions) }
            return
        }
        if observation.isFormerGone, !link.isKnownGone { return lose(input, &actions) }
        if let port = observation.port, port.uid == input.uid {
            link.isSuspect = false
            link.deadline = nil
            relinksLeft = Limits.relinks
        } else if let port = observation.port, observation.isFormerAvailable {
            use(port, &actions)
        } else if !link.isSuspect {
            link.isSuspect = true
            link.deadline = link.deadline ?? now + Limits.suspicion
        }
    }

    /// Decides about a missing input after its deadline.
    mutating func decide(_ actions: inout [RecorderAction]) {
        guard observation.hasSessionManager else {
            // Devices disappear and return with the session manager.
            link.deadline = now + Limits.restart
            return
        }
        if let start = link.awaited { return relink(start + Limits.start, &actions) }
        if let input { return lose(input, &actions) }
        actions.append(.notify(.failed(.noMicrophone, at: now)))
        finish(.microphoneLost, &actions)
    }

    /// Whether there is a microphone to which the session manager should have linked the stream.
    private var awaitsLink: Bool {
        state == .recording && observation.hasSessionManager && observation.source == nil
            && observation.isFormerAvailable && relinksLeft > 0
    }

    private mutating func relink(_ time: MonotonicTime, _ actions: inout [RecorderAction]) {
        guard time <= now else {
            link.deadline = time
            return
        }
        relinksLeft -= 1
        reopen(&actions)
    }

    private mutating func use(_ port: PortDescription, _ actions: inout [RecorderAction]) {
        input = port
        link = Link(source: link.source, isKnownGone: observation.isFormerGone)
        relinksLeft = Limits.relinks
        actions.append(.notify(.inputChanged(port, at: now)))
    }

    /// The replacement is known when another stream is linked. Until then the gate is closed.
    private mutating func lose(_ port: PortDescription, _ actions: inout [RecorderAction]) {
        actions.append(.notify(.microphoneLost(port, at: now)))
        guard continuesOnOtherInput else { return finish(.microphoneLost, &actions) }
        input = nil
        relinksLeft = Limits.relinks
        link = Link()
        reopen(&actions)
    }
}
