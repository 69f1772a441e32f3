/// This extension decides whether a missing output is lost or only missing for a moment.
extension RouteTracker {
    /// The state of an output, from present to lost.
    enum OutputState: Comparable {
        case present
        /// The jack was already empty when the route was published, so that it is not a loss.
        case knownEmpty
        /// The output is missing for a moment, because a contact bounces.
        case bouncing
        /// The node was removed, but the output may return; see
        /// ``evaluateLoss(_:_:_:_:_:_:_:)``.
        case inDoubt
        /// The jack is empty.
        case lost
    }

    func state(of end: RoutePort, _ graph: AudioGraph, _ context: RouteContext) -> OutputState {
        let (isRemoved, isEmpty) = (end.isWithoutNode(in: graph), graph.isUnplugged(end.port))
        guard isRemoved || isEmpty else { return .present }
        if !isRemoved, knownUnplugged.contains(end.port.uid) { return .knownEmpty }
        // A node that is removed from running streams is no bounce, because the session manager may
        // link them to any output first.
        if isBounce(end.port, context), !isRemoved || streams.isEmpty { return .bouncing }
        return isEmpty ? .lost : .inDoubt
    }

    /// Returns the first output in use that is missing, for a moment or longer.
    func gone(_ graph: AudioGraph, _ context: RouteContext) -> RoutePort? {
        endsInUse.first { state(of: $0, graph, context) >= .bouncing }
    }

    /// Returns the first output in use that is lost or in doubt.
    private func loss(_ graph: AudioGraph, _ context: RouteContext) -> RoutePort? {
        endsInUse.first { state(of: $0, graph, context) >= .inDoubt }
    }

    /// Notifies of a lost output that the last choice has left already. Defaults arrive by a
    /// connection of their own, and may overtake the event that caused them.
    mutating func noteLeft(_ graph: AudioGraph, _ context: RouteContext, _ actions: inout RouteActions) {
        guard let end = left.first(where: { state(of: $0, graph, context) != .present }) else { return }
        left = []
        actions.append(.becameNoisy(id, end.port, context.now))
    }

    // MARK: Gate

