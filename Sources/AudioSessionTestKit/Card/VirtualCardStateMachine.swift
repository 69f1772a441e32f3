package import AudioSessionCore
package import PipeWireGraph

/// Decides what a virtual card does: what it shows, which nodes it has, what it answers to the session manager. Does
/// no I/O; the actions that it returns are to be run in their order.
package struct VirtualCardStateMachine: Sendable {
    package enum Input: Sendable, Hashable {
        case sessionManagerAppeared
        /// The card goes with its session manager, as real cards do, whose devices live in that program.
        case sessionManagerDisappeared
        /// Where the machine's sound goes by default, or comes from; `false`: nowhere.
        case defaultChosen(PortDirection, Bool)
        case deviceBound(ObjectID)
        /// Somebody else destroyed the device, or the daemon refused it.
        case deviceLost
        case profileRequested(index: Int, save: Bool)
        case routeRequested(ExportedDevice.RouteRequest)
        /// Position of the node in the description.
        case nodeBound(Int, ObjectID)
        case nodeLost(Int)
        /// Position of the route in the description.
        case availability(Int, Availability)
        /// The plug is pulled: all goes.
        case remove
        case add
        case connectionLost
    }

    package enum Action: Sendable, Hashable {
        /// Export the device; ``VirtualCardStateMachine/parameters`` is what it shows.
        case exportDevice
        case withdrawDevice
        /// Show ``VirtualCardStateMachine/parameters`` anew.
        case show(Set<DeviceParameter>)
        case createNode(Int)
        case destroyNode(Int)
        case setVolume(node: Int, volume: Float, isMuted: Bool)
    }

    /// What there is of one node of the description.
    package struct Node: Sendable, Hashable {
        /// Whether the active profile brings it.
        package var exists = false
        package var id: ObjectID?
        /// Position of the active route in the description.
        package var route: Int?
        /// Whether the session manager chose the route.
        package var isRouteChosen = false
        package var isSaved = false
        package var volume: Float = 1
        package var isMuted = false
    }

    package let description: VirtualCardDescription
    /// Whether the plug is in.
    package private(set) var isPlugged = true
    package private(set) var hasSessionManager = false
    /// The directions in which the session manager has chosen some node, of whatever card, for all who have no wish.
    private var defaults: Set<PortDirection> = []
    package private(set) var isExported = false
    package private(set) var device: ObjectID?
    /// Position of the active profile in the description.
    package private(set) var profile: Int
    package private(set) var isProfileSaved = false
    package private(set) var isProfileChosen = false
    package private(set) var nodes: [Node]
    /// What is in the jacks; ``availability(of:)`` is what the card shows of it.
    package private(set) var plugged: [Availability]

    package init(_ description: VirtualCardDescription) {
        self.description = description
        profile = description.profiles.firstIndex { $0.name == description.initialProfile } ?? 0
        nodes = description.nodes.map { _ in Node() }
        plugged = description.routes.map { Availability($0.availability) }
    }

    package mutating func receive(_ input: Input) -> [Action] {
        switch input {
        case .sessionManagerAppeared:
            hasSessionManager = true
            return appear()
        case .sessionManagerDisappeared:
            hasSessionManager = false
            defaults = []
            return vanish()
        case .defaultChosen(let direction, let isAny):
            if isAny { defaults.insert(direction) } else { defaults.remove(direction) }
            return []
        case .deviceBound(let id):
            guard isExported else { return [] }
            device = id
            return createNodes()
        case .deviceLost:
            isPlugged = false
            return vanish()
        case .profileRequested(let index, let save): return choose(profile: index, save: save)
        case .routeRequested(let request): return choose(request)
        case .nodeBound(let node, let id):
            guard nodes[node].exists else { return [] }
            nodes[node].id = id
            return [setVolume(of: node)]
        case .nodeLost(let node):
            nodes[node] = Node()
            return [.destroyNode(node), .show([.activeRoutes])]
        case .availability(let route, let availability): return set(route, availability)
        case .remove:
            isPlugged = false
            return vanish()
        case .add:
            isPlugged = true
            return appear()
        case .connectionLost:
            hasSessionManager = false
            defaults = []
            return vanish()
        }
    }

    /// Whether the session manager has done with the card all that it does with a new one: chosen a profile, and a
    /// route for each node that has a usable one; and the nodes exist.
    package var isTaken: Bool { hasSessionManager && isExported && device != nil && pending == nil }

    /// What the session manager has still to do before ``isTaken`` is true.
    package var pending: String? {
        guard isProfileChosen else { return "no profile was chosen for the device" }
        for (index, node) in nodes.enumerated() where node.exists {
            let name = description.nodes[index].name
            if node.id == nil { return "PipeWire has not made the node \(name)" }
            if isUsable(index), !node.isRouteChosen { return "no route was chosen for the node \(name)" }
        }
        return nil
    }

    /// A direction in which the card has something that the session manager could choose for all, while it has chosen nothing.
    package var missingDefault: PortDirection? {
        guard hasSessionManager else { return nil }
        return nodes.indices.lazy.filter { nodes[$0].isRouteChosen && isUsable($0) }
            .map { description.nodes[$0].direction }.first { !defaults.contains($0) }
    }

    private func isUsable(_ node: Int) -> Bool { routes(for: node).contains { availability(of: $0) != .no } }

    /// What the card shows of a route: what is plugged, and which fixed parts that silences.
    package func availability(of route: Int) -> Availability {
        let this = description.routes[route]
        guard description.mutesFixedRoutesWhenPlugged, !this.hasJack else { return plugged[route] }
        let isSilenced = description.routes.indices.contains { other in
            let that = description.routes[other]
            return that.hasJack && plugged[other] == .yes && that.direction == this.direction
                && !Set(that.nodes).isDisjoint(with: this.nodes)
        }
        return isSilenced ? .no : plugged[route]
    }

    // MARK: Coming and going

    private mutating func appear() -> [Action] {
        guard isPlugged, hasSessionManager, !isExported else { return [] }
        isExported = true
        return [.exportDevice]
    }

    private mutating func vanish() -> [Action] {
        guard isExported else { return [] }
        let nodes = self.nodes.indices.filter { self.nodes[$0].exists }
        let jacks = plugged
        let (isPlugged, hasSessionManager, defaults) = (isPlugged, hasSessionManager, defaults)
        self = VirtualCardStateMachine(description)
        (self.isPlugged, self.hasSessionManager, self.defaults) = (isPlugged, hasSessionManager, defaults)
        plugged = jacks
        return nodes.map { .destroyNode($0) } + [.withdrawDevice]
    }

    private mutating func createNodes() -> [Action] {
        guard device != nil else { return [] }
        var actions: [Action] = []
        for index in nodes.indices where !nodes[index].exists && isInProfile(node: index) {
            nodes[index].exists = true
            nodes[index].route = best(for: index)
            actions.append(.createNode(index))
        }
        return actions
    }

    // MARK: The session manager's wishes

    private mutating func choose(profile index: Int, save: Bool) -> [Action] {
        guard isExported, description.profiles.indices.contains(index) else { return [] }
        let isNew = index != profile
        profile = index
        isProfileSaved = save
        isProfileChosen = true
        guard isNew else { return [.show([.activeProfile])] }
        // All nodes go, also those that the new profile brings again: real cards open their devices anew.
        let old = nodes.indices.filter { nodes[$0].exists }
        for node in old { nodes[node] = Node() }
        let created = createNodes()
        return old.map { .destroyNode($0) } + [.show([.activeProfile, .activeRoutes])] + created
    }

    private mutating func choose(_ request: ExportedDevice.RouteRequest) -> [Action] {
        guard
            let node = nodes.indices.first(where: {
                nodes[$0].exists && description.nodes[$0].number == request.node
            }),
            routes(for: node).contains(request.index)
        else { return [] }
        nodes[node].route = request.index
        nodes[node].isRouteChosen = true
        nodes[node].isSaved = request.isSaved
        if let volume = request.volume, volume.isFinite { nodes[node].volume = min(max(0, volume), 10) }
        if let isMuted = request.isMuted { nodes[node].isMuted = isMuted }
        return [.show([.activeRoutes]), setVolume(of: node)]
    }

    private mutating func set(_ route: Int, _ availability: Availability) -> [Action] {
        guard plugged.indices.contains(route) else { return [] }
        let profiles = description.profiles.indices.map { self.availability(ofProfile: $0) }
        let routes = description.routes.indices.map { self.availability(of: $0) }
        plugged[route] = availability
        let areRoutesNew = routes != description.routes.indices.map { self.availability(of: $0) }
        guard isExported, areRoutesNew else { return [] }
        let areProfilesNew = profiles != description.profiles.indices.map { self.availability(ofProfile: $0) }
        // Cards take the profile in use for changed when any became available, or ceased to be.
        return [.show(areProfilesNew ? Set(DeviceParameter.allCases) : [.routes, .activeRoutes])]
    }

    // MARK: Looking things up

    func isInProfile(node: Int) -> Bool {
        description.profiles[profile].nodes.contains(description.nodes[node].id)
    }

    /// Positions of the routes that can serve the node in the active profile.
    func routes(for node: Int) -> [Int] {
        let id = description.nodes[node].id
        return description.routes.indices.filter {
            description.routes[$0].nodes.contains(id)
                && description.profiles(of: description.routes[$0]).contains(profile)
        }
    }

    /// What a card opens a node with, before anybody chose.
    private func best(for node: Int) -> Int? {
        let routes = routes(for: node)
        func rank(_ route: Int) -> (Int, Int) {
            let order: Int
            switch availability(of: route) {
            case .yes: order = 2
            case .unknown: order = 1
            case .no: order = 0
            }
            return (order, description.routes[route].priority)
        }
        return routes.max { rank($0) < rank($1) }
    }

    private func setVolume(of node: Int) -> Action {
        .setVolume(node: node, volume: nodes[node].volume, isMuted: nodes[node].isMuted)
    }
}

extension VirtualCardDescription {
    /// Positions of the profiles in which a route can be used.
    func profiles(of route: Route) -> [Int] {
        profiles.indices.filter { index in
            if let wanted = route.profiles { return wanted.contains(profiles[index].name) }
            return !Set(route.nodes).isDisjoint(with: profiles[index].nodes)
        }
    }
}

extension Availability {
    init(_ availability: VirtualCardDescription.Availability) {
        switch availability {
        case .yes: self = .yes
        case .no: self = .no
        case .unknown: self = .unknown
        }
    }
}
