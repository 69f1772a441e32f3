/// The state machine that builds an ``AudioGraph`` from PipeWire's events, and detects when it is
/// complete.
///
/// A device appears before its routes are known. Such a device waits outside the graph with its
/// nodes. Nothing is published before the first sync has ended.
package struct RegistryStateMachine: Sendable {
    package private(set) var graph = AudioGraph()
    /// Whether the graph is complete. It stays complete.
    package private(set) var isSynchronized = false
    private var halfKnownDevices: [ObjectID: Device] = [:]
    private var nodesOfHalfKnownDevices: [ObjectID: Node] = [:]
    /// The playback streams among such nodes that the present event has put into the graph.
    private var releasedStreams: [ObjectID] = []
    /// The objects that are tokens.
    private var tokens: Set<ObjectID> = []
    private var election = SessionManagerElection()
    private var devices = ObjectAccounts(limit: GraphLimits.devices, ofOneProcess: GraphLimits.devicesOfOneProcess)
    private var nodes = ObjectAccounts(limit: GraphLimits.nodes, ofOneProcess: GraphLimits.nodesOfOneProcess)
    private var routeCounts: [ObjectID: (all: Int, active: Int)] = [:]
    private var routeCount = 0
    /// The number of objects and routes of other programs above the limits.
    package private(set) var refusedCount: UInt64 = 0

    /// The rounds receive the globals, then the properties of bound objects, then the parameters
    /// that these announced.
    private static let initialRounds = 3

    package init() {}

    /// Returns the commands that begin the initial sync. The function is called once, when the
    /// registry was requested.
    package func start() -> [GraphCommand] { [.barrier(.initial(round: 1))] }

    /// Returns the commands that query the session manager's defaults. The known defaults stay
    /// until the session manager has sent others.
    package func readDefaults() -> [GraphCommand] {
        election.winner.map { [.readDefaults(of: $0.metadata)] } ?? []
    }

    /// Applies an event to the graph.
    /// - Returns: The change and its commands; `nil` without a change. Cards send their profile
    ///   again when only its availability has changed, and nodes send their volume and mute when
    ///   only one of them has.
    package mutating func apply(_ event: GraphEvent) -> GraphChange? {
        let former = graph.sessionManager
        guard var change = classify(event) else { return nil }
        if graph.sessionManager != former { change.effects.insert(.sessionManager) }
        if !releasedStreams.isEmpty { (change.heldStreams, releasedStreams) = (releasedStreams, []) }
        return change
    }

    private mutating func classify(_ event: GraphEvent) -> GraphChange? {
        switch event {
        case .deviceAppeared(let id, let properties) where properties.announces(.token),
            .sessionObjectAppeared(let id, let properties) where properties.announces(.token):
            tokens.insert(id)
            return GraphChange(.appeared(id, properties))
        case .disappeared(let id) where tokens.remove(id) != nil: return GraphChange(.vanished(id))
        case .barrier(.token(let name)): return GraphChange(.echoed(name))
        // The node is bound already, and its properties follow.
        case .nodeAppeared: return GraphChange([])
        case .nodeProperties(let id, let properties):
            return GraphChange([.node, .streams, .laterNumbers, .inputs], id, .everything)
                .asking(learned(id, properties))
        case .nodeState(let id, let state):
            learned(id, state)
            return GraphChange([.streams, .laterNumbers], id)
        case .nodeMuted(let id, let isMuted):
            guard isKnown(id), graph.mutedNodes.contains(id) != isMuted else { return nil }
            if isMuted { graph.mutedNodes.insert(id) } else { graph.mutedNodes.remove(id) }
            return GraphChange([.mixer, .mutes, .inputs], id)
        case .nodeVolumes(let id, let volumes):
            guard isKnown(id), graph.volumes[id] != volumes else { return nil }
            graph.volumes[id] = volumes
            return GraphChange(.mixer, id)
        case .deviceAppeared(let id, let properties):
            return announced(id, properties, .everything).asking(appeared(id, properties))
        case .sessionObjectAppeared(let id, let properties): return announced(id, properties, .nothing)
        case .deviceProperties(let id, let properties):
            update(id) { $0.properties = properties }
            return GraphChange(.device, id, .everything)
                .asking(halfKnownDevices[id] == nil ? [] : [.barrier(.device(id))])
        case .deviceRoutes(let id, let routes):
            let routes = admit(routes, \.all, of: id)
            update(id) { $0.learn(routes: routes) }
            return GraphChange([.device, .jacks, .moves, .inputs], id, .device(id))
        case .deviceActiveRoutes(let id, let routes):
            let routes = admit(routes, \.active, of: id)
            update(id) { $0.learn(activeRoutes: routes) }
            return GraphChange([.device, .mutes, .numbers, .inputs], id, .device(id))
        case .deviceProfiles(let id, let profiles):
            guard graph.devices[id].map({ $0.profiles != profiles }) ?? true else { return nil }
            update(id) { $0.profiles = profiles }
            return GraphChange(.device, id, .device(id))
        case .deviceActiveProfile(let id, let profile):
            let former = graph.devices[id]
            guard former.map({ $0.activeProfile != profile }) ?? true else { return nil }
            update(id) { $0.activeProfile = profile }
            let isOther = former.map { $0.activeProfile?.index != profile?.index } ?? false
            return GraphChange(isOther ? [.device, .moves, .profile] : [.device, .moves], id, .device(id))
        case .linkAppeared(let link): return appeared(link)
        case .clientAppeared(let client):
            graph.clients[client.id] = client
            return GraphChange([])
        case .metadataAppeared(let id, let properties):
            return GraphChange([.defaults, .inputs], id).asking(appearedMetadata(id, properties))
        case .defaultChanged(let direction, let name): return defaultChanged(direction, name)
        case .configuredDefaultChanged(let direction, let name):
            guard graph.configuredName(direction) != name else { return nil }
            if direction == .output { graph.configuredSinkName = name } else { graph.configuredSourceName = name }
            var change = GraphChange(.configuredDefault)
            change.direction = direction
            return change
        case .silentModeChanged(let isOn):
            graph.isSilentMode = isOn
            return GraphChange(.settings)
        case .clockChanged(let clock):
            graph.clock = clock
            return GraphChange([.numbers, .laterNumbers])
        case .disappeared(let id):
            return GraphChange(
                [.disappearance, .streams, .mutes, .settings, .laterNumbers, .inputs], id, .everything
            ).asking(disappeared(id))
        case .barrier(let barrier): return answered(barrier)
        }
    }

    private func announced(_ id: ObjectID, _ properties: Properties, _ survey: CatalogInvalidation) -> GraphChange {
        var change = GraphChange([], id, survey)
        change.announcement = properties
        return change
    }

    private mutating func appeared(_ link: Link) -> GraphChange? {
        guard graph.links.hasRoom(for: link, isKnown: { hasRoomForLinks($0) }) else {
            refusedCount &+= 1
            return nil
        }
        graph.links[link.id] = link
        let commands = electing { $0.appeared(link: link.id, of: link.client, $1) }
        var change = GraphChange([.mutes, .laterNumbers, .inputs], link.id, .everything)
        change.link = link
        return change.asking(commands)
    }

    private mutating func defaultChanged(_ direction: PortDirection, _ name: String?) -> GraphChange {
        var change = GraphChange([.defaults, .mutes, .numbers])
        change.direction = direction
        if let former = graph.defaultName(direction), former != name { change.formerDefault = former }
        if direction == .output { graph.defaultSinkName = name } else { graph.defaultSourceName = name }
        return change
    }

    private mutating func answered(_ barrier: Barrier) -> GraphChange {
        let commands = passed(barrier)
        var change = GraphChange([])
        if case .device(let id) = barrier { change = GraphChange([.newDevice, .streams, .inputs], id, .everything) }
        change.barrier = barrier
        return change.asking(commands)
    }

    private mutating func learned(_ id: ObjectID, _ properties: Properties) -> [GraphCommand] {
        let node = Node(id: id, properties: properties)
        let isNew = !isKnown(id)
        guard !isNew || node.mediaClass != nil else { return [] }
        guard !isNew || admit(node) else {
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

    /// Whether a node was admitted and is present.
    private func isKnown(_ node: ObjectID) -> Bool {
        graph.nodes.contains(node) || nodesOfHalfKnownDevices[node] != nil
    }

    /// Whether a node has room for some links in any case. Links of the initial sync arrive before
    /// the properties of their nodes.
    private func hasRoomForLinks(_ node: ObjectID) -> Bool {
        isSynchronized ? isKnown(node) : graph.links.count < GraphLimits.linksBeforeSync
    }

    private mutating func learned(_ id: ObjectID, _ state: NodeState) {
        if state == .running { graph.runningNodes.insert(id) } else { graph.runningNodes.remove(id) }
    }

    /// Adds an audio device and binds it. Other devices are not bound: cameras have no relevant
    /// properties, and tokens have all of theirs in the registry. Those of sandboxed programs are
    /// no cards, and PipeWire reads nothing from a program while a device's owner owes it an
    /// answer.
    private mutating func appeared(_ id: ObjectID, _ properties: Properties) -> [GraphCommand] {
        guard properties[.mediaClass] == Device.mediaClass else { return [] }
        let client = properties.objectID(.clientID)
        guard client.flatMap({ graph.clients[$0]?.isSandboxed }) != true else { return [] }
        guard devices.admit(id, of: client.map(graph.clients.process(of:))) else {
            refusedCount &+= 1
            return []
        }
        let commands = electing { $0.appeared(device: id, of: client, $1) }
        halfKnownDevices[id] = Device(id: id, properties: properties)
        return commands + [.bind(id, .device)]
    }

    /// Returns the routes within the limits, and updates the counts.
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

    /// Adds a node to the account of its creator. PipeWire lets the creator of a node that lingers
    /// choose any `client.id`, or none.
    /// - Returns: Whether there is room for it.
    private mutating func admit(_ node: Node) -> Bool {
        if node.properties.flag(.objectLinger) { return nodes.admit(node.id, of: ObjectAccounts.unknownCreator) }
        return nodes.admit(node.id, of: node.clientID.map(graph.clients.process(of:)), for: node.clientID)
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
            return [.readSettings(of: id)]
        }
        guard properties[.metadataName] == "default" else { return [] }
        let client = properties.objectID(.clientID).flatMap { graph.clients[$0] }
        return electing { election, _ in election.appeared(metadata: id, properties, client: client) }
    }

    /// Applies a change to the election.
    /// - Parameter change: Changes the election, and returns whether the winner has changed.
    private mutating func electing(
        _ change: (inout SessionManagerElection, [ObjectID: Client]) -> Bool
    ) -> [GraphCommand] {
        guard change(&election, graph.clients) else { return [] }
        graph.sessionManager = election.winner?.client
        return readDefaults()
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
            return [.barrier(.initial(round: round + 1))]
        case .initial: isSynchronized = true
        case .device(let id):
            if let device = halfKnownDevices[id] { graph.devices[id] = device }
            forget(device: id)
        case .routes, .ports, .token, .question: break
        }
        return []
    }

    /// Releases the nodes that waited for a device, which is now known or removed.
    private mutating func forget(device id: ObjectID) {
        guard halfKnownDevices.removeValue(forKey: id) != nil else { return }
        for node in nodesOfHalfKnownDevices.values where node.deviceID == id {
            nodesOfHalfKnownDevices[node.id] = nil
            graph.nodes[node.id] = node
            if node.mediaClass == .playbackStream { releasedStreams.append(node.id) }
        }
    }
}
