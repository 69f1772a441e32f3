/// Follows one route through a change: from the first sign, over what the session manager does about it, to the one
/// event that a program is told.
struct RouteTracker: Sendable {
    let id: FollowerID
    /// The nodes of the follower's running streams.
    var streams: Set<ObjectID> = []
    /// Links from those streams, by id.
    var links: [ObjectID: Link] = [:]
    /// The nodes that the follower's running streams record from.
    var sources: Set<ObjectID> = []
    /// The ports that the route has while no stream runs.
    var targets = RouteTargets()
    /// Whether the category changed and that is not published yet.
    var isCategoryNew = false
    /// Limit of this phase's wait if it was extended.
    private var lastUntil: MonotonicTime?
    /// Why the next change comes, if it comes soon: the follower asked for it.
    var expectation: RouteExpectation?
    /// What was last told.
    var published: RouteObservation { didSet { route = published.route } }
    /// Of that: it is asked for at every event, and takes memory to make.
    private(set) var route: RouteDescription
    var phase = Phase.settled
    /// Ends whose jack was already empty when the route was told: that is no news.
    var knownUnplugged: Set<String> = []
    /// Outputs that were lost or bounce, and have not come back yet, and when they went.
    var lostOutputs: [String: MonotonicTime] = [:]
    /// Of those in use, the ones that were told to be lost.
    var toldLosses: Set<String> = []
    var lastLoss: (uid: String, time: MonotonicTime)?
    /// What a choice was told to have left, until all news is known that was there before it: it may have been no choice.
    var left: [RouteEnd] = []
    /// When the input that was last told went; `nil`: it is there.
    var inputLoss: MonotonicTime?
    /// When other outputs were last told.
    private(set) var lastChange: MonotonicTime?
    /// Whether something had come or gone before that, and may have been its cause.
    private(set) var wasLastChangeMove = false
    /// The outputs in use before the last thing was plugged in.
    private(set) var formerOutputs: [PortDescription] = []
    /// Deadline for the first change after the computer woke up.
    var wakeUntil: MonotonicTime?
    /// Whether the gate is closed since the computer's sleep or a switch of a profile, and no loss keeps it closed.
    var opensWhenSettled = false
    /// Whether the follower's gate is closed for a loss that is not reported yet, a switch or a sleep.
    var isGateClosed = false

    enum Phase: Sendable, Hashable {
        /// What was told holds.
        case settled
        /// The node in use went, but its device did not, or its owner may only be restarting: decided by what follows.
        case suspecting(RouteEnd, since: MonotonicTime, until: MonotonicTime)
        /// A change is under way.
        case settling(lost: PortDescription?, quietUntil: MonotonicTime?, until: MonotonicTime)
        /// A card was asked for the profile of the target's port. Nothing is heard before the port is there.
        case switching(until: MonotonicTime)
        /// The computer sleeps. Nothing is decided, and `lost` is the output whose loss was told before.
        case asleep(lost: PortDescription?)
    }

    init(id: FollowerID, targets: RouteTargets = RouteTargets(), graph: AudioGraph, ports: PortSurvey) {
        (self.id, self.targets) = (id, targets)
        published = graph.observe(targets, ports)
        route = published.route
        rememberUnplugged(graph)
    }

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

    /// Looks at the graph after something in it changed.
    mutating func look(_ graph: AudioGraph, _ world: RouteWorld, _ actions: inout RouteActions) {
        noteInput(graph, world)
        if !isGateClosed { noteLeft(graph, world, &actions) }
        switch phase {
        case .settled:
            let observed = observe(graph, world)
            notice(observed, graph, world, &actions)
            if world.isChoice || world.choosing == id { follow(observed, graph, world, &actions) }
        case .suspecting, .asleep: break
        case .switching: endSwitch(graph, world)
        case .settling(let lost, let quietUntil, let until):
            if world.isNews, quietUntil != nil || isBouncing(observe(graph, world), world) {
                let quiet = max(quietUntil ?? world.now, world.now + RouteLimits.quiet)
                phase = .settling(lost: lost, quietUntil: quiet, until: until)
            }
            noteDeparture(graph, world, &actions)
            if world.choosing == id { follow(observe(graph, world), graph, world, &actions) }
        }
        if phase != .settled, !isAsleep { actions.append(.barrier) }
    }

