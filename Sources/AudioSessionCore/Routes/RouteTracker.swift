/// Follows one route through a change: from the first sign, through the session manager's
/// responses, to the one event that listeners receive.
struct RouteTracker: Sendable {
    let id: FollowerID
    /// The nodes of the follower's running streams.
    var streams: Set<ObjectID> = []
    /// The links from those streams, by id.
    var links: [ObjectID: Link] = [:]
    /// The nodes from which the follower's running streams record.
    var sources: Set<ObjectID> = []
    /// The ports that the program chose. Streams are expected to move there, and the route has them
    /// while no stream runs.
    private(set) var targets = RouteTargets()
    /// The former targets, with the times at which the program replaced them.
    private(set) var formerTargets: [PortDirection: (target: RouteTarget, time: MonotonicTime)] = [:]
    /// Whether the category changed and that is not published yet.
    var isCategoryNew = false
    /// The extended limit of this phase's wait.
    private var lastUntil: MonotonicTime?
    /// The limit of the wait for what replaces a removed output. Later events, after which the
    /// removal is evaluated again, do not extend it. A phase without such a wait ends it.
    var replacementUntil: MonotonicTime?
    /// The requested change with its reason, while it may still follow.
    var expectation: RouteExpectation?
    /// The published observation of the route.
    var published: RouteObservation { didSet { route = published.route } }
    /// The published route. It is stored, because it is read on every event and making it allocates
    /// memory.
    private(set) var route: RouteDescription
    var phase = Phase.settled { didSet { if !phase.mayAwaitReplacement { replacementUntil = nil } } }
    /// The ports whose jack was already empty when the route was published, so that it is not a
    /// loss.
    var knownUnplugged: Set<String> = []
    /// The outputs that were lost or bounced and have not returned, with the times of their
    /// removal.
    private(set) var lostOutputs: [String: MonotonicTime] = [:]
    /// The outputs in use that were notified as lost.
    var reportedLosses: Set<String> = []
    var lastLoss: (uid: String, time: MonotonicTime)?
    /// The ports that the last choice left, kept until the barrier. If one of them is missing by
    /// then, it was a loss and no choice.
    var left: [RoutePort] = []
    /// The time at which the published input was removed; `nil` while it is present.
    var inputLoss: MonotonicTime?
    /// The time at which outputs were last published.
    private(set) var lastChange: MonotonicTime?
    /// Whether that change may have been caused by something that appeared or disappeared.
    private(set) var wasLastChangeMove = false
    /// The outputs in use before the last device was plugged in.
    private(set) var formerOutputs: [PortDescription] = []
    /// The deadline for the first change after the computer woke up.
    var wakeUntil: MonotonicTime?
    /// Whether the gate has been closed since a sleep or a profile switch, and no loss keeps it
    /// closed.
    var opensWhenSettled = false
    /// Whether the gate is closed for a loss that is not notified yet, a profile switch or a sleep.
    var isGateClosed = false

    enum Phase: Sendable, Hashable {
        /// The published route is valid.
        case settled
        /// The node in use was removed, but its device was not, or the session manager may be
        /// restarting. Later events decide.
        case suspecting(RoutePort, since: MonotonicTime, until: MonotonicTime)
        /// A change is in progress, and is published when it is settled.
        case settling(lost: PortDescription?, quietUntil: MonotonicTime?, until: MonotonicTime)
        /// A card was requested to switch to the profile of the target's port. The gate is closed
        /// until the port is available.
        case switching(until: MonotonicTime)
        /// The computer sleeps, and nothing is decided. `lost` is the output whose loss was
        /// notified before, and `isSwitching` whether a card was requested to switch to the profile
        /// of the target's port.
        case asleep(lost: PortDescription?, isSwitching: Bool)

        /// Whether what replaces a removed output, which is not lost, may have yet to appear.
        var mayAwaitReplacement: Bool {
            switch self {
            case .suspecting, .settling(nil, _, _): true
            case .settled, .settling, .switching, .asleep: false
            }
        }
    }

    init(id: FollowerID, targets: RouteTargets = RouteTargets(), graph: AudioGraph, ports: PortCatalog) {
        (self.id, self.targets) = (id, targets)
        published = graph.observe(targets, ports)
        route = published.route
        rememberUnplugged(graph)
    }

    /// Whether the route may differ from the published one.
    var isChanging: Bool { phase != .settled && !isAsleep }

    var isSuspecting: Bool { if case .suspecting = phase { true } else { false } }

    var deadline: MonotonicTime? {
        switch phase {
        case .settled: published.heldUntil
        case .asleep: nil
        case .switching(let until): until
        case .suspecting(_, _, let until): until
        case .settling(_, let quietUntil, let until): min(quietUntil ?? until, until)
        }
    }

