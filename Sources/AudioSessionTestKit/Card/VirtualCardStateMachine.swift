package import AudioSessionCore
package import PipeWireGraph

/// Decides what a virtual card shows, which nodes it has, and how it answers the session manager.
///
/// The state machine does no I/O. The caller runs the returned actions in order.
package struct VirtualCardStateMachine: Sendable {
    package enum Input: Sendable, Hashable {
        case sessionManagerAppeared
        /// The session manager ended. The card is removed with it, because real devices live in
        /// that process.
        case sessionManagerDisappeared
        /// The session manager chose a default for this direction; `false` means that there is
        /// none.
        case defaultChosen(PortDirection, Bool)
        case deviceBound(ObjectID)
        /// Another client destroyed the device, or the daemon refused it.
        case deviceLost
        case profileRequested(index: Int, save: Bool)
        case routeRequested(ExportedDevice.RouteRequest)
        /// PipeWire created the node at this position in the description.
        case nodeBound(Int, ObjectID)
        case nodeLost(Int)
        /// The availability of the route at this position in the description changed.
        case availability(Int, Availability)
        /// The user unplugs the card, so all its objects are removed.
        case remove
        case add
        case connectionLost
    }

    package enum Action: Sendable, Hashable {
        /// Export the device, which shows ``VirtualCardStateMachine/parameters``.
        case exportDevice
        case withdrawDevice
        /// Show the changed ``VirtualCardStateMachine/parameters``.
        case show(Set<DeviceParameter>)
        case createNode(Int)
        case destroyNode(Int)
        case setVolume(node: Int, volume: Float, isMuted: Bool)
    }

    /// The state of one node of the description.
    package struct Node: Sendable, Hashable {
        /// Whether the active profile creates the node.
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
    /// Whether the card is plugged in.
    package private(set) var isPlugged = true
    package private(set) var hasSessionManager = false
    /// The directions in which the session manager has chosen a default node, of any card.
    private var defaults: Set<PortDirection> = []
    package private(set) var isExported = false
    package private(set) var device: ObjectID?
    /// Position of the active profile in the description.
    package private(set) var profile: Int
    package private(set) var isProfileSaved = false
    package private(set) var isProfileChosen = false
    package private(set) var nodes: [Node]
    /// The state of the jacks; ``availability(of:)`` is what the card reports for it.
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

    /// Whether the session manager has finished the configuration of the card.
    ///
    /// It has chosen a profile, and a route for each node that has a usable one, and the nodes
    /// exist.
    package var isTaken: Bool { hasSessionManager && isExported && device != nil && pending == nil }

    /// The step that is missing until ``isTaken`` is true.
    package var pending: String? {
        guard isProfileChosen || isKeptWithoutRequest else { return "no profile was chosen for the device" }
        for (index, node) in nodes.enumerated() where node.exists {
            let name = description.nodes[index].name
            if node.id == nil { return "PipeWire has not created the node \(name)" }
            if isUsable(index), !node.isRouteChosen { return "no route was chosen for the node \(name)" }
        }
        return nil
    }

    /// Whether the active profile is the best one and has no usable routes. WirePlumber 0.5
    /// requests nothing for such a card, because it requests a profile only to change it.
    private var isKeptWithoutRequest: Bool {
        profile == bestProfile && !nodes.indices.contains { isInProfile(node: $0) && isUsable($0) }
    }

    /// The profile that the session manager selects without a stored choice. It never selects
    /// "pro-audio", and "off" only if no other profile is usable.
    private var bestProfile: Int? {
        func rank(_ index: Int) -> (Int, Int) {
            let profile = description.profiles[index]
            if profile.name == "off" { return (0, 0) }
            return (availability(ofProfile: index) == .yes ? 2 : 1, profile.priority)
        }
        let usable = description.profiles.indices.filter { index in
            let name = description.profiles[index].name
            return name == "off" || name != "pro-audio" && availability(ofProfile: index) != .no
        }
        return usable.max { rank($0) < rank($1) }
    }

    /// A direction without a default, although the card has a node that the session manager could
    /// choose.
    package var missingDefault: PortDirection? {
        guard hasSessionManager else { return nil }
        return nodes.indices.lazy.filter { nodes[$0].isRouteChosen && isUsable($0) }
            .map { description.nodes[$0].direction }.first { !defaults.contains($0) }
    }

    private func isUsable(_ node: Int) -> Bool { routes(for: node).contains { availability(of: $0) != .no } }

    /// The availability that the card reports for a route, with regard to jacks that mute fixed
    /// routes.
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

    // MARK: Plugging

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

    // MARK: Requests of the session manager

    private mutating func choose(profile index: Int, save: Bool) -> [Action] {
        guard isExported, description.profiles.indices.contains(index) else { return [] }
        let isNew = index != profile
        profile = index
        isProfileSaved = save
        isProfileChosen = true
        guard isNew else { return [.show([.activeProfile])] }
        // All nodes are removed, even those that the new profile also creates, because real cards
        // reopen their devices.
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
        // WirePlumber 0.5 does not request a profile that is active already. Its requests of routes
        // show that it keeps the profile.
        isProfileChosen = true
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
        // Cards report the active profile as changed when any profile's availability changed.
        return [.show(areProfilesNew ? Set(DeviceParameter.allCases) : [.routes, .activeRoutes])]
    }

    // MARK: Queries

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

    /// The route with which a card opens a node before the session manager has chosen one.
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