    /// Tells a choice at once, unless something else is under way.
    private mutating func follow(
        _ chosen: RouteObservation, _ graph: AudioGraph, _ world: RouteWorld, _ actions: inout RouteActions
    ) {
        guard case .settling(nil, nil, _) = phase else { return }
        let former = published.outputs
        settle(chosen, graph, world, &actions)
        left = former.filter { !published.outputs.contains($0) && !isGone($0, graph) }
    }

    /// Decides what can be decided now that the daemon has told everything, or a time is up.
    mutating func conclude(_ graph: AudioGraph, _ world: RouteWorld, _ actions: inout RouteActions) {
        guard !isAsleep else { return }
        if case .switching(let until) = phase, until <= world.now { giveUpSwitch(graph, world, &actions) }
        var observed = observe(graph, world)
        if world.isAtBarrier { left = [] }
        if case .suspecting(let end, let since, let until) = phase {
            judge(end, since, until, observed, graph, world, &actions)
            observed = observe(graph, world)
        }
        if phase == .settled, let heldUntil = published.heldUntil, heldUntil <= world.now {
            notice(observed, graph, world, &actions)
        }
        settle(observed, graph, world, &actions)
    }

    /// Tells the change that is under way, if everything that belongs to it has come.
    private mutating func settle(
        _ observed: RouteObservation, _ graph: AudioGraph, _ world: RouteWorld, _ actions: inout RouteActions
    ) {
        guard case .settling(let lost, let quietUntil, let until) = phase else { return }
        if let quietUntil, world.now < quietUntil {
            guard world.now >= until else { return }
            // The session manager may remove default and links for a moment. That extends the wait, once.
            let last = lastUntil ?? until + RouteLimits.change
            if targets.output != .unused, observed.outputs.isEmpty, !world.available.outputs.isEmpty, until < last {
                lastUntil = last
                phase = .settling(lost: lost, quietUntil: quietUntil, until: min(quietUntil, last))
                return
            }
        }
        let hasLost = hasJustLost(within: RouteLimits.change, world)
        let isSettled =
            world.isSettled(observed, hasLost: hasLost)
            && (!hasLost || isAtRest(observed, graph, world))
            && (!opensWhenSettled || isOnTarget(observed, graph, world))
            && !(isCategoryNew && world.isSwitchingAny)
        guard isSettled || world.now >= until else {
            phase = .settling(lost: lost, quietUntil: nil, until: until)
            return
        }
        tell(observed, lost: lost, graph, world, &actions)
    }

    private func observe(_ graph: AudioGraph, _ world: RouteWorld) -> RouteObservation {
        let sinks = links.isEmpty ? [] : Set(links.values.map(\.inputNode)).sorted()
        var observation = graph.observe(
            sinks: sinks, sources: sources.sorted(), isLinking: isLinking, targets, world.available.survey)
        holdInput(&observation, graph, world)
        guard !lostOutputs.isEmpty else { return observation }
        let isLost = { (end: RouteEnd) in lostOutputs[end.port.uid] != nil && graph.isUnplugged(end.port) }
        let count = observation.outputs.count
        observation.outputs.removeAll(where: isLost)
        guard observation.outputs.isEmpty, count > 0 else { return observation }
        // A stream with a target node stays linked to that node although its jack is empty.
        observation.outputs = graph.defaultEnds(.output, world.available.survey).filter { !isLost($0) }
        // The session manager has yet to choose another sink for one that stays there with nothing in its jack.
        if observation.outputs.isEmpty, !world.available.outputs.isEmpty { observation.areOutputsComplete = false }
        return observation
    }

    /// Whether the session manager has finished its answer to a loss. It may choose another sink in between, for the default and
    /// for each stream separately.
    private func isAtRest(_ observed: RouteObservation, _ graph: AudioGraph, _ world: RouteWorld) -> Bool {
        graph.isDefaultOutputExpected(world.available.survey)
            && observed.outputs.allSatisfy { isAsked($0) || $0.port.nodeName == graph.defaultSinkName }
    }