    /// Evaluates the graph after a change.
    mutating func evaluate(_ graph: AudioGraph, _ context: RouteContext, _ actions: inout RouteActions) {
        noteInput(graph, context)
        forgetPlugged(graph)
        if !isGateClosed { noteLeft(graph, context, &actions) }
        if context.choosing == id { joinSwitch(context, &actions) }
        switch phase {
        case .settled:
            let observed = observe(graph, context)
            notice(observed, graph, context, &actions)
            if context.isChoice || context.choosing == id { follow(observed, graph, context, &actions) }
        case .suspecting, .asleep: break
        case .switching: endSwitch(context)
        case .settling(let lost, let quietUntil, let until):
            if context.hasChanged, quietUntil != nil || isBouncing(observe(graph, context), context) {
                let quiet = max(quietUntil ?? context.now, context.now + RouteLimits.quiet)
                phase = .settling(lost: lost, quietUntil: quiet, until: until)
            }
            noteDeparture(graph, context, &actions)
            if context.choosing == id { follow(observe(graph, context), graph, context, &actions) }
        }
        if isChanging { actions.needsBarrier = true }
    }

    /// Publishes a choice at once, unless another change is in progress or a stream is to move.
    private mutating func follow(
        _ chosen: RouteObservation, _ graph: AudioGraph, _ context: RouteContext, _ actions: inout RouteActions
    ) {
        guard case .settling(nil, nil, _) = phase else { return }
        let former = published.outputs
        settle(chosen, graph, context, &actions)
        // Only defaults can overtake their cause. A choice of the program has no other cause.
        left =
            context.isChoice
            ? former.filter { !published.outputs.contains($0) && state(of: $0, graph, context) == .present } : []
    }

    /// Decides what can be decided at a barrier or a deadline.
    mutating func conclude(_ graph: AudioGraph, _ context: RouteContext, _ actions: inout RouteActions) {
        guard !isAsleep else { return }
        forgetPlugged(graph)
        if case .switching(let until) = phase, until <= context.now { switchTimedOut(graph, context, &actions) }
        var observed = observe(graph, context)
        if context.isAtBarrier { left = [] }
        if case .suspecting(let end, let since, let until) = phase {
            evaluateLoss(end, since, until, observed, graph, context, &actions)
            observed = observe(graph, context)
        }
        if phase == .settled, let heldUntil = published.heldUntil, heldUntil <= context.now {
            notice(observed, graph, context, &actions)
        }
        settle(observed, graph, context, &actions)
    }

    /// Publishes the change in progress if all of its events have arrived.
    private mutating func settle(
        _ observed: RouteObservation, _ graph: AudioGraph, _ context: RouteContext, _ actions: inout RouteActions
    ) {
        guard case .settling(let lost, let quietUntil, let until) = phase else { return }
        if let quietUntil, context.now < quietUntil {
            guard context.now >= until else { return }
            // The session manager may remove default and links for a moment. That extends the wait
            // once.
            let last = lastUntil ?? until + RouteLimits.change
            if targets.output != .unused, observed.outputs.isEmpty, !context.available.outputs.isEmpty, until < last {
                lastUntil = last
                phase = .settling(lost: lost, quietUntil: quietUntil, until: min(quietUntil, last))
                return
            }
        }
        let hasLost = hasJustLost(within: RouteLimits.change, context)
        let isSettled =
            context.isSettled(observed, hasLost: hasLost)
            && (!hasLost || graph.isDefaultOutputExpected(context.available.survey))
            && !isMoving(observed, hasLost: hasLost, graph, context)
            && isProfileComplete(observed, graph, context)
            && (!opensWhenSettled || isOnTarget(observed, context))
            && !(isCategoryNew && context.isSwitchingAny)
        guard isSettled || context.now >= until else {
            phase = .settling(lost: lost, quietUntil: nil, until: until)
            return
        }
        notify(observed, lost: lost, graph, context, &actions)
    }

    /// Records the removal of an output. Other programs can invent any number of outputs, so the
    /// oldest are dropped.
    mutating func noteLost(_ uid: String, at time: MonotonicTime) {
        lostOutputs[uid] = time
        guard lostOutputs.count > 64, let oldest = lostOutputs.min(by: { $0.value < $1.value }) else { return }
        lostOutputs[oldest.key] = nil
    }

    private func observe(_ graph: AudioGraph, _ context: RouteContext) -> RouteObservation {
        let sinks = links.isEmpty ? [] : Set(links.values.map(\.inputNode)).sorted()
        let sources = sources.isEmpty ? [] : sources.sorted()
        var observation = graph.observe(
            sinks: sinks, sources: sources, isLinking: isLinking, targets, context.available.survey)
        holdInput(&observation, graph, context)
        keepSetMembers(&observation, graph)
        guard !lostOutputs.isEmpty else { return observation }
        let isLost = { (end: RoutePort) in lostOutputs[end.port.uid] != nil && graph.isUnplugged(end.port) }
        let count = observation.outputs.count
        observation.outputs.removeAll(where: isLost)
        guard observation.outputs.isEmpty, count > 0 else { return observation }
        // A stream with a target node stays linked to that node although its jack is empty.
        observation.outputs = graph.defaultEnds(.output, context.available.survey).filter { !isLost($0) }
        // The session manager has not selected another sink for a stream whose node stays with an
        // empty jack.
        if observation.outputs.isEmpty, !context.available.outputs.isEmpty { observation.areOutputsComplete = false }
        return observation
    }

