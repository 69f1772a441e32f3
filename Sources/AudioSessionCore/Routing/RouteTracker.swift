/// Follows one route through a change: from the first sign, over what the session manager does about it, to the one
/// event that a program is told.
struct RouteTracker: Sendable {
    let id: FollowerID
    /// The nodes of the follower's running streams.
    var streams: Set<ObjectID> = []
    /// Links from those streams, by id.
    var links: [ObjectID: Link] = [:]
    /// `node.name` of what the follower records from, if that is not the default.
    var source: String?
    /// Why the next change comes, if it comes soon: the follower asked for it.
    var expectation: RouteExpectation?
    /// What was last told.
    private(set) var published: RouteObservation { didSet { route = published.route } }
    /// Of that: it is asked for at every event, and takes memory to make.
    private(set) var route: RouteDescription
    private(set) var phase = Phase.settled
    /// Ends whose jack was already empty when the route was told: that is no news.
    private var knownUnplugged: Set<String> = []
    /// Outputs that were lost or bounce, and have not come back yet, and when they went.
    private(set) var lostOutputs: [String: MonotonicTime] = [:]
    /// Of those in use, the ones that were told to be lost.
    private var toldLosses: Set<String> = []
    private(set) var lastLoss: (uid: String, time: MonotonicTime)?
    /// What a choice was told to have left, until all news is known that was there before it: it may have been no choice.
    private var left: [RouteEnd] = []
    /// When the input that was last told went; `nil`: it is there.
    private var inputLoss: MonotonicTime?
    /// When other outputs were last told.
    private(set) var lastChange: MonotonicTime?
    /// Whether something had come or gone before that, and may have been its cause.
    private(set) var wasLastChangeMove = false
    /// The outputs in use before the last thing was plugged in.
    private(set) var formerOutputs: [PortDescription] = []

    enum Phase: Sendable, Hashable {
        /// What was told holds.
        case settled
        /// The node in use went, but its device did not, or its owner may only be restarting: decided by what follows.
        case suspecting(RouteEnd, since: MonotonicTime, until: MonotonicTime)
        /// A change is under way.
        case settling(lost: PortDescription?, quietUntil: MonotonicTime?, until: MonotonicTime)
    }

    init(id: FollowerID, graph: AudioGraph, ports: PortSurvey) {
        self.id = id
        published = graph.observe(sinks: [], isLinking: false, ports)
        route = published.route
        rememberUnplugged(graph)
    }

    var isSuspecting: Bool { if case .suspecting = phase { true } else { false } }

    var deadline: MonotonicTime? {
        switch phase {
        case .settled: published.heldUntil
        case .suspecting(_, _, let until): until
        case .settling(_, let quietUntil, let until): min(quietUntil ?? until, until)
        }
    }

    /// Looks at the graph after something in it changed.
    mutating func look(_ world: RouteWorld, _ actions: inout [RouteAction]) {
        noteInput(world)
        noteLeft(world, &actions)
        switch phase {
        case .settled:
            let observed = observe(world)
            notice(observed, world, &actions)
            if world.isChoice { follow(observed, world, &actions) }
        case .suspecting: break
        case .settling(let lost, let quietUntil, let until):
            if world.isNews, quietUntil != nil || isBouncing(observe(world), world) {
                let quiet = max(quietUntil ?? world.now, world.now + Limits.quiet)
                phase = .settling(lost: lost, quietUntil: quiet, until: until)
            }
            if let end = gone(world.graph) { part(from: end, world, &actions) }
        }
        if phase != .settled { actions.append(.barrier) }
    }

    /// Tells a choice at once.
    private mutating func follow(_ chosen: RouteObservation, _ world: RouteWorld, _ actions: inout [RouteAction]) {
        guard case .settling(nil, nil, _) = phase else { return }
        let former = published.outputs
        settle(chosen, world, &actions)
        left = former.filter { !published.outputs.contains($0) && !isGone($0, world.graph) }
    }

    /// Decides what can be decided now that the daemon has told everything, or a time is up.
    mutating func conclude(_ world: RouteWorld, _ actions: inout [RouteAction]) {
        let observed = observe(world)
        if world.isAtBarrier { left = [] }
        if case .suspecting(let end, let since, let until) = phase {
            judge(end, since, until, observed, world, &actions)
        }
        if phase == .settled, let heldUntil = published.heldUntil, heldUntil <= world.now {
            notice(observed, world, &actions)
        }
        settle(observed, world, &actions)
    }

    /// Tells the change that is under way, if everything that belongs to it has come.
    private mutating func settle(
        _ observed: RouteObservation, _ world: RouteWorld, _ actions: inout [RouteAction]
    ) {
        guard case .settling(let lost, let quietUntil, let until) = phase else { return }
        if let quietUntil, world.now < quietUntil {
            guard world.now >= until else { return }
            // A session manager that goes back and forth for ever keeps nothing back; but while it does so there may be no
            // default for a moment, and no link.
            if observed.outputs.isEmpty, !world.available.outputs.isEmpty {
                phase = .settling(lost: lost, quietUntil: quietUntil, until: quietUntil)
                return
            }
        }
        guard world.isSettled(observed, hasLost: hasJustLost(within: Limits.change, world)) || world.now >= until
        else {
            phase = .settling(lost: lost, quietUntil: nil, until: until)
            return
        }
        tell(observed, lost: lost, world, &actions)
    }

