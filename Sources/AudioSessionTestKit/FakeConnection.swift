import AudioSessionCore
import AudioSessions
import PipeWireGraph

/// A connection to a fake system. It answers a barrier after it has sent all earlier events.
final class FakeConnection: GraphConnection {
    static let sessionManager = ObjectID(UInt32.max - 1)
    static let metadata = ObjectID(UInt32.max - 2)
    private static let settings = ObjectID(UInt32.max - 3)

    private let executor: InlineExecutor
    private let initial: AudioGraph
    private let cookie: UInt32
    private let receive: (GraphEvent) -> Void
    private let failed: (String) -> Void
    private let setSilentMode: (Bool) -> Void
    private let switchCard: (GraphCommand) -> Void
    private var queue: [GraphEvent] = []
    private var isDraining = false
    private var isWatched = false
    private var isDead = false
    private let board: FakeBoard
    private var client: ObjectID?

    init(
        on executor: InlineExecutor, graph: AudioGraph, cookie: UInt32, board: FakeBoard,
        receive: @escaping (GraphEvent) -> Void,
        failed: @escaping (String) -> Void, setSilentMode: @escaping (Bool) -> Void,
        switchCard: @escaping (GraphCommand) -> Void
    ) {
        self.executor = executor
        initial = graph
        self.cookie = cookie
        self.setSilentMode = setSilentMode
        self.switchCard = switchCard
        self.board = board
        self.receive = receive
        self.failed = failed
    }

    func watch() throws(PipeWireError) {
        isWatched = true
        queue += Self.events(for: initial)
    }

    let end = ConnectionEnd()

    func close() {
        isDead = true
        board.leave(self)
        end.pass()
    }

    /// Devices of a fake system send all their parameters at once.
    var isEnumerating: Bool { false }

    var refusedCount: UInt64 { 0 }

    func become(_ client: ObjectID) { self.client = client }

    /// Queues events that are sent once the connection is watched.
    func expect(_ events: [GraphEvent]) { queue += events }

    var identity: ConnectionIdentity { ConnectionIdentity(cookie: cookie, client: client ?? ObjectID(.max)) }

    func announce(
        _ announcement: Announcement, failed: @escaping () -> Void
    ) throws(PipeWireError) -> any AnnouncedObject {
        board.show(announcement, of: identity.client)
    }

    func perform(_ command: GraphCommand) {
        switch command {
        case .barrier(let barrier): executor.answer { [weak self] in self?.send(.barrier(barrier)) }
        case .setSilentMode(let isOn, _): setSilentMode(isOn)
        case .setRoute, .setProfile, .setRouteVolumes, .setNodeVolumes: switchCard(command)
        case .bind, .readDefaults, .readSettings, .watchMute, .setSoftVolumes: break
        }
    }

    /// Sends an event to connections in the same order as other events. It is queued for all of
    /// them first, because the first one that receives it may react with another event.
    static func send(_ event: GraphEvent, to connections: [FakeConnection], on executor: InlineExecutor) {
        executor.run { for connection in connections { connection.enqueue(event) } }
        for connection in connections { executor.run { connection.deliver() } }
    }

    func send(_ event: GraphEvent) {
        enqueue(event)
        deliver()
    }

    private func enqueue(_ event: GraphEvent) {
        guard isWatched, !isDead else { return }
        queue.append(event)
    }

    /// Sends the queued events, unless one of them is being received.
    private func deliver() {
        guard isWatched, !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        while !isDead, !queue.isEmpty { receive(queue.removeFirst()) }
    }

    func fail() {
        guard !isDead else { return }
        isDead = true
        failed("connection error")
    }

    // MARK: Events for existing objects

    private static func events(for graph: AudioGraph) -> [GraphEvent] {
        let manager = graph.sessionManager ?? sessionManager
        var events: [GraphEvent] = graph.clients.values.sorted { $0.id < $1.id }.map { .clientAppeared($0) }
        events.append(
            .metadataAppeared(metadata, [.metadataName: "default", .clientID: String(manager.rawValue)]))
        events.append(.metadataAppeared(settings, [.metadataName: "settings"]))
        events.append(.silentModeChanged(graph.isSilentMode))
        events.append(.clockChanged(graph.clock))
        for device in graph.devices.values { events += Self.events(for: device) }
        for node in graph.nodes.values.sorted(by: { $0.id < $1.id }) { events += Self.events(for: node) }
        // Mutes and volumes of nodes that have not appeared are ignored.
        events += graph.mutedNodes.sorted().map { .nodeMuted($0, true) }
        events += graph.volumes.sorted { $0.key < $1.key }.map { .nodeVolumes($0.key, $0.value) }
        events += graph.runningNodes.sorted().map { .nodeState($0, .running) }
        events += graph.links.values.sorted { $0.id < $1.id }.map { .linkAppeared($0) }
        for direction in PortDirection.allCases {
            events.append(.configuredDefaultChanged(direction, graph.configuredName(direction)))
            events.append(.defaultChanged(direction, graph.defaultName(direction)))
        }
        return events
    }

    static func events(for device: Device) -> [GraphEvent] {
        var properties = device.properties
        properties[.mediaClass] = "Audio/Device"
        return [
            .deviceAppeared(device.id, properties), .deviceProperties(device.id, properties),
            .deviceProfiles(device.id, device.profiles), .deviceActiveProfile(device.id, device.activeProfile),
            .deviceRoutes(device.id, device.routes), .deviceActiveRoutes(device.id, device.activeRoutes),
        ]
    }

    static func events(for node: Node) -> [GraphEvent] {
        [.nodeProperties(node.id, node.properties)]
    }
}
