import AudioSessionCore

extension VirtualCard {
    /// What a card is like at one moment.
    public struct State: Sendable, Hashable {
        /// Whether the plug is in.
        public var isPlugged: Bool
        /// Whether the session manager has chosen a profile, and a route for each node that has a usable one.
        public var isTaken: Bool
        /// The name of the active profile.
        public var profile: String
        /// The nodes that exist.
        public var nodes: [Node]
        /// By port.
        public var availability: [String: VirtualCardDescription.Availability]

        /// A node of a card at one moment.
        public struct Node: Sendable, Hashable {
            /// `node.name`
            public var name: String
            /// Whether PipeWire has made it.
            public var isReady: Bool
            /// The port of the route in use.
            public var port: String?
            /// Linear.
            public var volume: Float
            /// Whether the session manager has muted it, or its route.
            public var isMuted: Bool
        }
    }
}

extension VirtualCard.State {
    init(_ machine: VirtualCardStateMachine) {
        let description = machine.description
        isPlugged = machine.isPlugged
        isTaken = machine.isTaken
        profile = description.profiles[machine.profile].name
        nodes = zip(description.nodes, machine.nodes).compactMap { described, node in
            guard node.exists else { return nil }
            return Node(
                name: described.name, isReady: node.id != nil, port: node.route.map { description.routes[$0].port },
                volume: node.volume, isMuted: node.isMuted)
        }
        availability = [:]
        for (index, route) in description.routes.enumerated() {
            switch machine.availability(of: index) {
            case .yes: availability[route.port] = .yes
            case .no: availability[route.port] = .no
            case .unknown: availability[route.port] = .unknown
            }
        }
    }
}
