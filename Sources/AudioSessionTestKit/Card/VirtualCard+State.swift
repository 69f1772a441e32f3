import AudioSessionCore

extension VirtualCard {
    /// The state of a card at one moment.
    public struct State: Sendable, Hashable {
        /// Whether the card is plugged in.
        public var isPlugged: Bool
        /// Whether the session manager has configured the card: it has chosen a profile, and a
        /// route for each node that has a usable one.
        public var isTaken: Bool
        /// The name of the active profile.
        public var profile: String
        /// The nodes that exist.
        public var nodes: [Node]
        /// The availability of each port, by port name.
        public var availability: [String: VirtualCardDescription.Availability]

        /// The state of a card's node at one moment.
        public struct Node: Sendable, Hashable {
            /// The name of the node, `node.name`.
            public var name: String
            /// Whether PipeWire has created the node.
            public var isReady: Bool
            /// The port of the active device route.
            public var port: String?
            /// The volume as a linear amplitude.
            public var volume: Float
            /// Whether the session manager has muted the node or its device route.
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
