/// Builds an ``AudioGraph`` from PipeWire's news, and says when it is whole.
///
/// A device is shown before its routes are known. Such half-known devices wait outside the graph, and their nodes with them, and
/// nothing is to be published before the first sync is over.
package struct RegistryStateMachine: Sendable {
    package private(set) var graph = AudioGraph()
    package private(set) var phase = Phase.idle
    private var halfKnownDevices: [ObjectID: Device] = [:]
    private var nodesOfHalfKnownDevices: [ObjectID: Node] = [:]
    private var election = SessionManagerElection()
    private var devices = ObjectAccounts(limit: GraphLimits.devices, ofOneProcess: GraphLimits.devicesOfOneProcess)
    private var nodes = ObjectAccounts(limit: GraphLimits.nodes, ofOneProcess: GraphLimits.nodesOfOneProcess)
    private var routeCounts: [ObjectID: (all: Int, active: Int)] = [:]
    private var routeCount = 0
    /// How many objects and routes of other programs were left out, because there were too many.
    package private(set) var refusedCount: UInt64 = 0

    package enum Phase: Sendable, Hashable {
        /// Nothing was asked for yet.
        case idle
        /// In this round of the initial sync.
        case synchronizing(round: Int)
        /// The graph is whole, and stays so.
        case synchronized
    }

    /// First the globals come, then what they are bound for, then the parameters that this made known.
    private static let initialRounds = 3

    package init() {}

    package var isSynchronized: Bool { phase == .synchronized }

    /// To be called once, when the registry was asked for.
    package mutating func start() -> [GraphCommand] {
        phase = .synchronizing(round: 1)
        return [.barrier(.initial(round: 1))]
    }

    /// Has everything told again that the session manager says.
    package func readDefaults() -> [GraphCommand] { readSessionManager() }

    /// Takes in what a node's own mixer says: PipeWire tells all of it whenever any of it changes.
    /// - Returns: whether it is news.
    package mutating func learnsVolume(_ event: GraphEvent) -> Bool {
        switch event {
        case .nodeMuted(let id, let isMuted) where graph.mutedNodes.contains(id) != isMuted:
            learned(id, isMuted: isMuted)
        case .nodeVolumes(let id, let volumes) where graph.volumes[id] != volumes: learned(id, volumes: volumes)
        default: return false
        }
        return true
    }

    /// Cards say that their profile changed when only its availability did.
    package func isNews(_ event: GraphEvent) -> Bool {
        switch event {
        case .deviceProfiles(let id, let profiles): graph.devices[id].map { $0.profiles != profiles } ?? true
        case .deviceActiveProfile(let id, let profile): graph.devices[id].map { $0.activeProfile != profile } ?? true
        case .configuredDefaultChanged(let direction, let name): graph.configuredName(direction) != name
        default: true
        }
    }

    package mutating func receive(_ event: GraphEvent) -> [GraphCommand] {
        switch event {
        // It is bound already, and its properties follow.
        case .nodeAppeared: break
        case .sessionObjectAppeared: break
        case .nodeProperties(let id, let properties): return learned(id, properties)
        case .nodeState(let id, let state): learned(id, state)
        case .deviceAppeared(let id, let properties): return appeared(id, properties)
        case .deviceProperties(let id, let properties): return learnedDevice(id, properties)
        case .deviceRoutes(let id, let routes):
            let routes = admit(routes, \.all, of: id)
            update(id) { $0.learn(routes: routes) }
        case .deviceActiveRoutes(let id, let routes):
            let routes = admit(routes, \.active, of: id)
            update(id) { $0.learn(activeRoutes: routes) }
        case .deviceProfiles(let id, let profiles): update(id) { $0.profiles = profiles }
        case .deviceActiveProfile(let id, let profile): update(id) { $0.activeProfile = profile }
        case .linkAppeared(let link):
            graph.links[link.id] = link
            return electing { $0.appeared(owned: link.id, by: link.client, $1) }
        case .clientAppeared(let client): graph.clients[client.id] = client
        case .metadataAppeared(let id, let properties): return appearedMetadata(id, properties)
        case .defaultChanged(.output, let name): graph.defaultSinkName = name
        case .defaultChanged(.input, let name): graph.defaultSourceName = name
        case .configuredDefaultChanged(.output, let name): graph.configuredSinkName = name
        case .configuredDefaultChanged(.input, let name): graph.configuredSourceName = name
        case .nodeMuted, .nodeVolumes: _ = learnsVolume(event)
        case .silentModeChanged(let isOn): graph.isSilentMode = isOn
        case .clockChanged(let clock): graph.clock = clock
        case .disappeared(let id): return disappeared(id)
        case .barrier(let barrier): return passed(barrier)
        }
        return []
    }

    private mutating func learned(_ id: ObjectID, _ properties: Properties) -> [GraphCommand] {
        let node = Node(id: id, properties: properties)
        let isNew = nodesOfHalfKnownDevices[id] == nil && !graph.nodes.contains(id)
        guard !isNew || node.mediaClass != nil else { return [] }
        guard !isNew || nodes.admit(id, of: process(node.clientID)) else {
            refusedCount &+= 1
            return []
        }
        if let device = node.deviceID, halfKnownDevices[device] != nil {
            nodesOfHalfKnownDevices[id] = node
        } else {
            graph.nodes[id] = node
        }
        return isNew && node.mediaClass?.directions.contains(.output) == true ? [.watchMute(id)] : []
    }

    private mutating func learned(_ id: ObjectID, isMuted: Bool) {
        let isKnown = graph.nodes.contains(id) || nodesOfHalfKnownDevices[id] != nil
        if isMuted && isKnown { graph.mutedNodes.insert(id) } else { graph.mutedNodes.remove(id) }
    }

    private mutating func learned(_ id: ObjectID, volumes: [Float]) {
        guard graph.nodes.contains(id) || nodesOfHalfKnownDevices[id] != nil else { return }
        graph.volumes[id] = volumes
    }

    private mutating func learned(_ id: ObjectID, _ state: NodeState) {
        if state == .running { graph.runningNodes.insert(id) } else { graph.runningNodes.remove(id) }
    }

    /// Only audio devices are asked for more: cameras have nothing to tell, and tokens say all in the registry.
    private mutating func appeared(_ id: ObjectID, _ properties: Properties) -> [GraphCommand] {
        guard properties[.mediaClass] == Device.mediaClass else { return [] }
        let client = properties.objectID(.clientID)
        guard devices.admit(id, of: process(client)) else {
            refusedCount &+= 1
            return []
        }
        let commands = electing { $0.appeared(owned: id, by: client, $1) }
        halfKnownDevices[id] = Device(id: id, properties: properties)
        return commands + [.bind(id, .device)]
    }

    /// - Returns: those for which there is room.
    private mutating func admit(
        _ routes: [DeviceRoute], _ list: WritableKeyPath<(all: Int, active: Int), Int>, of id: ObjectID
    ) -> [DeviceRoute] {
        var counts = routeCounts[id] ?? (0, 0)
        routeCount -= counts[keyPath: list]
        let room = min(GraphLimits.routes, GraphLimits.allRoutes - routeCount)
        let admitted = routes.count <= room ? routes : Array(routes.prefix(room))
        refusedCount &+= UInt64(routes.count - admitted.count)
        counts[keyPath: list] = admitted.count
        routeCount += admitted.count
        routeCounts[id] = counts
        return admitted
    }

    private func process(_ client: ObjectID?) -> TokenOwner.Process? {
        client.map { TokenOwner(client: $0, processID: graph.clients[$0]?.processID).process }
    }

    private mutating func learnedDevice(_ id: ObjectID, _ properties: Properties) -> [GraphCommand] {
        update(id) { $0.properties = properties }
        return halfKnownDevices[id] == nil ? [] : [.barrier(.device(id))]
    }

    private mutating func update(_ id: ObjectID, _ change: (inout Device) -> Void) {
        if graph.devices.change(id, change) { return }
        if var device = halfKnownDevices[id] {
            change(&device)
            halfKnownDevices[id] = device
        }
    }

    private mutating func appearedMetadata(_ id: ObjectID, _ properties: Properties) -> [GraphCommand] {
        if properties.areDaemonSettings, graph.settings == nil {
            graph.settings = id
            return [.bind(id, .metadata)]
        }
        guard properties[.metadataName] == "default" else { return [] }
        let client = properties.objectID(.clientID).flatMap { graph.clients[$0] }
        return electing { election, _ in election.appeared(metadata: id, properties, client: client) }
    }

    /// - Parameter change: tells the election something, and returns whether it has another result.
    private mutating func electing(
        _ change: (inout SessionManagerElection, [ObjectID: Client]) -> Bool
    ) -> [GraphCommand] {
        guard change(&election, graph.clients) else { return [] }
        graph.sessionManager = election.winner?.client
        return readSessionManager()
    }

    /// The defaults that are known stay until the session manager has said others.
    private func readSessionManager() -> [GraphCommand] {
        election.winner.map { [.bind($0.metadata, .metadata)] } ?? []
    }

    private mutating func disappeared(_ id: ObjectID) -> [GraphCommand] {
        if election.winner?.metadata == id {
            graph.defaultSinkName = nil
            graph.defaultSourceName = nil
            graph.configuredSinkName = nil
            graph.configuredSourceName = nil
        }
        if graph.settings == id {
            graph.settings = nil
            graph.isSilentMode = false
            graph.clock = ClockSettings()
        }
        devices.remove(id)
        nodes.remove(id)
        if let counts = routeCounts.removeValue(forKey: id) { routeCount -= counts.all + counts.active }
        nodesOfHalfKnownDevices[id] = nil
        forget(device: id)
        graph.nodes[id] = nil
        graph.runningNodes.remove(id)
        graph.mutedNodes.remove(id)
        graph.volumes[id] = nil
        graph.devices[id] = nil
        graph.links[id] = nil
        graph.clients[id] = nil
        return electing { election, _ in election.disappeared(id) }
    }

    private mutating func passed(_ barrier: Barrier) -> [GraphCommand] {
        switch barrier {
        case .initial(let round) where round < Self.initialRounds:
            phase = .synchronizing(round: round + 1)
            return [.barrier(.initial(round: round + 1))]
        case .initial: phase = .synchronized
        case .device(let id):
            if let device = halfKnownDevices[id] { graph.devices[id] = device }
            forget(device: id)
        case .routes, .token, .question: break
        }
        return []
    }

    /// The device is known or gone: its nodes need not wait for it any more.
    private mutating func forget(device id: ObjectID) {
        guard halfKnownDevices.removeValue(forKey: id) != nil else { return }
        for node in nodesOfHalfKnownDevices.values where node.deviceID == id {
            nodesOfHalfKnownDevices[node.id] = nil
            graph.nodes[node.id] = node
        }
    }
}
