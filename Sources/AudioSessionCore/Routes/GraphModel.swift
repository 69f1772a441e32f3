/// The graph and all routes in it.
///
/// It cannot be copied, because a copy for each event or query would take longer than handling most
/// events. Most functions only pass the graph to the routes. An actor that stores the model could
/// not do so itself, because its accesses to the two would overlap.
package struct GraphModel: ~Copyable, Sendable {
    package private(set) var registry = RegistryStateMachine()
    /// The routes; `nil` until all objects are known.
    private var routes: RouteStateMachine?

    package init() {}

    /// Whether all objects are known, and routes are followed.
    package var isKnown: Bool { routes != nil }

    /// Begins to follow routes, because all objects are known.
    package mutating func startFollowing(_ followers: [FollowerID], now: MonotonicTime) {
        routes = RouteStateMachine(graph: registry.graph, followers: followers, now: now)
    }

    /// Stops following routes, and keeps the graph.
    package mutating func stopFollowing() { routes = nil }
}

/// This extension receives events.
extension GraphModel {
    /// Applies an event: see ``RegistryStateMachine/apply(_:)``.
    package mutating func apply(_ event: GraphEvent) -> GraphChange? { registry.apply(event) }

    /// Evaluates the routes after a change.
    package mutating func reroute(
        after change: GraphChange, now: MonotonicTime, isAsking: @autoclosure () -> Bool = false
    ) -> [RouteAction] {
        routes?.receive(change, graph: registry.graph, now: now, isAsking: isAsking()) ?? []
    }

    /// Evaluates the routes at the request of ``RouteAction/evaluate``.
    package mutating func evaluate(now: MonotonicTime) -> [RouteAction] {
        routes?.evaluate(graph: registry.graph, now: now) ?? []
    }

    /// Evaluates the routes at the deadline of ``RouteAction/wake``.
    package mutating func deadlinePassed(now: MonotonicTime) -> [RouteAction] {
        routes?.deadlinePassed(graph: registry.graph, now: now) ?? []
    }

    /// Begins the computer's sleep: see ``RouteStateMachine/sleep(now:)``.
    package mutating func sleep(now: MonotonicTime) -> [RouteAction] { routes?.sleep(now: now) ?? [] }

    /// Ends the computer's sleep: see ``RouteStateMachine/wake(graph:now:)``.
    package mutating func wake(now: MonotonicTime) -> [RouteAction] {
        routes?.wake(graph: registry.graph, now: now) ?? []
    }

    /// Records the end of a sleep: see ``RouteStateMachine/noteWake(now:)``.
    package mutating func noteWake(now: MonotonicTime) { routes?.noteWake(now: now) }

    package var wakeTime: MonotonicTime? { routes?.wakeTime }

    /// The time of the last evaluation; `nil` until all objects are known.
    package var routeChangeTime: MonotonicTime? { routes?.context.now }

    /// Returns the followers whose output is lost: see
    /// ``RouteStateMachine/endangered(by:graph:now:)``.
    package mutating func endangered(by change: GraphChange, now: MonotonicTime) -> [FollowerID] {
        routes?.endangered(by: change, graph: registry.graph, now: now) ?? []
    }
}

/// This extension manages the followers.
extension GraphModel {
    /// The published route and available ports: see ``RouteStateMachine/snapshot``.
    package var snapshot: (route: RouteDescription, outputs: [PortDescription], inputs: [PortDescription])? {
        routes?.snapshot
    }

    /// Whether a port has just become available: see ``RouteStateMachine/isNew(_:now:)``.
    package func isNew(_ uid: String, now: MonotonicTime) -> Bool { routes?.isNew(uid, now: now) ?? false }

    /// Observes the input of a stream: see ``AudioGraph/observeInput(of:former:_:)``.
    package mutating func observeInput(of stream: ObjectID?, former: PortDescription?) -> InputObservation {
        let catalog = routes?.catalog(of: registry.graph) ?? PortCatalog(of: registry.graph)
        return registry.graph.observeInput(of: stream, former: former, catalog)
    }

    /// Returns a follower's route; `nil` until all objects are known.
    package func route(of id: FollowerID) -> RouteDescription? { routes?.route(of: id) }

    /// Adds a follower of a route: see ``RouteStateMachine/follow(_:_:graph:)``.
    package mutating func follow(_ id: FollowerID, _ targets: RouteTargets = RouteTargets()) -> [RouteAction] {
        routes?.follow(id, targets, graph: registry.graph) ?? []
    }

    package mutating func unfollow(_ id: FollowerID) { routes?.unfollow(id) }

    /// Sets a follower's streams: see
    /// ``RouteStateMachine/setStreams(_:recordingFrom:of:graph:now:)``.
    package mutating func setStreams(
        _ streams: Set<ObjectID>, recordingFrom sources: Set<ObjectID>, of id: FollowerID, now: MonotonicTime
    ) -> [RouteAction] {
        routes?.setStreams(streams, recordingFrom: sources, of: id, graph: registry.graph, now: now) ?? []
    }

    package mutating func setTargets(_ targets: RouteTargets, of id: FollowerID, now: MonotonicTime) -> [RouteAction]
    {
        routes?.setTargets(targets, of: id, graph: registry.graph, now: now) ?? []
    }

    /// Sets a follower's targets silently: see ``RouteStateMachine/adopt(_:of:graph:now:)``.
    package mutating func adopt(_ targets: RouteTargets, of id: FollowerID, now: MonotonicTime) {
        routes?.adopt(targets, of: id, graph: registry.graph, now: now)
    }

    /// Sets the targets of a new category: see
    /// ``RouteStateMachine/changeCategory(_:of:graph:now:)``.
    package mutating func changeCategory(
        _ targets: RouteTargets, of id: FollowerID, now: MonotonicTime
    ) -> [RouteAction] {
        routes?.changeCategory(targets, of: id, graph: registry.graph, now: now) ?? []
    }

    /// Sets the reason of an expected change: see ``RouteStateMachine/expect(_:to:of:now:)``.
    package mutating func expect(
        _ reason: RouteChangeReason, to ports: Set<String>, of id: FollowerID, now: MonotonicTime
    ) {
        routes?.expect(reason, to: ports, of: id, now: now)
    }

    /// Announces a switch of a card's profile: see ``RouteStateMachine/expectSwitch(of:now:)``.
    package mutating func expectSwitch(of device: String, now: MonotonicTime) -> [RouteAction] {
        routes?.expectSwitch(of: device, now: now) ?? []
    }
}
