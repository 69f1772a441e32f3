public import AudioSessionCore

/// The nodes, profiles and device routes of a virtual sound card.
///
/// Use ``builtIn(id:)``, ``usb(id:)`` or ``bluetooth(address:name:)`` unchanged, modify the result,
/// or create a description.
public struct VirtualCardDescription: Sendable, Hashable {
    /// `device.name`, which is unique among the computer's cards.
    public var name: String
    /// All other properties of the device, by their PipeWire keys.
    public var properties: [String: String]
    /// The profiles of the card, of which one is active.
    public var profiles: [Profile]
    /// The device routes of the card.
    public var routes: [Route]
    /// All sinks and sources that any profile creates.
    public var nodes: [Node]
    /// The profile with which the card starts. As for real cards, the session manager selects
    /// another one at once.
    public var initialProfile: String
    /// Whether a plugged jack makes the routes without a jack on the same node unavailable.
    ///
    /// The speaker of most laptops behaves like this. Otherwise the session manager can choose only
    /// by priority.
    public var mutesFixedRoutesWhenPlugged: Bool

    /// Creates a custom description. Creating a ``VirtualCard`` rejects inconsistent descriptions.
    public init(
        name: String, properties: [String: String] = [:], profiles: [Profile], routes: [Route], nodes: [Node],
        initialProfile: String = "off", mutesFixedRoutesWhenPlugged: Bool = false
    ) {
        self.name = name
        self.properties = properties
        self.profiles = profiles
        self.routes = routes
        self.nodes = nodes
        self.initialProfile = initialProfile
        self.mutesFixedRoutesWhenPlugged = mutesFixedRoutesWhenPlugged
    }

    /// A set of nodes that exist together.
    public struct Profile: Sendable, Hashable {
        /// The profile's name in PipeWire.
        public var name: String
        /// A human-readable description of the profile.
        public var description: String
        /// The priority. The session manager selects the usable profile with the highest priority.
        public var priority: Int
        /// The nodes that the profile creates, by ``Node/id``.
        public var nodes: [String]
        /// The availability. With `nil`, the profile is unavailable while all its routes of one
        /// direction are, like on real cards.
        public var availability: Availability?

        /// Creates a profile with these nodes.
        public init(
            name: String, description: String = "", priority: Int = 0, nodes: [String],
            availability: Availability? = nil
        ) {
            self.name = name
            self.description = description
            self.priority = priority
            self.nodes = nodes
            self.availability = availability
        }
    }

    /// A path for sound in or out of the card, such as a jack, a speaker or a screen.
    public struct Route: Sendable, Hashable {
        /// A short name for plug and unplug commands, such as `headphones`.
        public var port: String
        /// The route's name in PipeWire, such as `analog-output-headphones`.
        public var name: String
        /// A human-readable description of the route.
        public var description: String
        /// Whether the route is an output or an input.
        public var direction: PortDirection
        /// The value of `port.type` in PipeWire: for example `headphones` or `hdmi`.
        public var portType: String
        /// The value of `port.availability-group`. Routes of one group share a jack.
        public var availabilityGroup: String?
        /// The value of `device.product.name`, which names the screen.
        public var productName: String?
        /// The priority. The session manager selects the usable route with the highest priority.
        public var priority: Int
        /// The availability before anything is plugged in.
        public var availability: Availability
        /// The nodes that can use the route, by ``Node/id``.
        public var nodes: [String]
        /// The names of the profiles that can use the route. `nil` means all profiles that create
        /// one of its nodes.
        public var profiles: [String]?

        /// Creates a route for these nodes.
        public init(
            port: String, name: String, description: String = "", direction: PortDirection, portType: String,
            availabilityGroup: String? = nil, productName: String? = nil, priority: Int = 0,
            availability: Availability = .unknown, nodes: [String], profiles: [String]? = nil
        ) {
            self.port = port
            self.name = name
            self.description = description
            self.direction = direction
            self.portType = portType
            self.availabilityGroup = availabilityGroup
            self.productName = productName
            self.priority = priority
            self.availability = availability
            self.nodes = nodes
            self.profiles = profiles
        }

        /// Whether the card detects what is plugged in. PipeWire reports `unknown` without
        /// detection.
        public var hasJack: Bool { availability != .unknown }
    }

    /// A sink or a source of the card.
    public struct Node: Sendable, Hashable {
        /// An identifier that is unique within the description.
        public var id: String
        /// The value of `card.profile.device`. Two nodes may share it if no profile creates both.
        public var number: Int
        /// The name of the node, `node.name`.
        public var name: String
        /// A human-readable description of the node.
        public var description: String
        /// `output` for a sink, `input` for a source.
        public var direction: PortDirection
        /// The number of channels, 1 to 8.
        public var channels: Int
        /// The value of `priority.session`. The session manager selects the usable node with the
        /// highest priority as default.
        public var priority: Int
        /// Further properties, by their PipeWire keys.
        public var properties: [String: String]

        /// Creates a sink or a source with this name.
        public init(
            id: String, number: Int, name: String, description: String = "", direction: PortDirection,
            channels: Int = 2, priority: Int, properties: [String: String] = [:]
        ) {
            self.id = id
            self.number = number
            self.name = name
            self.description = description
            self.direction = direction
            self.channels = channels
            self.priority = priority
            self.properties = properties
        }
    }

    /// Whether something is plugged into a jack. `unknown` means no detection, so the route counts
    /// as usable.
    @nonexhaustive
    public enum Availability: String, Sendable, Hashable, CaseIterable {
        /// The availability that the card reports; `unknown` without jack detection.
        case yes, no, unknown
    }
}

extension VirtualCardDescription {
    /// Checks that the description is consistent.
    ///
    /// - Throws: ``TestKitError`` with code `invalidDescription` and the inconsistency.
    func validate() throws(TestKitError) {
        func fail(_ why: String) -> TestKitError {
            TestKitError(
                .invalidDescription, "The card \(name.isEmpty ? "without a name" : name) cannot be created", why: why,
                remedy: "Correct its VirtualCardDescription.")
        }
        if name.isEmpty { throw fail("its name is empty") }
        if profiles.isEmpty { throw fail("it has no profile") }
        let ids = Set(nodes.map(\.id))
        if ids.count < nodes.count { throw fail("two of its nodes have the same id") }
        let names = Set(profiles.map(\.name))
        if names.count < profiles.count { throw fail("two of its profiles have the same name") }
        if !names.contains(initialProfile) { throw fail("it has no profile \"\(initialProfile)\" to start with") }
        if Set(routes.map(\.port)).count < routes.count { throw fail("two of its routes have the same port") }
        for profile in profiles {
            for node in profile.nodes where !ids.contains(node) {
                throw fail("profile \"\(profile.name)\" has a node \"\(node)\" that does not exist")
            }
            let numbers = profile.nodes.compactMap { id in nodes.first { $0.id == id }?.number }
            if Set(numbers).count < numbers.count {
                throw fail("profile \"\(profile.name)\" has two nodes with the same number")
            }
        }
        for route in routes {
            for node in route.nodes where !ids.contains(node) {
                throw fail("route \"\(route.name)\" has a node \"\(node)\" that does not exist")
            }
            for profile in route.profiles ?? [] where !names.contains(profile) {
                throw fail("route \"\(route.name)\" has a profile \"\(profile)\" that does not exist")
            }
        }
        for node in nodes where !(1...8).contains(node.channels) {
            throw fail("node \"\(node.id)\" has \(node.channels) channels, not 1 to 8")
        }
    }
}
