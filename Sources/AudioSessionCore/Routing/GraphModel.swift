/// The machine as PipeWire tells of it, and where its sound goes.
///
/// In one value, which cannot be copied: to hand the graph over by a copy takes longer than most news, and so does a copy that
/// is made to ask a question.
package struct GraphModel: ~Copyable, Sendable {
    package private(set) var registry = RegistryStateMachine()
    /// `nil` until everything on the machine is known.
    private var routes: RouteStateMachine?

    package init() {}

    /// Whether everything is known, and routes are followed.
    package var isKnown: Bool { routes != nil }

    /// To be called once, when the registry was asked for.
    package mutating func start() -> [GraphCommand] { registry.start() }

    /// From now on routes are followed: everything is known.
    package mutating func startFollowing(_ followers: [FollowerID], now: MonotonicTime) {
        routes = RouteStateMachine(graph: registry.graph, followers: followers, now: now)
    }

    /// What is known of the machine stays.
    package mutating func stopFollowing() { routes = nil }
}

/// News.
extension GraphModel {
    /// Takes an event in: see ``RegistryStateMachine/apply(_:)``.
    package mutating func apply(_ event: GraphEvent) -> GraphChange? { registry.apply(event) }

    /// What follows for routes.
    package mutating func reroute(
        after change: GraphChange, now: MonotonicTime, isAsking: @autoclosure () -> Bool = false
    ) -> [RouteAction] {
        routes?.receive(change, graph: registry.graph, now: now, isAsking: isAsking()) ?? []
    }

    /// See ``RouteAction/look``.
    package mutating func look(now: MonotonicTime) -> [RouteAction] {
        routes?.look(graph: registry.graph, now: now) ?? []
    }

    /// See ``RouteAction/wake``.
    package mutating func deadlinePassed(now: MonotonicTime) -> [RouteAction] {
        routes?.deadlinePassed(graph: registry.graph, now: now) ?? []
    }

    /// See ``RouteStateMachine/sleep(now:)``.
    package mutating func sleep(now: MonotonicTime) -> [RouteAction] { routes?.sleep(now: now) ?? [] }

    /// See ``RouteStateMachine/wake(graph:now:)``.
    package mutating func wake(now: MonotonicTime) -> [RouteAction] {
        routes?.wake(graph: registry.graph, now: now) ?? []
    }

    /// See ``RouteStateMachine/noteWake(now:)``.
    package mutating func noteWake(now: MonotonicTime) { routes?.noteWake(now: now) }

    package var wakeTime: MonotonicTime? { routes?.wakeTime }

    /// See ``RouteStateMachine/endangered(by:graph:now:)``.
    package mutating func endangered(by change: GraphChange, now: MonotonicTime) -> [FollowerID] {
        routes?.endangered(by: change, graph: registry.graph, now: now) ?? []
    }
}

/// Those who have a route.
extension GraphModel {
    /// See ``RouteStateMachine/snapshot``.
    package var snapshot: (route: RouteDescription, outputs: [PortDescription], inputs: [PortDescription])? {
        routes?.snapshot
    }

    package var isAnythingMuted: Bool { registry.graph.isAnythingMuted }

    package func route(of id: FollowerID) -> RouteDescription { routes?.route(of: id) ?? RouteDescription() }

    /// - Returns: whether the gate has to be closed, because the computer sleeps.
    package mutating func follow(_ id: FollowerID, _ targets: RouteTargets = RouteTargets()) -> Bool {
        routes?.follow(id, targets, graph: registry.graph) ?? false
    }

    package mutating func unfollow(_ id: FollowerID) { routes?.unfollow(id) }

    /// See ``RouteStateMachine/setStreams(_:recordingFrom:of:graph:now:)``.
    package mutating func setStreams(
        _ streams: Set<ObjectID>, recordingFrom sources: Set<ObjectID>, of id: FollowerID, now: MonotonicTime
    ) -> [RouteAction] {
        routes?.setStreams(streams, recordingFrom: sources, of: id, graph: registry.graph, now: now) ?? []
    }

    package mutating func setTargets(_ targets: RouteTargets, of id: FollowerID, now: MonotonicTime) -> [RouteAction]
    {
        routes?.setTargets(targets, of: id, graph: registry.graph, now: now) ?? []
    }

    /// See ``RouteStateMachine/adopt(_:of:graph:now:)``.
    package mutating func adopt(_ targets: RouteTargets, of id: FollowerID, now: MonotonicTime) {
        routes?.adopt(targets, of: id, graph: registry.graph, now: now)
    }

    /// See ``RouteStateMachine/changeCategory(_:of:graph:now:)``.
    package mutating func changeCategory(
        _ targets: RouteTargets, of id: FollowerID, now: MonotonicTime
    ) -> [RouteAction] {
        routes?.changeCategory(targets, of: id, graph: registry.graph, now: now) ?? []
    }

    /// See ``RouteStateMachine/expect(_:to:of:now:)``.
    package mutating func expect(
        _ reason: RouteChangeReason, to ports: Set<String>, of id: FollowerID, now: MonotonicTime
    ) {
        routes?.expect(reason, to: ports, of: id, now: now)
    }

    /// See ``RouteStateMachine/expectSwitch(of:now:)``.
    package mutating func expectSwitch(of device: String, now: MonotonicTime) -> [RouteAction] {
        routes?.expectSwitch(of: device, now: now) ?? []
    }
}
