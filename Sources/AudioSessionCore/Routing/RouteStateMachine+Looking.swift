/// Looking at the graph, and in which order is done what follows.
extension RouteStateMachine {
    /// Thinks about routes after news.
    package mutating func look(graph: AudioGraph, now: MonotonicTime) -> [RouteAction] {
        look(graph, now, isNews: true)
    }

    package mutating func deadlinePassed(graph: AudioGraph, now: MonotonicTime) -> [RouteAction] {
        wakeTime = nil
        guard trackers.contains(where: { $0.deadline.map { $0 <= now } ?? false }) else {
            world.now = now
            return inOrder(guards.update(trackers, world))
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
        let actions = forEachTracker(graph) { tracker, world, actions in tracker.look(world, &actions) }
        let told = isNews && !isBarrierPending ? tellAvailablePorts() : []
        return inOrder(actions + told + (isNews || world.available.isStale ? [.barrier] : []))
    }

    private mutating func conclude(_ graph: AudioGraph, _ now: MonotonicTime, isAtBarrier: Bool) -> [RouteAction] {
        world.now = now
        world.isAtBarrier = isAtBarrier
        world.isNews = false
        world.available.look(at: graph)
        world.available.makeLists(now)
        let actions = forEachTracker(graph) { tracker, world, actions in tracker.conclude(world, &actions) }
        return inOrder(actions + tellAvailablePorts())
    }

    mutating func tellAvailablePorts() -> [RouteAction] {
        // The loss of a port in use is told before its loss from the list.
        guard world.available.isUntold, !trackers.contains(where: \.isSuspecting) else { return [] }
        world.available.markTold()
        return [.availablePortsChanged]
    }

    private mutating func forEachTracker(
        _ graph: AudioGraph, _ body: (inout RouteTracker, RouteWorld, inout [RouteAction]) -> Void
    ) -> [RouteAction] {
        // Held no longer than this call: a second holder would make every change of the graph copy it whole.
        world.graph = graph
        defer { world.graph = AudioGraph() }
        var actions: [RouteAction] = []
        for place in trackers.indices { body(&trackers[place], world, &actions) }
        return actions + guards.update(trackers, world)
    }

    /// Gates before events; one barrier at most, and only one under way.
    private mutating func inOrder(_ actions: [RouteAction]) -> [RouteAction] {
        let gates = actions.filter { if case .closeGate = $0 { true } else { false } }
        var result = gates + actions.filter { $0 != .barrier && $0 != .readDefaults && !gates.contains($0) }
        if actions.contains(.barrier) { result += askForBarrier() }
        let wake = (trackers.compactMap(\.deadline) + guards.calmTimes(after: world.now)).min()
        if wake != wakeTime {
            wakeTime = wake
            result.append(.wake)
        }
        // It may bring news at once.
        if actions.contains(.readDefaults) { result.append(.readDefaults) }
        return result
    }

    private mutating func askForBarrier() -> [RouteAction] {
        isBarrierStale = isBarrierPending
        defer { isBarrierPending = true }
        return isBarrierPending ? [] : [.barrier]
    }
}
