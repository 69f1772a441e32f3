import AudioSessionCore
import AudioSessions
import Glibc
import PipeWireGraph

/// Streams of other programs, on a simulated PipeWire.
final class FakeStreams: Sendable {
    private struct State {
        var events: [GraphEvent] = []
        var volumes: [ObjectID: [[Float]]] = [:]
        var connections: [FakeStreamConnection] = []
        var loop: LoopActor?
    }

    private let state = Locked(State())

    /// A stream that plays at full volume, by default of this process.
    static func stream(
        _ id: UInt32, client: UInt32 = 20, process: Int = Int(getpid()), isOfLibrary: Bool = false
    ) -> [GraphEvent] {
        var properties: Properties = [
            .mediaClass: "Stream/Output/Audio", .clientID: "\(client)", .objectSerial: "\(id)00",
            .applicationName: "player",
        ]
        if isOfLibrary { properties[.sessionStream] = "true" }
        let node = ObjectID(id)
        return [
            .clientAppeared(Client(id: ObjectID(client), applicationName: "player", processID: process)),
            .nodeAppeared(Node(id: node, properties: properties)), .nodeProperties(node, properties),
            .nodeMuted(node, false), .nodeVolumes(node, [1]), .nodeState(node, .running),
        ]
    }

    /// Reports this to all current and future connections. Returns when the current ones have
    /// received it.
    func send(_ events: [GraphEvent]) async {
        let loop = state.withLock { state in
            state.events += events
            return state.loop
        }
        await loop?.run { [self] in
            for connection in state.withLock(\.connections) where !connection.isClosed { connection.deliver(events) }
        }
    }

    /// The volumes of a stream that replace its own.
    func softVolumes(of id: UInt32) -> [Float]? { allSoftVolumes(of: id).last }

    /// All that were written for a stream, in order.
    func allSoftVolumes(of id: UInt32) -> [[Float]] { state.withLock { $0.volumes[ObjectID(id)] ?? [] } }

    func connect(
        _ executor: LoopExecutor, _ receive: @escaping (GraphEvent) -> Void
    ) -> any GraphConnection {
        let connection = FakeStreamConnection(on: executor, receive) { [self] id, volumes in
            state.withLock { $0.volumes[id, default: []].append(volumes) }
        }
        state.withLock { state in
            connection.send(state.events)
            state.connections.append(connection)
            state.loop = LoopActor(executor: executor)
        }
        return connection
    }
}

private actor LoopActor {
    private let executor: LoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(executor: LoopExecutor) { self.executor = executor }

    func run(_ body: @Sendable () -> Void) { body() }
}

/// Reports every event in order, never from within a call.
private final class FakeStreamConnection: GraphConnection {
    private final class Token: AnnouncedObject {}

    private let receive: (GraphEvent) -> Void
    private let write: (ObjectID, [Float]) -> Void
    private var queue: [GraphEvent] = []
    private var timer: LoopTimer?
    private(set) var isClosed = false

    init(
        on executor: LoopExecutor, _ receive: @escaping (GraphEvent) -> Void,
        _ write: @escaping (ObjectID, [Float]) -> Void
    ) {
        self.receive = receive
        self.write = write
        timer = LoopTimer(on: executor) { [weak self] in self?.drain() }
    }

    private func drain() {
        while !isClosed, !queue.isEmpty { receive(queue.removeFirst()) }
    }

    func send(_ events: [GraphEvent]) {
        queue += events
        timer?.arm(after: .zero)
    }

    /// Reports these events after all earlier ones, before it returns. It must not be called from
    /// within an event.
    func deliver(_ events: [GraphEvent]) {
        queue += events
        drain()
    }

    func watch() throws(PipeWireError) {}

    var isEnumerating: Bool { false }
    let refusedCount: UInt64 = 0

    let end = ConnectionEnd()

    func close() {
        isClosed = true
        timer = nil
        end.pass()
    }

    var identity: ConnectionIdentity { ConnectionIdentity(cookie: 1, client: ObjectID(99)) }

    func announce(
        _ announcement: Announcement, failed: @escaping () -> Void
    ) throws(PipeWireError) -> any AnnouncedObject { Token() }

    func perform(_ command: GraphCommand) {
        switch command {
        case .barrier(let barrier): send([.barrier(barrier)])
        case .setSoftVolumes(let id, let volumes, _): write(id, volumes)
        default: break
        }
    }
}
