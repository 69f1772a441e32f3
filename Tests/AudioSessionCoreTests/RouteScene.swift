import AudioSessionCore
import Testing

extension RegistryStateMachine {
    /// The queries that an event causes.
    mutating func receive(_ event: GraphEvent) -> [GraphCommand] { apply(event)?.commands ?? [] }
}

extension RouteAction {
    var isBarrier: Bool { if case .barrier = self { true } else { false } }
}

/// A simulated computer: it emits events, runs the registry and the routes over them, and rejects
/// impossible ones.
struct RouteScene {
    private var lastFollower: UInt64 = 0
    /// The triggers that close each follower's gate without a query.
    private(set) var gateTriggers: [FollowerID: [ObjectID]] = [:]
    var registry = RegistryStateMachine()
    var routes: RouteStateMachine
    var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    /// The notifications since the last ``takeEvents()``, gates included.
    private(set) var received: [RouteAction] = []
    private var pendingBarriers: [Barrier] = []
    private(set) var wakeTime: MonotonicTime?
    /// Whether a device has announced a change whose parameters are still to be read.
    var isAsking = false

    init(_ events: [GraphEvent]) {
        var registry = RegistryStateMachine()
        var barriers = registry.start()
        for event in events { barriers += registry.receive(event) }
        while !registry.isSynchronized {
            let commands = barriers
            barriers = []
            for case .barrier(let barrier) in commands { barriers += registry.receive(.barrier(barrier)) }
        }
        self.registry = registry
        routes = RouteStateMachine(graph: registry.graph, now: now)
    }

    /// Emits events, each one millisecond after the last.
    mutating func emit(_ events: GraphEvent..., after delay: Duration = .milliseconds(1)) {
        for event in events {
            now = now + delay
            guard let change = registry.apply(event) else { continue }
            received += routes.endangered(by: change, graph: registry.graph, now: now).map { .closeGate($0) }
            for case .barrier(let barrier) in change.commands { pendingBarriers.append(barrier) }
            run(routes.receive(change, graph: registry.graph, now: now, isAsking: isAsking))
        }
    }

    /// The user chooses another default output, and the session manager applies it.
    mutating func choose(_ sink: String) {
        emit(.configuredDefaultChanged(.output, sink))
        emit(.defaultChanged(.output, sink))
    }

    /// The daemon answers all pending queries.
    mutating func settle() {
        while !pendingBarriers.isEmpty {
            let barrier = pendingBarriers.removeFirst()
            emit(.barrier(barrier), after: .microseconds(50))
        }
    }

    /// Advances the clock, and fires the deadlines on the way.
    mutating func advance(by duration: Duration) {
        let end = now + duration
        while let wake = wakeTime, wake <= end {
            now = max(now, wake)
            wakeTime = nil
            run(routes.deadlinePassed(graph: registry.graph, now: now))
        }
        now = end
    }

    /// logind announces that the computer is about to sleep.
    mutating func sleep() { run(routes.sleep(now: now)) }

    /// The computer wakes up, and logind announces it.
    mutating func wake() {
        routes.noteWake(now: now)
        run(routes.wake(graph: registry.graph, now: now))
        settle()
    }

    mutating func takeEvents() -> [RouteAction] {
        defer { received = [] }
        return received
    }

    /// Adds a session without streams.
    mutating func open(_ targets: RouteTargets) -> FollowerID {
        lastFollower += 1
        let id = FollowerID(lastFollower, .session)
        routes.follow(id, targets, graph: registry.graph)
        return id
    }

    /// Plays with one stream on this node.
    mutating func play(on sink: UInt32, stream: UInt32 = 900, link: UInt32 = 901) -> FollowerID {
        lastFollower += 1
        let id = FollowerID(lastFollower)
        routes.follow(id, graph: registry.graph)
        run(routes.setStreams([ObjectID(stream)], of: id, graph: registry.graph, now: now))
        emit(.linkAppeared(Link(id: ObjectID(link), outputNode: ObjectID(stream), inputNode: ObjectID(sink))))
        settle()
        return id
    }

    mutating func run(_ actions: [RouteAction]) {
        for action in actions {
            switch action {
            case .barrier(let barrier):
                #expect(
                    !pendingBarriers.contains(.routes) && !pendingBarriers.contains(.ports),
                    "asked for a barrier while one is under way")
                pendingBarriers.append(barrier)
            case .wake: wakeTime = routes.wakeTime
            case .evaluate: run(routes.evaluate(graph: registry.graph, now: now))
            case .setGateTriggers(let id, let nodes): gateTriggers[id] = nodes
            default: received.append(action)
            }
        }
    }
}

extension RouteScene {
    /// The changes of the computer's route that were notified since the last call: reason, outputs
    /// before and after.
    mutating func takeChanges(of id: FollowerID = .computer) -> [Notification] {
        takeEvents().compactMap { action in
            switch action {
            case .closeGate(id): .gateClosed
            case .openGate(id): .gateOpened
            case .becameNoisy(id, let port, _): .noisy(port.type)
            case .routeChanged(id, let change):
                .change(change.reason, change.previous.outputs.map(\.type), change.current.outputs.map(\.type))
            default: nil
            }
        }
    }

    /// The available port of a type.
    func port(_ type: PortType) -> PortDescription? {
        (registry.graph.availablePorts(.output) + registry.graph.availablePorts(.input)).first { $0.type == type }
    }

    /// The types of a route's inputs and outputs.
    func types(of id: FollowerID) -> [[PortType]] {
        let route = routes.route(of: id)
        return [route.inputs.map(\.type), route.outputs.map(\.type)]
    }

    enum Notification: Equatable {
        case gateClosed, gateOpened
        case noisy(PortType)
        case change(RouteChangeReason, [PortType], [PortType])
    }
}

extension RouteScene {
    /// A laptop that has been running, with headphones in its jack.
    static func listening() -> RouteScene {
        var scene = RouteScene(Laptop.events)
        scene.emit(.deviceRoutes(ObjectID(Laptop.device), Laptop.routes(headphones: .yes)))
        scene.emit(.deviceActiveRoutes(ObjectID(Laptop.device), Laptop.listening))
        scene.settle()
        scene.advance(by: .seconds(10))
        _ = scene.takeEvents()
        return scene
    }

    /// The player becomes silent, as it does at a loss.
    mutating func stop(_ player: FollowerID) {
        run(routes.setStreams([], of: player, graph: registry.graph, now: now).filter { !$0.isBarrier })
    }

    /// The player creates another stream, and the session manager links it.
    mutating func link(_ player: FollowerID, stream: UInt32, to sink: UInt32) {
        run(routes.setStreams([ObjectID(stream)], of: player, graph: registry.graph, now: now))
        emit(.linkAppeared(Link(id: ObjectID(stream + 1), outputNode: ObjectID(stream), inputNode: ObjectID(sink))))
        settle()
    }
}

extension RouteScene.Notification {
    /// The outputs after a change.
    var outputs: [PortType]? { if case .change(_, _, let outputs) = self { outputs } else { nil } }
}
