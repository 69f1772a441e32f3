/// An output that goes: whether it is lost, or only gone for a moment.
extension RouteTracker {
    /// The first output in use that has gone.
    func gone(_ graph: AudioGraph) -> RouteEnd? {
        endsInUse.first { isNewlyGone($0, graph) }
    }

    private func isNewlyGone(_ end: RouteEnd, _ graph: AudioGraph) -> Bool {
        isGone(end, graph) && (end.isWithoutNode(in: graph) || !knownUnplugged.contains(end.port.uid))
    }

    func isGone(_ end: RouteEnd, _ graph: AudioGraph) -> Bool {
        end.isWithoutNode(in: graph) || graph.isUnplugged(end.port)
    }

    /// Defaults come over a connection of their own, and may overtake what they are the answer to.
    mutating func noteLeft(_ graph: AudioGraph, _ world: RouteWorld, _ actions: inout RouteActions) {
        guard let end = left.first(where: { isGone($0, graph) }) else { return }
        left = []
        actions.append(.becameNoisy(id, end.port, world.now))
    }

    /// The first output in use that is lost. A jack that bounces is no loss. A node that disappears always is one for
    /// running streams, because the session manager may link them anywhere first.
    private func loss(_ graph: AudioGraph, _ world: RouteWorld) -> RouteEnd? {
        endsInUse.first { end in
            guard isNewlyGone(end, graph) else { return false }
            return !isBounce(end.port, world) || !streams.isEmpty && end.isWithoutNode(in: graph)
        }
    }

    // MARK: Gate

    /// Closes the gate of running streams if their output is lost, before anything else is evaluated.
    /// - Returns: whether the gate was open.
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

    /// Without what was told to be lost, of which more news may follow: who goes on without it has its gate open.
    var endsInUse: [RouteEnd] {
        toldLosses.isEmpty ? published.outputs : published.outputs.filter { !toldLosses.contains($0.port.uid) }
    }

    /// Begins the loss of an output in use, or remembers one that bounces, because the session manager may
    /// have missed the bounce and keep it as the default.
    /// - Returns: whether an output is lost.
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

    /// Decides whether the device of a node that went is gone as well.
    mutating func judge(
        _ end: RouteEnd, _ since: MonotonicTime, _ until: MonotonicTime, _ observed: RouteObservation,
        _ graph: AudioGraph, _ world: RouteWorld, _ actions: inout RouteActions
    ) {
        let returned = observed.outputs.contains { $0.port.uid == end.port.uid }
        // Not by number: another card may have it now.
        let card = end.port.deviceName
        let replaced = card != nil && observed.outputs.contains { $0.port.deviceName == card }
        // Whoever has let go of its stream meanwhile has been heard until it went.
        let isTouch = !isLostAgain(end.port, at: since) && wasOnlyTouched(end.port, at: since, world)
        let isBack = isTouch && observed.outputs.map(\.port.uid) == formerOutputs.map(\.uid)
        if (returned || replaced || isBack) && world.isSettled(observed) {
            goOn(world, &actions)
        } else if let back = back(end, since, graph, world) {
            // Its node has another number now. By the old one it would be missed again until links are settled.
            published.outputs = published.outputs.map { $0.port.uid == end.port.uid ? back : $0 }
            goOn(world, &actions)
        } else if world.sessionManager.lossTime != nil {
            // Its devices go with it and come back with it. Nothing sounds meanwhile, so there is no haste.
            phase = .suspecting(end, since: since, until: world.now + RouteLimits.suspicion)
        } else if let deadline = world.returnDeadline(of: end, lost: since, graph) {
            if world.now >= until, world.lacksDefault(graph) { actions.append(.readDefaults) }
            // What moved just now keeps it from being settled, and may be the last news.
            phase = .suspecting(end, since: since, until: min(deadline, world.now + RouteLimits.suspicion))
        } else if world.now >= until || world.isAtBarrier && !isTouch && world.isCertainlyGone(end, graph) {
            confirm(end, world, &actions)
        }
    }

    private mutating func goOn(_ world: RouteWorld, _ actions: inout RouteActions) {
        if !opensWhenSettled { openGate(&actions) }
        phase = .settling(lost: nil, quietUntil: nil, until: world.now + RouteLimits.change)
    }

    /// The end, if it has come back with its session manager. That one need not link streams which ran before it
    /// (WirePlumber 0.4 does not), so what sounds by default has to do.
    private func back(_ end: RouteEnd, _ since: MonotonicTime, _ graph: AudioGraph, _ world: RouteWorld) -> RouteEnd?
    {
        guard world.returnDeadline(of: end, lost: since, graph) != nil else { return nil }
        var byDefault = graph.observe(targets, world.available.survey)
        // The output is the matter, and inputs may come later.
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