    private func observe(_ world: RouteWorld) -> RouteObservation {
        let sinks = Set(links.values.map(\.inputNode)).sorted()
        var observation = world.graph.observe(
            sinks: sinks, isLinking: !streams.isEmpty, source: source, world.available.survey)
        holdInput(&observation, world)
        guard !lostOutputs.isEmpty else { return observation }
        let count = observation.outputs.count
        observation.outputs.removeAll { lostOutputs[$0.port.uid] != nil && world.graph.isUnplugged($0.port) }
        // The session manager has yet to choose another sink for one that stays there with nothing in its jack.
        if observation.outputs.isEmpty, count > 0, !world.available.outputs.isEmpty {
            observation.areOutputsComplete = false
        }
        return observation
    }

    /// An input that went with the session manager is told as it was, for as long as it may come back with it: devices come
    /// one by one, and another input, or none, would be told in between.
    private func holdInput(_ observation: inout RouteObservation, _ world: RouteWorld) {
        guard let inputLoss, let input = published.inputs.first else { return }
        let uids = Set(observation.inputs.map(\.port.uid))
        let isChosen =
            source != nil && expectation.map { world.now < $0.until && !$0.ports.isDisjoint(with: uids) } ?? false
        guard !uids.contains(input.port.uid), !isChosen, !world.isSwitching(input.port),
            let deadline = world.inputReturnDeadline(of: input, lost: inputLoss)
        else { return }
        observation.inputs = published.inputs
        observation.areInputsComplete = true
        observation.heldUntil = deadline
    }

    /// Another object may have the number of one that went. So whether it is back is seen by what is observed.
    private mutating func noteInput(_ world: RouteWorld) {
        let isThere = published.inputs.allSatisfy { world.graph.nodes[$0.node] != nil }
        if inputLoss == nil, !isThere || world.sessionManager.lossTime != nil { inputLoss = world.now }
    }

    /// Who comes while the machine's input is held begins with the same.
    mutating func holdInput(of machine: Self) {
        guard machine.published.heldUntil != nil else { return }
        (published.inputs, published.heldUntil) = (machine.published.inputs, machine.published.heldUntil)
        inputLoss = machine.inputLoss
    }

    private mutating func notice(
        _ observed: RouteObservation, _ world: RouteWorld, _ actions: inout [RouteAction]
    ) {
        let gone = gone(world.graph)
        if let gone, part(from: gone, world, &actions) { return }
        if gone != nil || observed.outputs != published.outputs || observed.inputs != published.inputs {
            let isQuietNeeded = gone != nil || isBouncing(observed, world) || isLeavingJack(observed, world)
            phase = .settling(
                lost: nil, quietUntil: isQuietNeeded ? world.now + Limits.quiet : nil,
                until: world.now + Limits.change)
        } else {
            if published.heldUntil != observed.heldUntil { published.heldUntil = observed.heldUntil }
            if observed.heldUntil == nil { inputLoss = nil }
        }
    }

    /// The first output in use that has gone.
    func gone(_ graph: AudioGraph) -> RouteEnd? {
        endsInUse.first { end in
            isGone(end, graph) && (graph.nodes[end.node] == nil || !knownUnplugged.contains(end.port.uid))
        }
    }

    private func isGone(_ end: RouteEnd, _ graph: AudioGraph) -> Bool {
        graph.nodes[end.node] == nil || graph.isUnplugged(end.port)
    }

    /// Defaults come over a connection of their own, and may overtake what they are the answer to.
    private mutating func noteLeft(_ world: RouteWorld, _ actions: inout [RouteAction]) {
        guard let end = left.first(where: { isGone($0, world.graph) }) else { return }
        left = []
        actions.append(.becameNoisy(id, end.port, world.now))
    }

    /// Whether an event, before anybody has thought about it, means that the output in use may be gone.
    func isEndangered(by event: GraphEvent, _ world: RouteWorld) -> Bool {
        endsInUse.contains { end in
            guard end.isEndangered(by: event, except: knownUnplugged) else { return false }
            return event == .disappeared(end.node) || !isBounce(end.port, world)
        }
    }

    /// Without what was told to be lost, of which more news may follow: who goes on without it has its gate open.
    var endsInUse: [RouteEnd] {
        toldLosses.isEmpty ? published.outputs : published.outputs.filter { !toldLosses.contains($0.port.uid) }
    }

    /// - Returns: whether that may be a loss. A jack that bounces is none, but what is out of it is out: its session manager
    ///   may have missed that, and stay there. What is played to a node that goes may be sent anywhere first.
    @discardableResult
    private mutating func part(
        from end: RouteEnd, _ world: RouteWorld, _ actions: inout [RouteAction]
    ) -> Bool {
        if isBounce(end.port, world), streams.isEmpty || world.graph.nodes[end.node] != nil {
            lostOutputs[end.port.uid] = departure(of: end.port.uid, world)
            return false
        }
        lose(end, world, &actions)
        return true
    }