    /// Closes the gate of running streams if their output is lost, before further evaluation.
    /// - Returns: Whether the gate was open.
    mutating func closeGate(ifLost graph: AudioGraph, _ context: RouteContext) -> Bool {
        guard !isGateClosed, !streams.isEmpty, loss(graph, context) != nil else { return false }
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

    /// The outputs in use without those that were notified as lost.
    var endsInUse: [RoutePort] {
        reportedLosses.isEmpty
            ? published.outputs : published.outputs.filter { !reportedLosses.contains($0.port.uid) }
    }

    /// Begins the loss of an output in use, or records a bouncing one, because the session manager
    /// may have missed the bounce and keep it as the default.
    /// - Returns: Whether an output is lost.
    @discardableResult
    mutating func noteDeparture(_ graph: AudioGraph, _ context: RouteContext, _ actions: inout RouteActions) -> Bool {
        guard let gone = gone(graph, context) else { return false }
        guard let lost = loss(graph, context) else {
            noteLost(gone.port.uid, at: departure(of: gone.port.uid, context))
            return false
        }
        closeGate(&actions)
        if state(of: lost, graph, context) == .lost {
            confirm(lost, context, &actions)
        } else {
            // Any program may have switched the profile or the codec of a headset.
            let isReturning = context.isSwitching(lost.port) || lost.port.type.hasModes
            let limit = isReturning ? RouteLimits.profile : RouteLimits.suspicion
            phase = .suspecting(lost, since: context.now, until: context.now + limit)
        }
        return true
    }

    private mutating func confirm(_ end: RoutePort, _ context: RouteContext, _ actions: inout RouteActions) {
        actions.append(.becameNoisy(id, end.port, context.now))
        // From here on the follower opens its gate itself, at the route change.
        isGateClosed = false
        noteLost(end.port.uid, at: context.now)
        reportedLosses.insert(end.port.uid)
        lastLoss = (end.port.uid, context.now)
        phase = .settling(lost: end.port, quietUntil: nil, until: context.now + RouteLimits.change)
    }

    /// Decides whether the device of a removed node is removed as well.
    mutating func evaluateLoss(
        _ end: RoutePort, _ since: MonotonicTime, _ until: MonotonicTime, _ observed: RouteObservation,
        _ graph: AudioGraph, _ context: RouteContext, _ actions: inout RouteActions
    ) {
        let returned = observed.outputs.contains { $0.port.uid == end.port.uid }
        // The card is not compared by number, which another card may have now.
        let card = end.port.deviceName
        let replaced = observed.outputs.contains {
            card != nil && $0.port.deviceName == card || $0.isOfSameSet(as: end)
        }
        // A follower that released its stream meanwhile was heard until the removal.
        let isTouch = !isLostAgain(end.port, at: since) && wasOnlyTouched(end.port, at: since, context)
        let isBack = isTouch && observed.outputs.map(\.port.uid) == formerOutputs.map(\.uid)
        // The card may have left the output because its jack is empty, which is read later.
        if graph.isUnplugged(end.port), !isTouch, !knownUnplugged.contains(end.port.uid) {
            return confirm(end, context, &actions)
        }
        if (returned || replaced || isBack) && context.isSettled(observed) {
            // Until the card shows what replaces the output, its other outputs stay silent.
            if !returned, context.isReprofiled(end.port, in: graph) {
                opensWhenSettled = true
                replacementUntil = replacementUntil ?? context.now + RouteLimits.change
            }
            openAndSettle(until: replacementUntil ?? context.now + RouteLimits.change, &actions)
        } else if let back = back(end, since, graph, context) {
            // Its node has another number now. By the old one it would count as missing until links
            // are settled.
            published.outputs = published.outputs.map { $0.port.uid == end.port.uid ? back : $0 }
            openAndSettle(until: context.now + RouteLimits.change, &actions)
        } else if context.sessionManager.lossTime != nil {
            // The devices return with the session manager. Nothing is heard meanwhile, so the wait
            // may be long.
            phase = .suspecting(end, since: since, until: context.now + RouteLimits.suspicion)
        } else if let deadline = context.returnDeadline(of: end, lost: since, graph) {
            if context.now >= until, context.lacksDefault(graph) { actions.append(.readDefaults) }
            // A recent change keeps it from being settled, and may be the last event.
            phase = .suspecting(end, since: since, until: min(deadline, context.now + RouteLimits.suspicion))
        } else if context.now >= until || context.isAtBarrier && !isTouch && context.isCertainlyGone(end, graph) {
            confirm(end, context, &actions)
        }
    }

    /// Keeps the known members of a Bluetooth LE set, because the node of an earbud that leaves may
    /// be removed before that of the set.
    func keepSetMembers(_ observation: inout RouteObservation, _ graph: AudioGraph) {
        for end in published.outputs where !end.setMembers.isEmpty {
            let present = end.setMembers.filter { graph.device(named: $0) != nil }
            for index in observation.outputs.indices where observation.outputs[index].port.uid == end.port.uid {
                observation.outputs[index].setMembers.formUnion(present)
            }
        }
    }

    /// Opens the gate, unless it stays closed until the route has settled, and waits for that.
    private mutating func openAndSettle(until: MonotonicTime, _ actions: inout RouteActions) {
        if !opensWhenSettled { openGate(&actions) }
        phase = .settling(lost: nil, quietUntil: nil, until: until)
    }

    /// Returns the port in use if it has returned with its session manager.
    ///
    /// WirePlumber 0.4 does not link streams that ran before it started, so the default route is
    /// evaluated instead.
    private func back(_ end: RoutePort, _ since: MonotonicTime, _ graph: AudioGraph, _ context: RouteContext)
        -> RoutePort?
    {
        guard context.returnDeadline(of: end, lost: since, graph) != nil else { return nil }
        var byDefault = graph.observe(targets, context.available.survey)
        // Only the output matters here, and inputs may return later.
        byDefault.areInputsComplete = true
        guard context.isSettled(byDefault) else { return nil }
        return byDefault.outputs.first { $0.port.uid == end.port.uid }
    }
}

extension RoutePort {
    /// Whether the node was removed. Another node may have its number now.
    fileprivate func isWithoutNode(in graph: AudioGraph) -> Bool {
        guard let present = graph.nodes[node], present.label == port.nodeName else { return true }
        guard let hardware else { return false }
        guard let present = graph.nodes[hardware] else { return true }
        return graph.device(of: present)?.name != port.deviceName
    }
}