    private func isAsked(_ end: RouteEnd) -> Bool {
        if case .port(let port) = targets.output { port.nodeName == end.port.nodeName } else { false }
    }

    /// Whether streams are linked or a link is expected. A stream that lost its output pauses, and WirePlumber 0.5.8 links it only
    /// when it plays again.
    private var isLinking: Bool {
        if case .settling(_?, _, _) = phase, links.isEmpty { return false }
        return !streams.isEmpty
    }

    /// Sets other targets without publishing a change.
    mutating func adopt(_ targets: RouteTargets, _ graph: AudioGraph, _ world: RouteWorld) {
        self.targets = targets
        guard phase == .settled else { return }
        published = observe(graph, world)
        rememberUnplugged(graph)
    }

    private mutating func notice(
        _ observed: RouteObservation, _ graph: AudioGraph, _ world: RouteWorld, _ actions: inout RouteActions
    ) {
        let isGone = gone(graph) != nil
        if isGone, noteDeparture(graph, world, &actions) { return }
        if isGone || observed.outputs != published.outputs || observed.inputs != published.inputs
            || isCategoryNew
        {
            let isQuietNeeded = isGone || isBouncing(observed, world) || isLeavingJack(observed, graph, world)
            phase = .settling(
                lost: nil, quietUntil: isQuietNeeded ? world.now + RouteLimits.quiet : nil,
                until: world.now + RouteLimits.change)
        } else {
            if published.heldUntil != observed.heldUntil { published.heldUntil = observed.heldUntil }
            if observed.heldUntil == nil { inputLoss = nil }
        }
    }

    private mutating func tell(
        _ observed: RouteObservation, lost: PortDescription?, _ graph: AudioGraph, _ world: RouteWorld,
        _ actions: inout RouteActions
    ) {
        let previous = route
        published = observed
        let current = route
        if !previous.outputs.elementsEqual(current.outputs, by: { $0.uid == $1.uid }) {
            formerOutputs = previous.outputs
            lastChange = world.now
            // The session manager may be late.
            wasLastChangeMove = lost != nil || world.hasMoved(within: RouteLimits.arrival)
        }
        var reason = RouteComparison(
            previous: previous, current: current, lost: lost, needs: needs, isMovedByHand: isMovedByHand(graph)
        )
        .reason(in: world)
        let isTold = isCategoryNew || !previous.isSame(as: current)
        if let expected = expectation, lost == nil, expected.explains(reason, previous, current, world.now) {
            reason = expected.reason
            expectation = nil
        } else if isTold, !isCategoryNew, isFoundAfterSleep(world), reason != .noSuitableRouteForCategory {
            reason = .wakeFromSleep
        }
        if isCategoryNew, lost == nil, reason.yieldsToCategory { reason = .categoryChange }
        isCategoryNew = false
        if observed.heldUntil == nil { inputLoss = nil }
        lastUntil = nil
        phase = .settled
        toldLosses = []
        for port in current.outputs { lostOutputs[port.uid] = nil }
        rememberUnplugged(graph)
        // After a loss that was reported, only a sleep has closed it since.
        let opens = isGateClosed
        (opensWhenSettled, isGateClosed) = (false, false)
        guard isTold else {
            if lost != nil {
                actions.append(.routeRegained(id))
            } else if opens {
                openGate(&actions)
            }
            return
        }
        if opens, lost == nil { openGate(&actions) }
        actions.append(
            .routeChanged(id, RouteChange(reason: reason, previous: previous, current: current, time: world.now)))
        if opens, lost != nil { openGate(&actions) }
    }

    /// The directions that must have a port.
    private var needs: [PortDirection] {
        id == .machine ? [.output] : PortDirection.allCases.filter { targets[$0] != .unused }
    }

    /// Whether the user moved a stream: it plays neither to the default nor to its target.
    private func isMovedByHand(_ graph: AudioGraph) -> Bool {
        guard !links.isEmpty else { return false }
        return published.outputs.contains { !isAsked($0) && $0.port.nodeName != graph.defaultSinkName }
    }

    private mutating func rememberUnplugged(_ graph: AudioGraph) {
        knownUnplugged = []
        for end in published.outputs where graph.isUnplugged(end.port) { knownUnplugged.insert(end.port.uid) }
    }
}
