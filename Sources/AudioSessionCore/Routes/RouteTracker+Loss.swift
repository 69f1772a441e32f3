/// This extension decides whether a missing output is lost or only missing for a moment.
extension RouteTracker {
    /// Returns the first output in use that is missing.
    func gone(_ graph: AudioGraph) -> RouteEnd? {
        endsInUse.first { isNewlyGone($0, graph) }
    }

    private func isNewlyGone(_ end: RouteEnd, _ graph: AudioGraph) -> Bool {
        isGone(end, graph) && (end.isWithoutNode(in: graph) || !knownUnplugged.contains(end.port.uid))
    }

    func isGone(_ end: RouteEnd, _ graph: AudioGraph) -> Bool {
        end.isWithoutNode(in: graph) || graph.isUnplugged(end.port)
    }

    /// Notifies of a lost output that the last choice has left already. Defaults arrive by a
    /// connection of their own, and may overtake the event that caused them.
    mutating func noteLeft(_ graph: AudioGraph, _ world: RouteWorld, _ actions: inout RouteActions) {
        guard let end = left.first(where: { isGone($0, graph) }) else { return }
        left = []
        actions.append(.becameNoisy(id, end.port, world.now))
    }

    /// Returns the first output in use that is lost. A bouncing jack is no loss. For running
    /// streams a removed node always is one, because the session manager may link them to any
    /// output first.
    private func loss(_ graph: AudioGraph, _ world: RouteWorld) -> RouteEnd? {
        endsInUse.first { end in
            guard isNewlyGone(end, graph) else { return false }
            return !isBounce(end.port, world) || !streams.isEmpty && end.isWithoutNode(in: graph)
        }
    }

    // MARK: Gate

    /// Closes the gate of running streams if their output is lost, before further evaluation.
    /// - Returns: Whether the gate was open.
    mutating func closeGate(ifLost graph: AudioGraph, _ world: RouteWorld) -> Bool {
        guard !isGateClosed, !streams.isEmpty, loss(graph, world) != nil else { return false }
        isGateClosed = true
        return true
    }

    mutating func closeGate(_ actions: inout RouteActions) {
        guard !isGateClosed else { return }
        isGateClosed = true
        actions.append(.closeGate(id))
    }

    mutating func openGate(_ actions: inout RouteActions) {
        isGateClosed = false
        actions.append(.openGate(id))
    }

    // MARK: Departure

    /// The outputs in use without those that were notified as lost. A follower that continues
    /// without them has its gate open.
    var endsInUse: [RouteEnd] {
        toldLosses.isEmpty ? published.outputs : published.outputs.filter { !toldLosses.contains($0.port.uid) }
    }

    /// Begins the loss of an output in use, or records a bouncing one, because the session manager
    /// may have missed the bounce and keep it as the default.
    /// - Returns: Whether an output is lost.
    @discardableResult
    mutating func noteDeparture(_ graph: AudioGraph, _ world: RouteWorld, _ actions: inout RouteActions) -> Bool {
        guard let gone = gone(graph) else { return false }
        guard let lost = loss(graph, world) else {
            lostOutputs[gone.port.uid] = departure(of: gone.port.uid, world)
            return false
        }
        lose(lost, graph, world, &actions)
        return true
    }

    private mutating func lose(
        _ end: RouteEnd, _ graph: AudioGraph, _ world: RouteWorld, _ actions: inout RouteActions
    ) {
        closeGate(&actions)
        if graph.isUnplugged(end.port) {
            confirm(end, world, &actions)
        } else {
            let limit = world.isSwitching(end.port) ? RouteLimits.profile : RouteLimits.suspicion
            phase = .suspecting(end, since: world.now, until: world.now + limit)
        }
    }

    private mutating func confirm(_ end: RouteEnd, _ world: RouteWorld, _ actions: inout RouteActions) {
        actions.append(.becameNoisy(id, end.port, world.now))
        // From here on the follower opens its gate itself, for another output.
        isGateClosed = false
        lostOutputs[end.port.uid] = world.now
        toldLosses.insert(end.port.uid)
        lastLoss = (end.port.uid, world.now)
        phase = .settling(lost: end.port, quietUntil: nil, until: world.now + RouteLimits.change)
    }

    /// Decides whether the device of a removed node is removed as well.
    mutating func judge(
        _ end: RouteEnd, _ since: MonotonicTime, _ until: MonotonicTime, _ observed: RouteObservation,
        _ graph: AudioGraph, _ world: RouteWorld, _ actions: inout RouteActions
    ) {
        let returned = observed.outputs.contains { $0.port.uid == end.port.uid }
        // The card is not compared by number, which another card may have now.
        let card = end.port.deviceName
        let replaced = card != nil && observed.outputs.contains { $0.port.deviceName == card }
        // A follower that released its stream meanwhile was heard until the removal.
        let isTouch = !isLostAgain(end.port, at: since) && wasOnlyTouched(end.port, at: since, world)
        let isBack = isTouch && observed.outputs.map(\.port.uid) == formerOutputs.map(\.uid)
        if (returned || replaced || isBack) && world.isSettled(observed) {
            goOn(world, &actions)
        } else if let back = back(end, since, graph, world) {
            // Its node has another number now. By the old one it would count as missing until links
            // are settled.
            published.outputs = published.outputs.map { $0.port.uid == end.port.uid ? back : $0 }
            goOn(world, &actions)
        } else if world.sessionManager.lossTime != nil {
            // The devices return with the session manager. Nothing is heard meanwhile, so the wait
            // may be long.
            phase = .suspecting(end, since: since, until: world.now + RouteLimits.suspicion)
        } else if let deadline = world.returnDeadline(of: end, lost: since, graph) {
            if world.now >= until, world.lacksDefault(graph) { actions.append(.readDefaults) }
            // A recent change keeps it from being settled, and may be the last event.
            phase = .suspecting(end, since: since, until: min(deadline, world.now + RouteLimits.suspicion))
        } else if world.now >= until || world.isAtBarrier && !isTouch && world.isCertainlyGone(end, graph) {
            confirm(end, world, &actions)
        }
    }

    private mutating func goOn(_ world: RouteWorld, _ actions: inout RouteActions) {
        if !opensWhenSettled { openGate(&actions) }
        phase = .settling(lost: nil, quietUntil: nil, until: world.now + RouteLimits.change)
    }

    /// Returns the port in use if it has returned with its session manager.
    ///
    /// WirePlumber 0.4 does not link streams that ran before it started, so the default route is
    /// evaluated instead.
    private func back(_ end: RouteEnd, _ since: MonotonicTime, _ graph: AudioGraph, _ world: RouteWorld) -> RouteEnd?
    {
        guard world.returnDeadline(of: end, lost: since, graph) != nil else { return nil }
        var byDefault = graph.observe(targets, world.available.survey)
        // Only the output matters here, and inputs may return later.
        byDefault.areInputsComplete = true
        guard world.isSettled(byDefault) else { return nil }
        return byDefault.outputs.first { $0.port.uid == end.port.uid }
    }
}

extension RouteEnd {
    fileprivate func isWithoutNode(in graph: AudioGraph) -> Bool {
        !graph.nodes.contains(node) || hardware.map { !graph.nodes.contains($0) } ?? false
    }
}
