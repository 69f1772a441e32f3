/// The state machine of all routes: that of the default ports, and that of each participant and
/// session.
///
/// One action of the user causes several PipeWire events: an empty jack, a new route, another
/// default, links. They are one change here. The loss of an output closes the gate at its first
/// sign. The change is notified when the barrier is reached and the session manager has made its
/// choice. A default that is chosen while nothing moves is notified at once.
package struct RouteStateMachine: Sendable {
    /// The trackers in descending order of their ids. Players precede the default route, because
    /// nothing may delay the closing of a gate.
    var trackers: [RouteTracker]
    var context: RouteContext
    /// The nodes and devices whose removal can change a route.
    var relevant: Set<ObjectID>
    /// The links by which filters lead to other nodes.
    var filterLinks: Set<ObjectID>
    var gateTriggers = GateTriggers()
    var isBarrierPending = false
    var isBarrierStale = false
    /// The time of the next ``deadlinePassed(graph:now:)``.
    package internal(set) var wakeTime: MonotonicTime?

    /// Makes the state machine of a known graph.
    /// - Parameters:
    ///   - graph: The whole graph after the initial sync.
    ///   - followers: The followers that exist already, in addition to that of the default ports.
    package init(graph: AudioGraph, followers: [FollowerID] = [], now: MonotonicTime) {
        context = RouteContext(
            available: AvailablePorts(of: graph), sessionManager: SessionManagerPresence(in: graph), now: now)
        relevant = Set(graph.devices.values.map(\.id)).union(graph.nodes.ports.map(\.id))
        filterLinks = Set(graph.linksToRealNodes)
        trackers = [RouteTracker(id: .computer, graph: graph, ports: context.available.survey)]
        for id in followers { follow(id, graph: graph) }
    }

    /// The default route and the available ports of the last notification.
    package var snapshot: (route: RouteDescription, outputs: [PortDescription], inputs: [PortDescription]) {
        (route(of: .computer), context.available.outputs, context.available.inputs)
    }

    /// Adds a follower of a route, by an id that no other follower has.
    /// - Returns: The actions that close its gate, because the computer sleeps or a card switches
    ///   its profile for the target.
    @discardableResult
    package mutating func follow(
        _ id: FollowerID, _ targets: RouteTargets = RouteTargets(), graph: AudioGraph
    ) -> [RouteAction] {
        context.available.evaluate(at: graph)
        var tracker = RouteTracker(id: id, targets: targets, graph: graph, ports: context.available.survey)
        var actions = RouteActions()
        if let computer = index(of: .computer) {
            tracker.holdInput(of: trackers[computer])
            tracker.wakeUntil = trackers[computer].wakeUntil
            if trackers[computer].isAsleep { tracker.sleep(&actions) }
        }
        tracker.joinSwitch(context, &actions)
        trackers.insert(tracker, at: trackers.indices.first { trackers[$0].id < id } ?? trackers.endIndex)
        return tracker.isGateClosed ? inOrder(actions) : []
    }

    package mutating func unfollow(_ id: FollowerID) {
        if let index = index(of: id) { trackers.remove(at: index) }
        gateTriggers.forget(id)
    }

    /// Sets the nodes of a follower's running streams. While it has any, its route is theirs.
    /// - Parameters:
    ///   - streams: The streams that play.
    ///   - sources: The nodes from which its other streams record.
    package mutating func setStreams(
        _ streams: Set<ObjectID>, recordingFrom sources: Set<ObjectID> = [], of id: FollowerID, graph: AudioGraph,
        now: MonotonicTime
    ) -> [RouteAction] {
        guard let index = index(of: id), (trackers[index].streams, trackers[index].sources) != (streams, sources)
        else { return [] }
        trackers[index].sources = sources
        if trackers[index].streams != streams {
            trackers[index].streams = streams
            trackers[index].links = graph.links(from: streams)
        }
        return evaluate(graph, now, hasChanged: false)
    }

    /// Sets a follower's targets, and publishes the change that follows from them.
    package mutating func setTargets(
        _ targets: RouteTargets, of id: FollowerID, graph: AudioGraph, now: MonotonicTime
    ) -> [RouteAction] {
        guard let index = index(of: id), trackers[index].targets != targets else { return [] }
        trackers[index].setTargets(targets, at: now)
        return evaluate(graph, now, choosing: id)
    }

    /// Sets the targets of another category. A change is published even if the ports are the same.
    package mutating func changeCategory(
        _ targets: RouteTargets, of id: FollowerID, graph: AudioGraph, now: MonotonicTime
    ) -> [RouteAction] {
        guard let index = index(of: id) else { return [] }
        trackers[index].setTargets(targets, at: now)
        trackers[index].isCategoryNew = true
        return evaluate(graph, now, choosing: id)
    }

    /// Sets a follower's targets without publishing a change.
    package mutating func adopt(_ targets: RouteTargets, of id: FollowerID, graph: AudioGraph, now: MonotonicTime) {
        guard let index = index(of: id), trackers[index].targets != targets else { return }
        context.now = now
        context.available.evaluate(at: graph)
        trackers[index].adopt(targets, graph, context)
    }

    /// Closes all gates, and publishes nothing until ``wake(graph:now:)``.
    package mutating func sleep(now: MonotonicTime) -> [RouteAction] {
        context.now = now
        var actions = RouteActions()
        for index in trackers.indices { trackers[index].sleep(&actions) }
        return inOrder(actions)
    }

    /// Evaluates all routes after the computer woke up, and opens the gates whose output is still
    /// available.
    package mutating func wake(graph: AudioGraph, now: MonotonicTime) -> [RouteAction] {
        context.now = now
        context.available.evaluate(at: graph)
        var actions = RouteActions()
        for index in trackers.indices { trackers[index].wake(graph, context, &actions) }
        gateTriggers.update(trackers, context, &actions)
        return inOrder(actions)
    }

    /// Gives the reason `wakeFromSleep` to the first change that follows soon.
    package mutating func noteWake(now: MonotonicTime) {
        for index in trackers.indices { trackers[index].wakeUntil = now + RouteLimits.wake }
    }

    private mutating func evaluate(
        _ graph: AudioGraph, _ now: MonotonicTime, choosing id: FollowerID
    ) -> [RouteAction] {
        context.choosing = id
        defer { context.choosing = nil }
        return evaluate(graph, now, hasChanged: false)
    }

    /// Gives this reason to the follower's next change if it follows soon, because it was
    /// requested. A lost output has precedence.
    /// - Parameter ports: The uids of the requested ports.
    package mutating func expect(
        _ reason: RouteChangeReason, to ports: Set<String>, of id: FollowerID, now: MonotonicTime
    ) {
        guard let index = index(of: id) else { return }
        trackers[index].expectation = RouteExpectation(reason: reason, ports: ports, until: now + RouteLimits.request)
    }

    /// Announces a switch of a card's profile. The removal of its nodes does not count as a loss
    /// then.
    package mutating func expectSwitch(of device: String, now: MonotonicTime) -> [RouteAction] {
        context.now = now
        context.switching = context.switching.filter { now < $0.value }
        context.switching[device] = now + RouteLimits.profile
        var actions = RouteActions()
        for index in trackers.indices { trackers[index].beginSwitch(of: device, context, &actions) }
        return inOrder(actions)
    }

    /// Returns the last published route of a follower.
    package func route(of id: FollowerID) -> RouteDescription {
        index(of: id).map { trackers[$0].route } ?? RouteDescription()
    }

    /// Whether a port has become available so recently that the session manager may still respond.
    ///
    /// A session manager that has just started adds ports that were plugged in before, and restores
    /// the user's choice among them.
    package func isNew(_ uid: String, now: MonotonicTime) -> Bool {
        guard context.sessionManager.isSettled(at: now), let arrival = context.available.arrival(of: uid) else {
            return false
        }
        return now.since(arrival) < RouteLimits.arrival
    }

    private func index(of id: FollowerID) -> Int? { trackers.indices.first { trackers[$0].id == id } }

    /// Returns the followers whose gate must close at once, before further evaluation. Gates that
    /// are closed already are left out.
    /// - Parameter graph: The graph after the change.
    package mutating func endangered(
        by change: GraphChange, graph: AudioGraph, now: MonotonicTime
    ) -> [FollowerID] {
        let isGone = change.effects.contains(.disappearance) && change.object.map(isRelevant) ?? false
        guard isGone || change.effects.contains(.jacks) else { return [] }
        context.now = now
        return trackers.indices.filter { trackers[$0].closeGate(ifLost: graph, context) }.map { trackers[$0].id }
    }

    /// Returns the ports of the graph, without classifying again what has not changed.
    mutating func catalog(of graph: AudioGraph) -> PortCatalog {
        context.available.evaluate(at: graph)
        return context.available.survey
    }

    /// Receives a change of the graph.
    /// - Parameters:
    ///   - graph: The graph after the change.
    ///   - isAsking: Whether a device announced a change whose content has not arrived yet.
    package mutating func receive(
        _ change: GraphChange, graph: AudioGraph, now: MonotonicTime, isAsking: @autoclosure () -> Bool = false
    ) -> [RouteAction] {
        if change.endsRouteChange { return passedBarrier(graph, now) }
        context.now = now
        let isConcerned = concerns(change, graph)
        context.available.note(change.survey, isConcerned: isConcerned)
        guard isConcerned else { return [] }
        context.isChoice = isChoice(change) && !isAsking()
        defer { context.isChoice = false }
        context.available.evaluate(at: graph)
        guard !isBarrierPending else { return evaluate(graph: graph, now: now) }
        context.available.makeLists(now, reprofiled: context.profileChangesByName(in: graph))
        // The loss of an output in use is notified before its removal from the list.
        guard context.available.isUnreported,
            !trackers.indices.contains(where: { trackers[$0].gone(graph, context) != nil })
        else { return evaluate(graph: graph, now: now) }
        return takePortsChange() ? [.availablePortsChanged, .evaluate] : evaluate(graph: graph, now: now)
    }
}