    /// Whether streams are linked, or a link is expected. A stream that lost its output pauses, and
    /// WirePlumber 0.5.8 links it only when it plays again.
    private var isLinking: Bool {
        if case .settling(_?, _, _) = phase, links.isEmpty { return false }
        return !streams.isEmpty
    }

    mutating func setTargets(_ new: RouteTargets, at time: MonotonicTime) {
        for direction in PortDirection.allCases where targets[direction] != new[direction] {
            formerTargets[direction] = (targets[direction], time)
        }
        targets = new
    }

    /// Sets other targets without publishing a change.
    mutating func adopt(_ targets: RouteTargets, _ graph: AudioGraph, _ context: RouteContext) {
        self.targets = targets
        guard phase == .settled else { return }
        published = observe(graph, context)
        rememberUnplugged(graph)
    }

    private mutating func notice(
        _ observed: RouteObservation, _ graph: AudioGraph, _ context: RouteContext, _ actions: inout RouteActions
    ) {
        let isGone = gone(graph, context) != nil
        if isGone, noteDeparture(graph, context, &actions) { return }
        if isGone || observed.outputs != published.outputs || observed.inputs != published.inputs
            || isCategoryNew
        {
            let isQuietNeeded = isGone || isBouncing(observed, context) || isLeavingJack(observed, graph, context)
            phase = .settling(
                lost: nil, quietUntil: isQuietNeeded ? context.now + RouteLimits.quiet : nil,
                until: context.now + RouteLimits.change)
        } else {
            if published.heldUntil != observed.heldUntil { published.heldUntil = observed.heldUntil }
            if observed.heldUntil == nil { inputLoss = nil }
        }
    }

    private mutating func notify(
        _ observed: RouteObservation, lost: PortDescription?, _ graph: AudioGraph, _ context: RouteContext,
        _ actions: inout RouteActions
    ) {
        let previous = route
        let former = published
        published = observed
        let current = route
        if !previous.outputs.elementsEqual(current.outputs, by: { $0.uid == $1.uid }) {
            formerOutputs = previous.outputs
            lastChange = context.now
            // The limit is that of an arrival, because the session manager may be late.
            wasLastChangeMove = lost != nil || context.hasMoved(within: RouteLimits.arrival)
        }
        let formerPorts = (former.outputs + former.inputs).map(\.port)
        let compared = RouteComparison(
            previous: previous, current: current, lost: lost, needs: needs,
            movedByHand: movedByHand(from: former, graph),
            emptyJacks: Set(formerPorts.filter(graph.isUnplugged).map(\.uid)),
            muted: Set(formerPorts.filter(graph.isMutedByPlug).map(\.uid)),
            replacedInSet: former.uids(replacedInSetBy: observed)
        )
        .reason(in: context)
        var reason = compared
        let isReported = isCategoryNew || !previous.isSame(as: current)
        if let expected = expectation, lost == nil, expected.explains(reason, previous, current, context.now) {
            reason = expected.reason
            expectation = nil
        } else if isReported, !isCategoryNew, isFoundAfterSleep(context), reason != .noSuitableRouteForCategory {
            reason = .wakeFromSleep
        }
        if isCategoryNew, lost == nil, reason.yieldsToCategory { reason = .categoryChange }
        isCategoryNew = false
        if observed.heldUntil == nil { inputLoss = nil }
        lastUntil = nil
        phase = .settled
        reportedLosses = []
        for port in current.outputs { lostOutputs[port.uid] = nil }
        rememberUnplugged(graph)
        // After a notified loss, only a sleep can have closed the gate.
        let opens = isGateClosed
        (opensWhenSettled, isGateClosed) = (false, false)
        guard isReported else {
            if lost != nil {
                actions.append(.routeRegained(id))
            } else if opens {
                openGate(&actions)
            }
            return
        }
        if opens, lost == nil { openGate(&actions) }
        let change = RouteChange(
            reason: reason, previous: previous, current: current, time: context.now,
            underlyingReason: reason == .wakeFromSleep ? compared : nil)
        actions.append(.routeChanged(id, change))
        if opens, lost != nil { openGate(&actions) }
    }

    /// The directions that must have a port.
    private var needs: [PortDirection] {
        id == .computer ? [.output] : PortDirection.allCases.filter { targets[$0] != .unused }
    }

    /// A jack that has been occupied meanwhile can be lost.
    private mutating func forgetPlugged(_ graph: AudioGraph) {
        guard !knownUnplugged.isEmpty else { return }
        for end in published.outputs where !graph.isUnplugged(end.port) { knownUnplugged.remove(end.port.uid) }
    }

    private mutating func rememberUnplugged(_ graph: AudioGraph) {
        knownUnplugged = []
        for end in published.outputs where graph.isUnplugged(end.port) { knownUnplugged.insert(end.port.uid) }
    }
}