    private mutating func lose(_ end: RouteEnd, _ world: RouteWorld, _ actions: inout [RouteAction]) {
        actions.append(.closeGate(id))
        if world.graph.isUnplugged(end.port) {
            confirm(end, world, &actions)
        } else {
            let limit = world.isSwitching(end.port) ? Limits.profile : Limits.suspicion
            phase = .suspecting(end, since: world.now, until: world.now + limit)
        }
    }

    private mutating func confirm(_ end: RouteEnd, _ world: RouteWorld, _ actions: inout [RouteAction]) {
        actions.append(.becameNoisy(id, end.port, world.now))
        lostOutputs[end.port.uid] = world.now
        toldLosses.insert(end.port.uid)
        lastLoss = (end.port.uid, world.now)
        phase = .settling(lost: end.port, quietUntil: nil, until: world.now + Limits.change)
    }

    /// Decides whether the device of a node that went is gone as well.
    private mutating func judge(
        _ end: RouteEnd, _ since: MonotonicTime, _ until: MonotonicTime, _ observed: RouteObservation,
        _ world: RouteWorld, _ actions: inout [RouteAction]
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
        } else if let back = back(end, since, world) {
            // Its node has another number now. By the old one it would be missed again until links are settled.
            published.outputs = published.outputs.map { $0.port.uid == end.port.uid ? back : $0 }
            goOn(world, &actions)
        } else if world.sessionManager.lossTime != nil {
            // Its devices go with it and come back with it. Nothing sounds meanwhile, so there is no haste.
            phase = .suspecting(end, since: since, until: world.now + Limits.suspicion)
        } else if let deadline = world.returnDeadline(of: end, lost: since) {
            if world.now >= until, world.lacksDefault { actions.append(.readDefaults) }
            // What moved just now keeps it from being settled, and may be the last news.
            phase = .suspecting(end, since: since, until: min(deadline, world.now + Limits.change))
        } else if world.now >= until || world.isAtBarrier && !isTouch && world.isCertainlyGone(end) {
            confirm(end, world, &actions)
        }
    }

    private mutating func goOn(_ world: RouteWorld, _ actions: inout [RouteAction]) {
        actions.append(.openGate(id))
        phase = .settling(lost: nil, quietUntil: nil, until: world.now + Limits.change)
    }

    /// The end, if it has come back with its session manager. That one need not link streams which ran before it
    /// (WirePlumber 0.4 does not), so what sounds by default has to do.
    private func back(_ end: RouteEnd, _ since: MonotonicTime, _ world: RouteWorld) -> RouteEnd? {
        guard world.returnDeadline(of: end, lost: since) != nil else { return nil }
        var byDefault = world.graph.observe(sinks: [], isLinking: false, world.available.survey)
        // The output is the matter, and inputs may come later.
        byDefault.areInputsComplete = true
        guard world.isSettled(byDefault) else { return nil }
        return byDefault.outputs.first { $0.port.uid == end.port.uid }
    }

    private mutating func tell(
        _ observed: RouteObservation, lost: PortDescription?, _ world: RouteWorld, _ actions: inout [RouteAction]
    ) {
        let previous = route
        let current = observed.route
        if previous.outputs.map(\.uid) != current.outputs.map(\.uid) {
            formerOutputs = previous.outputs
            lastChange = world.now
            // The session manager may be late.
            wasLastChangeMove = lost != nil || world.hasMoved(within: Limits.arrival)
        }
        var reason = RouteComparison(previous: previous, current: current, lost: lost, world: world).reason
        if let expected = expectation, lost == nil, expected.explains(reason, previous, current, world.now) {
            reason = expected.reason
            expectation = nil
        }
        published = observed
        if observed.heldUntil == nil { inputLoss = nil }
        phase = .settled
        toldLosses = []
        for port in current.outputs { lostOutputs[port.uid] = nil }
        rememberUnplugged(world.graph)
        guard !previous.isSame(as: current) else {
            if lost != nil { actions.append(.routeRegained(id, world.now)) }
            return
        }
        actions.append(
            .routeChanged(id, RouteChange(reason: reason, previous: previous, current: current, time: world.now)))
    }

    private mutating func rememberUnplugged(_ graph: AudioGraph) {
        knownUnplugged = Set(published.outputs.lazy.map(\.port).filter(graph.isUnplugged).map(\.uid))
    }
}

extension RouteEnd {
    fileprivate func isEndangered(by event: GraphEvent, except knownUnplugged: Set<String>) -> Bool {
        switch event {
        case .disappeared(let id):
            return node == id
        case .deviceRoutes(let id, let routes):
            guard device == id, !port.type.isBuiltIn, !knownUnplugged.contains(port.uid) else { return false }
            return routes.contains {
                $0.name == port.routeName && $0.direction == .output && $0.availability == .no
            }
        default:
            return false
        }
    }
}
