import AudioSessionCore
import AudioSessionTestKit
import PipeWireGraph
import Testing

/// The graph as an ordinary program sees it, kept up to date, and a way to wait for a state of it.
actor GraphObserver {
    private let executor: LoopExecutor
    private var connection: Connection?
    private(set) var graph = AudioGraph()
    private var waiting: [Int: Expectation] = [:]
    private var next = 0

    private struct Expectation {
        let condition: @Sendable (AudioGraph) -> Bool
        let answer: CheckedContinuation<Bool, Never>
        let deadline: LoopTimer?
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(remote: String) async throws {
        executor = try LoopExecutor()
        let connection = try Connection(
            Connection.Options(remote: remote, applicationName: "observer"), on: executor,
            receive: { [weak self] event in self?.assumeIsolated { $0.receive(event) } })
        try connection.watch()
        self.connection = connection
    }

    isolated deinit {
        waiting = [:]
        connection = nil
    }

    /// Waits until the graph satisfies the condition; a named failure otherwise.
    func expect(
        _ what: Comment, within limit: Duration = .seconds(30), sourceLocation: SourceLocation = #_sourceLocation,
        _ condition: @escaping @Sendable (AudioGraph) -> Bool
    ) async {
        if condition(graph) { return }
        let id = next
        next += 1
        let deadline = LoopTimer(on: executor) { [weak self] in self?.assumeIsolated { $0.end(id, false) } }
        deadline?.arm(after: limit)
        let isMet = await withCheckedContinuation {
            waiting[id] = Expectation(condition: condition, answer: $0, deadline: deadline)
        }
        #expect(isMet, "\(what) — instead: \(graph.summary)", sourceLocation: sourceLocation)
    }

    private func end(_ id: Int, _ isMet: Bool) {
        waiting.removeValue(forKey: id)?.answer.resume(returning: isMet)
    }

    private func receive(_ event: GraphEvent) {
        apply(event)
        for (id, entry) in waiting where entry.condition(graph) { end(id, true) }
    }

    private func apply(_ event: GraphEvent) {
        switch event {
        case .nodeAppeared(let node):
            graph.nodes[node.id] = node
            connection?.perform(.bind(node.id, .node))
        case .nodeProperties(let id, let properties): graph.nodes[id]?.properties = properties
        case .deviceAppeared(let id, let properties):
            graph.devices[id] = Device(id: id, properties: properties)
            connection?.perform(.bind(id, .device))
        case .deviceProperties(let id, let properties): graph.devices[id]?.properties = properties
        case .deviceRoutes(let id, let routes): graph.devices[id]?.routes = routes
        case .deviceActiveRoutes(let id, let routes): graph.devices[id]?.activeRoutes = routes
        case .deviceProfiles(let id, let profiles): graph.devices[id]?.profiles = profiles
        case .deviceActiveProfile(let id, let profile): graph.devices[id]?.activeProfile = profile
        case .linkAppeared(let link): graph.links[link.id] = link
        case .metadataAppeared(let id, let properties) where properties[.metadataName] == "default":
            connection?.perform(.readDefaults(of: id))
        case .defaultChanged(.output, let name): graph.defaultSinkName = name
        case .defaultChanged(.input, let name): graph.defaultSourceName = name
        case .disappeared(let id):
            graph.nodes[id] = nil
            graph.devices[id] = nil
            graph.links[id] = nil
        default: break
        }
    }
}

extension AudioGraph {
    func device(_ name: String) -> Device? { devices.values.first { $0.name == name } }

    func node(_ name: String) -> Node? { nodes.values.first { $0.name == name } }

    /// Names of the routes in use on a device.
    func activeRoutes(_ device: String) -> Set<String> {
        Set(self.device(device)?.activeRoutes.map(\.name) ?? [])
    }

    var summary: String {
        let devices = self.devices.values.map {
            "\($0.name ?? "?") profile \($0.activeProfile?.name ?? "-") routes \($0.activeRoutes.map(\.name))"
        }
        return "sink \(defaultSinkName ?? "-"), source \(defaultSourceName ?? "-"), devices \(devices.sorted()), "
            + "nodes \(nodes.values.compactMap(\.name).sorted())"
    }
}
