import AudioSessionCore

extension AudioGraph {
    /// Applies an event to the graph of a fake system.
    mutating func apply(_ event: GraphEvent) {
        switch event {
        case .nodeProperties(let id, let properties): nodes[id] = Node(id: id, properties: properties)
        case .deviceProperties(let id, let properties):
            var device = devices[id] ?? Device(id: id, properties: properties)
            device.properties = properties
            devices[id] = device
        case .deviceRoutes(let id, let routes): devices[id]?.routes = routes
        case .deviceActiveRoutes(let id, let routes): devices[id]?.activeRoutes = routes
        case .deviceProfiles(let id, let profiles): devices[id]?.profiles = profiles
        case .deviceActiveProfile(let id, let profile): devices[id]?.activeProfile = profile
        case .linkAppeared(let link): links[link.id] = link
        case .clientAppeared(let client): clients[client.id] = client
        case .defaultChanged(.output, let name): defaultSinkName = name
        case .defaultChanged(.input, let name): defaultSourceName = name
        case .configuredDefaultChanged(.output, let name): configuredSinkName = name
        case .configuredDefaultChanged(.input, let name): configuredSourceName = name
        case .nodeState(let id, let state):
            if state == .running { runningNodes.insert(id) } else { runningNodes.remove(id) }
        case .nodeMuted(let id, let isMuted):
            if isMuted { mutedNodes.insert(id) } else { mutedNodes.remove(id) }
        case .nodeVolumes(let id, let volumes): self.volumes[id] = volumes
        case .silentModeChanged(let isOn): isSilentMode = isOn
        case .clockChanged(let clock): self.clock = clock
        case .disappeared(let id):
            nodes[id] = nil
            mutedNodes.remove(id)
            volumes[id] = nil
            runningNodes.remove(id)
            devices[id] = nil
            links[id] = nil
            clients[id] = nil
        case .nodeAppeared, .deviceAppeared, .sessionObjectAppeared, .metadataAppeared, .barrier: break
        }
    }

    /// Events that activate the best device routes of these cards where others are active.
    func bestRoutes(of cards: [ObjectID]) -> [GraphEvent] {
        cards.compactMap { devices[$0] }.compactMap { device in
            let best = nodes.values.sorted { $0.id < $1.id }.filter { $0.deviceID == device.id }
                .compactMap { bestRoute(of: $0, device) }
            return best == device.activeRoutes ? nil : .deviceActiveRoutes(device.id, best)
        }
    }

    /// The event of a card that switches its device route; `nil` if it has no such route.
    func switching(_ device: ObjectID, toRoute index: Int, number: Int) -> GraphEvent? {
        guard let card = devices[device], var route = card.routes.first(where: { $0.index == index }) else {
            return nil
        }
        route.device = number
        let others = card.activeRoutes.filter { $0.device != number || $0.direction != route.direction }
        return .deviceActiveRoutes(device, others + [route])
    }

    /// The event of a card that activates the first device route of this name; `nil` if no node can
    /// use it.
    func switching(_ card: Device, toRoute name: String) -> GraphEvent? {
        guard let route = card.routes.first(where: { $0.name == name }) else { return nil }
        let node = nodes.values.sorted { $0.id < $1.id }.first { node in
            node.deviceID == card.id && node.mediaClass?.directions.contains(route.direction) == true
                && routes(thatCanServe: node, of: card, direction: route.direction).contains(route)
        }
        guard let number = node?.profileDevice ?? route.devices.first else { return nil }
        return switching(card.id, toRoute: route.index, number: number)
    }

    /// The events that restore the mixer of a node that is removed now.
    func mixerEvents(of node: Node) -> [GraphEvent] {
        let volumes = volumes[node.id].map { [GraphEvent.nodeVolumes(node.id, $0)] } ?? []
        return mutedNodes.contains(node.id) ? volumes + [.nodeMuted(node.id, true)] : volumes
    }

    /// The events of a node that is muted or unmuted. A card's mute belongs to the active device
    /// route of the node.
    func muting(_ node: Node, _ isMuted: Bool) -> [GraphEvent] {
        let direction = node.mediaClass?.directions.first ?? .output
        guard let device = device(of: node), let number = node.profileDevice,
            let place = device.activeRoutes.firstIndex(where: { $0.direction == direction && $0.device == number })
        else { return [.nodeMuted(node.id, isMuted)] }
        var routes = device.activeRoutes
        routes[place].isMuted = isMuted
        let event = GraphEvent.deviceActiveRoutes(device.id, routes)
        // A dump may contain the card's mute at the node, too.
        return !isMuted && mutedNodes.contains(node.id) ? [event, .nodeMuted(node.id, false)] : [event]
    }

