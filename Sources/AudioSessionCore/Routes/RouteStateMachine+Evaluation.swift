/// This extension evaluates the graph and orders the resulting actions.
extension RouteStateMachine {
    /// Evaluates all routes after a change.
    package mutating func evaluate(graph: AudioGraph, now: MonotonicTime) -> [RouteAction] {
        evaluate(graph, now, hasChanged: true)
    }

    package mutating func deadlinePassed(graph: AudioGraph, now: MonotonicTime) -> [RouteAction] {
        wakeTime = nil
        guard trackers.contains(where: { $0.deadline.map { $0 <= now } ?? false }) else {
            context.now = now
            var actions = RouteActions()
            gateTriggers.update(trackers, context, &actions)
            return inOrder(actions)
        }
        return conclude(graph, now, isAtBarrier: false)
    }

    mutating func passedBarrier(_ graph: AudioGraph, _ now: MonotonicTime) -> [RouteAction] {
        isBarrierPending = false
        if isBarrierStale {
            isBarrierStale = false
            isBarrierPending = true
            return [.barrier(barrier)]
        }
        return conclude(graph, now, isAtBarrier: true)
    }

    mutating func evaluate(_ graph: AudioGraph, _ now: MonotonicTime, hasChanged: Bool) -> [RouteAction] {
        context.now = now
        context.isAtBarrier = false
        context.hasChanged = hasChanged
        context.available.evaluate(at: graph)
        var actions = RouteActions()
        for index in trackers.indices { trackers[index].evaluate(graph, context, &actions) }
        gateTriggers.update(trackers, context, &actions)
        if hasChanged, !isBarrierPending, takePortsChange() { actions.append(.availablePortsChanged) }
        if hasChanged || context.available.isStale { actions.needsBarrier = true }
        return inOrder(actions)
    }

    private mutating func conclude(_ graph: AudioGraph, _ now: MonotonicTime, isAtBarrier: Bool) -> [RouteAction] {
        context.now = now
        context.isAtBarrier = isAtBarrier
        context.hasChanged = false
        context.available.evaluate(at: graph)
        context.available.makeLists(now, reprofiled: context.profileChangesByName(in: graph))
        var actions = RouteActions()
        for index in trackers.indices { trackers[index].conclude(graph, context, &actions) }
        gateTriggers.update(trackers, context, &actions)
        if takePortsChange() { actions.append(.availablePortsChanged) }
        return inOrder(actions)
    }

    /// Marks the available ports as notified.
    /// - Returns: Whether a notification is to be sent.
    mutating func takePortsChange() -> Bool {
        // The loss of a port in use is notified before its removal from the list.
        guard context.available.isUnreported, !trackers.contains(where: \.isSuspecting) else { return false }
        context.available.isUnreported = false
        return true
    }

    mutating func inOrder(_ actions: RouteActions) -> [RouteAction] {
        let barrier = actions.needsBarrier ? askForBarrier() : nil
        let wake = nextDeadline
        defer { wakeTime = wake }
        return actions.inOrder(starting: barrier, isWaking: wake != wakeTime)
    }

    private var nextDeadline: MonotonicTime? {
        var next = gateTriggers.nextArming(after: context.now)
        for index in trackers.indices {
            if let deadline = trackers[index].deadline { next = min(deadline, next ?? deadline) }
        }
        return next
    }

    /// Requests the barrier, of which only one is pending at a time.
    /// - Returns: The barrier to start now.
    private mutating func askForBarrier() -> Barrier? {
        isBarrierStale = isBarrierPending
        isBarrierPending = true
        return isBarrierStale ? nil : barrier
    }

    /// The barrier after which everything can be decided. The defaults, which cost another round
    /// trip, concern only routes.
    private var barrier: Barrier { trackers.contains(where: \.isChanging) ? .routes : .ports }
}
