public import AudioSessionCore

/// What a virtual sound card is like: its nodes, the profiles that bring them, and the routes that they sound through.
///
/// A value: take ``builtIn(id:)``, ``usb(id:)`` or ``bluetooth(address:name:)`` as it is, change it, or write one.
public struct VirtualCardDescription: Sendable, Hashable {
    /// `device.name`, unique among the machine's cards.
    public var name: String
    /// All other properties of the device, by PipeWire's keys.
    public var properties: [String: String]
    /// One of them is in use at a time.
    public var profiles: [Profile]
    /// Ways for sound in and out.
    public var routes: [Route]
    /// All sinks and sources that some profile brings.
    public var nodes: [Node]
    /// The profile that the card starts with; the session manager chooses another at once, as it does for real ones.
    public var initialProfile: String
    /// Whether the routes without a jack become unavailable while something is in a jack of the same node, as the
    /// speaker of most laptops does. Without it only the priorities tell the session manager what to choose.
    public var mutesFixedRoutesWhenPlugged: Bool

    /// A card of one's own; what does not fit together is refused when a ``VirtualCard`` is made of it.
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
        /// What PipeWire calls it.
        public var name: String
        /// Text for people.
        public var description: String
        /// The session manager takes the usable one with the highest.
        public var priority: Int
        /// The nodes that it brings, by ``Node/id``.
        public var nodes: [String]
        /// `nil`: not available while all its routes of one direction are not, as real cards have it.
        public var availability: Availability?

        /// A profile that brings these nodes.
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

    /// A way for sound in or out of the card: a jack, a speaker, a screen.
    public struct Route: Sendable, Hashable {
        /// A short word for those who plug: `headphones`.
        public var port: String
        /// The name that PipeWire shows: `analog-output-headphones`.
        public var name: String
        /// Text for people.
        public var description: String
        /// Whether sound goes out by it, or comes in.
        public var direction: PortDirection
        /// `port.type`, as PipeWire counts them: `speaker`, `headphones`, `hdmi`, `mic`, `headset` …
        public var portType: String
        /// `port.availability-group`: routes of one group share a jack.
        public var availabilityGroup: String?
        /// `device.product.name`: the screen.
        public var productName: String?
        /// The session manager takes the usable one with the highest.
        public var priority: Int
        /// Before anything is plugged.
        public var availability: Availability
        /// The nodes that it can serve, by ``Node/id``.
        public var nodes: [String]
        /// The profiles in which it can be used, by name; `nil`: those that bring one of its nodes.
        public var profiles: [String]?

        /// A route to these nodes.
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

        /// Whether something senses what is in it. `unknown` is how PipeWire says that nothing does.
        public var hasJack: Bool { availability != .unknown }
    }

    /// A sink or a source.
    public struct Node: Sendable, Hashable {
        /// Names the node within the description.
        public var id: String
        /// `card.profile.device`. Two nodes may have the same, if no profile brings both.
        public var number: Int
        /// `node.name`
        public var name: String
        /// Text for people.
        public var description: String
        /// `output` for a sink, `input` for a source.
        public var direction: PortDirection
        /// 1 to 8.
        public var channels: Int
        /// `priority.session`: the session manager takes the usable one with the highest as default.
        public var priority: Int
        /// Further properties, by PipeWire's keys.
        public var properties: [String: String]

        /// A sink or a source with this name.
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

    /// Whether something is in a jack. `unknown`: nothing senses it, so take it as usable.
    public enum Availability: String, Sendable, Hashable, CaseIterable {
        /// `unknown` is what cards say that cannot sense it.
        case yes, no, unknown
    }
}

extension VirtualCardDescription {
    /// - Throws: an error that says where the description contradicts itself.
    func validate() throws(TestKitError) {
        func fail(_ why: String) -> TestKitError {
            TestKitError(
                .invalidDescription, "The card \(name.isEmpty ? "without a name" : name) cannot be made", why: why,
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
                throw fail("profile \"\(profile.name)\" brings a node \"\(node)\" that there is not")
            }
            let numbers = profile.nodes.compactMap { id in nodes.first { $0.id == id }?.number }
            if Set(numbers).count < numbers.count {
                throw fail("profile \"\(profile.name)\" brings two nodes with the same number")
            }
        }
        for route in routes {
            for node in route.nodes where !ids.contains(node) {
                throw fail("route \"\(route.name)\" serves a node \"\(node)\" that there is not")
            }
            for profile in route.profiles ?? [] where !names.contains(profile) {
                throw fail("route \"\(route.name)\" is for a profile \"\(profile)\" that there is not")
            }
        }
        for node in nodes where !(1...8).contains(node.channels) {
            throw fail("node \"\(node.id)\" has \(node.channels) channels, not 1 to 8")
        }
    }
}
