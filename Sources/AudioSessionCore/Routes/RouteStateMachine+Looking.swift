/// This extension evaluates the graph and orders the resulting actions.
extension RouteStateMachine {
    /// Evaluates all routes after a change.
    package mutating func look(graph: AudioGraph, now: MonotonicTime) -> [RouteAction] {
        look(graph, now, isNews: true)
    }

    package mutating func deadlinePassed(graph: AudioGraph, now: MonotonicTime) -> [RouteAction] {
        wakeTime = nil
        guard trackers.contains(where: { $0.deadline.map { $0 <= now } ?? false }) else {
            world.now = now
            var actions = RouteActions()
            gateTriggers.update(trackers, world, &actions)
            return inOrder(actions)
        }
        return conclude(graph, now, isAtBarrier: false)
    }

    mutating func passedBarrier(_ graph: AudioGraph, _ now: MonotonicTime) -> [RouteAction] {
        isBarrierPending = false
        if isBarrierStale {
            isBarrierStale = false
            isBarrierPending = true
            return [.barrier]
        }
        return conclude(graph, now, isAtBarrier: true)
    }

    mutating func look(_ graph: AudioGraph, _ now: MonotonicTime, isNews: Bool) -> [RouteAction] {
        world.now = now
        world.isAtBarrier = false
        world.isNews = isNews
        world.available.look(at: graph)
        var actions = RouteActions()
        for place in trackers.indices { trackers[place].look(graph, world, &actions) }
        gateTriggers.update(trackers, world, &actions)
        if isNews, !isBarrierPending, tellAvailablePorts() { actions.append(.availablePortsChanged) }
        if isNews || world.available.isStale { actions.append(.barrier) }
        return inOrder(actions)
    }

    private mutating func conclude(_ graph: AudioGraph, _ now: MonotonicTime, isAtBarrier: Bool) -> [RouteAction] {
        world.now = now
        world.isAtBarrier = isAtBarrier
        world.isNews = false
        world.available.look(at: graph)
        world.available.makeLists(now)
        var actions = RouteActions()
        for place in trackers.indices { trackers[place].conclude(graph, world, &actions) }
        gateTriggers.update(trackers, world, &actions)
        if tellAvailablePorts() { actions.append(.availablePortsChanged) }
        return inOrder(actions)
    }

    /// Marks the available ports as notified.
    /// - Returns: Whether a notification is to be sent.
    mutating func tellAvailablePorts() -> Bool {
        // The loss of a port in use is notified before its removal from the list.
        guard world.available.isUntold, !trackers.contains(where: \.isSuspecting) else { return false }
        world.available.markTold()
        return true
    }

    mutating func inOrder(_ actions: RouteActions) -> [RouteAction] {
        let isAsking = actions.needsBarrier && askForBarrier()
        let wake = nextDeadline
        defer { wakeTime = wake }
        return actions.inOrder(isAsking: isAsking, isWaking: wake != wakeTime)
    }

    private var nextDeadline: MonotonicTime? {
        var next = gateTriggers.nextCalm(after: world.now)
        for place in trackers.indices {
            if let deadline = trackers[place].deadline { next = min(deadline, next ?? deadline) }
        }
        return next
    }

    /// Requests the barrier, of which only one is pending at a time.
    /// - Returns: Whether to start it now.
    private mutating func askForBarrier() -> Bool {
        isBarrierStale = isBarrierPending
        defer { isBarrierPending = true }
        return !isBarrierPending
    }
}