    /// The event of a card or a node that executes a command; `nil` if the command has no effect.
    func obeying(_ command: GraphCommand) -> GraphEvent? {
        switch command {
        case .setRouteVolumes(let device, let index, let number, let volumes):
            guard var routes = devices[device]?.activeRoutes,
                let place = routes.firstIndex(where: { $0.index == index && $0.device == number })
            else { return nil }
            routes[place].volumes = volumes
            return .deviceActiveRoutes(device, routes)
        case .setNodeVolumes(let node, let volumes): return nodes[node].map { .nodeVolumes($0.id, volumes) }
        default: return nil
        }
    }

    /// Events that select other defaults. A default changes if it is removed or unavailable, or if
    /// a better node was plugged in.
    func bestDefaults() -> [GraphEvent] {
        PortDirection.allCases.compactMap { direction in
            let name = bestNode(direction)
            return name == defaultName(direction) ? nil : .defaultChanged(direction, name)
        }
    }

    private func bestRoute(of node: Node, _ device: Device) -> DeviceRoute? {
        guard let direction = node.mediaClass?.directions.first, let number = node.profileDevice else { return nil }
        let serving = routes(thatCanServe: node, of: device, direction: direction)
        let usable = serving.filter { $0.availability != .no }
        var best = (usable.isEmpty ? serving : usable).max {
            ($0.availability == .yes ? 1 : 0, $0.priority) < ($1.availability == .yes ? 1 : 0, $1.priority)
        }
        best?.device = number
        // A route that stays active keeps its mute state and its volume.
        let former = device.activeRoutes.first { $0.device == number && best.map($0.isSame) == true }
        best?.isMuted = former?.isMuted ?? false
        best?.volumes = former?.volumes ?? []
        return best
    }

    private func bestNode(_ direction: PortDirection) -> String? {
        let usable = nodes.values.filter { node in
            guard let port = port(for: node, direction: direction) else { return false }
            return availablePorts(direction).contains { $0.uid == port.uid }
        }
        if let chosen = usable.first(where: { $0.name == configuredName(direction) }) { return chosen.name }
        return usable.max {
            (($0.properties.integer(.prioritySession) ?? 0), $1.id) < (
                ($1.properties.integer(.prioritySession) ?? 0), $0.id
            )
        }?.name
    }
}

// MARK: - Stored volumes

/// The last volumes and mutes of a computer's device routes, which a session manager stores.
struct RouteMixers: Sendable {
    private struct Key: Sendable, Hashable {
        let device: ObjectID
        let index: Int
        let number: Int?
    }

    private var stored: [Key: DeviceRoute] = [:]

    /// Stores the mixers of a device's active routes.
    mutating func keep(_ routes: [DeviceRoute], of device: ObjectID) {
        for route in routes { stored[Key(device: device, index: route.index, number: route.device)] = route }
    }

    /// Returns active routes with their stored mixers.
    func restored(_ routes: [DeviceRoute], of device: ObjectID) -> [DeviceRoute] {
        routes.map { route in
            guard let last = stored[Key(device: device, index: route.index, number: route.device)] else {
                return route
            }
            var route = route
            route.volumes = last.volumes
            route.isMuted = last.isMuted
            return route
        }
    }
}

// MARK: - Names in the calls of a test

extension AudioGraph {
    /// Returns the cards that have a device route of this name.
    ///
    /// - Parameter device: the only card that is meant; `nil` for all.
    func cards(withRoute name: String, device: String?) -> [Device] {
        if let device, self.device(named: device) == nil {
            failUnknown("device", device, among: devices.values.compactMap(\.name))
        }
        let cards = devices.values.filter { device == nil || $0.name == device }
        let found = cards.filter { $0.routes.contains { $0.name == name } }
        if found.isEmpty { failUnknown("device route", name, among: cards.flatMap { $0.routes.map(\.name) }) }
        return found
    }

    /// Returns the nodes of this name.
    func nodes(named name: String) -> [Node] {
        let found = nodes.known(as: name).filter { $0.name == name }
        if found.isEmpty { failUnknown("node", name, among: nodes.values.compactMap(\.name)) }
        return found
    }
}

/// Ends the process, because a test whose call has no effect could pass without testing anything.
func failUnknown(_ kind: String, _ name: String, among names: [String]) -> Never {
    let known = Set(names).sorted().joined(separator: ", ")
    fatalError("This FakeAudioSystem has no \(kind) “\(name)” now. It has: \(known.isEmpty ? "none" : known).")
}
