import AudioSessionCore

/// Where the sound comes from, and whether that is still what was meant to be recorded.
extension RecorderStateMachine {
    var isLinked: Bool { link.deadline == nil && observation.port != nil }

    /// A stream needs a moment until the session manager has linked it.
    mutating func awaitMicrophone(_ now: MonotonicTime) {
        link = Link(deadline: now + Limits.start, source: link.source, isKnownGone: link.isKnownGone)
    }

    /// Asks for ``RecorderEvent/observed(_:)``.
    func observeInput(_ actions: inout [RecorderAction]) {
        guard hasStream else { return }
        actions.append(.send(.request(.observeInput(of: node, former: input))))
    }

    mutating func observed(
        _ new: InputObservation, _ now: MonotonicTime, _ actions: inout [RecorderAction]
    ) {
        let isBack = new.hasSessionManager && !observation.hasSessionManager
        observation = new
        if new.source != link.source { applied.isGateClosed = nil }
        link.source = new.source
        if new.isMuted { mutes.insert(.user) } else { mutes.remove(.user) }
        if state == .recording { actions.append(.send(.report(.moved(facts)))) }
        if isBack {
            relinksLeft = Limits.relinks
            if link.deadline != nil { link.deadline = now + Limits.restart }
        }
        link.awaited = awaitsLink ? link.awaited ?? now : nil
        judge(now, &actions)
    }

    /// What is not known to be gone may come back, or have been exchanged for another by somebody.
    mutating func judge(_ now: MonotonicTime, _ actions: inout [RecorderAction]) {
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

    /// It was waited for long enough.
    mutating func decide(_ now: MonotonicTime, _ actions: inout [RecorderAction]) {
        guard observation.hasSessionManager else {
            // Its devices go with it and come back with it.
            link.deadline = now + Limits.restart
            return
        }
        if let start = link.awaited { return relink(start + Limits.start, now, &actions) }
        if let input { return lose(input, &actions) }
        actions.append(.tell(.failed(.noMicrophone)))
        finish(.microphoneLost, &actions)
    }

    /// There is something to link the stream to, and the session manager does not do it.
    private var awaitsLink: Bool {
        state == .recording && observation.hasSessionManager && observation.source == nil
            && observation.isFormerAvailable && relinksLeft > 0
    }

    private mutating func relink(
        _ time: MonotonicTime, _ now: MonotonicTime, _ actions: inout [RecorderAction]
    ) {
        guard time <= now else {
            link.deadline = time
            return
        }
        relinksLeft -= 1
        reopen(now, &actions)
    }

    private mutating func use(_ port: PortDescription, _ actions: inout [RecorderAction]) {
        input = port
        link = Link(source: link.source, isKnownGone: observation.isFormerGone)
        relinksLeft = Limits.relinks
        actions.append(.tell(.inputChanged(port)))
    }

    private mutating func lose(_ port: PortDescription, _ actions: inout [RecorderAction]) {
        actions.append(.tell(.microphoneLost(port)))
        finish(.microphoneLost, &actions)
    }
}
