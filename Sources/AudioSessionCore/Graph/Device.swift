/// A PipeWire device: a card, a headset, a screen's audio part.
package struct Device: Sendable, Hashable {
    package var id: ObjectID
    package var properties: Properties
    /// Every route that the device knows (param EnumRoute).
    package var routes: [DeviceRoute]
    /// The routes in use (param Route).
    package var activeRoutes: [DeviceRoute]
    package var profiles: [DeviceProfile]
    package var activeProfile: DeviceProfile?

    package init(
        id: ObjectID, properties: Properties, routes: [DeviceRoute] = [], activeRoutes: [DeviceRoute] = [],
        profiles: [DeviceProfile] = [], activeProfile: DeviceProfile? = nil
    ) {
        self.id = id
        self.properties = properties
        self.routes = routes
        self.activeRoutes = activeRoutes
        self.profiles = profiles
        self.activeProfile = activeProfile
    }

    package var name: String? { properties[.deviceName] }
    /// What `media.class` says of devices that carry audio.
    package static let mediaClass = "Audio/Device"
}

/// A route of a device: a jack, a built-in speaker, a screen.
package struct DeviceRoute: Sendable, Hashable {
    package var index: Int
    package var direction: PortDirection
    package var name: String
    /// Translated text for people; never a basis for decisions.
    package var description: String
    package var priority: Int
    package var availability: Availability
    /// `port.type`
    package var portType: String?
    /// `port.availability-group`: routes of one group share a jack.
    package var availabilityGroup: String?
    /// `device.product.name`: the screen behind an HDMI route.
    package var productName: String?
    /// Indexes of the profiles in which the route can be used.
    package var profiles: [Int]
    /// The numbers (`card.profile.device`) of the nodes that the route can serve.
    package var devices: [Int]
    /// The number of the node that the route serves now; only an active route has one.
    package var device: Int?
    /// Whether the card is muted there; only an active route can be.
    package var isMuted: Bool
    /// Linear, one for each channel; only an active route has some.
    package var volumes: [Float]

    package init(
        index: Int, direction: PortDirection, name: String, description: String = "", priority: Int = 0,
        availability: Availability = .unknown, portType: String? = nil, availabilityGroup: String? = nil,
        productName: String? = nil, profiles: [Int] = [], devices: [Int] = [], device: Int? = nil,
        isMuted: Bool = false, volumes: [Float] = []
    ) {
        self.index = index
        self.direction = direction
        self.name = name
        self.description = description
        self.priority = priority
        self.availability = availability
        self.portType = portType
        self.availabilityGroup = availabilityGroup
        self.productName = productName
        self.profiles = profiles
        self.devices = devices
        self.device = device
        self.isMuted = isMuted
        self.volumes = volumes
    }
}

/// Whether something is in a jack. `unknown` means that nothing senses it, not that it is absent.
package enum Availability: UInt32, Sendable, Hashable {
    case unknown = 0
    case no = 1
    case yes = 2
}

/// A profile of a device: which of its nodes exist.
package struct DeviceProfile: Sendable, Hashable {
    package var index: Int
    package var name: String
    package var availability: Availability

    package init(index: Int, name: String, availability: Availability = .unknown) {
        self.index = index
        self.name = name
        self.availability = availability
    }
}
