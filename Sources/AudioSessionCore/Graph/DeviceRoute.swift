/// A route of a device: a jack, a built-in speaker, a screen.
package struct DeviceRoute: Sendable, Hashable {
    /// The constant part of the route. A card sends it again with every change.
    private var facts: Shared<Facts>
    package var availability: Availability
    /// The number of the node that the route serves now; only an active route has one.
    package var device: Int?
    /// Whether the card is muted for this route. Only an active route has a mute.
    package var isMuted: Bool
    /// The volumes, linear, one for each channel; only an active route has them.
    package var volumes: [Float]

    package init(
        index: Int, direction: PortDirection, name: String, description: String = "", priority: Int = 0,
        availability: Availability = .unknown, portType: String? = nil, availabilityGroup: String? = nil,
        productName: String? = nil, profiles: [Int] = [], devices: [Int] = [], device: Int? = nil,
        isMuted: Bool = false, volumes: [Float] = []
    ) {
        facts = Shared(
            Facts(
                index: index, direction: direction, name: name, description: description, priority: priority,
                portType: portType, availabilityGroup: availabilityGroup, productName: productName,
                profiles: profiles, devices: devices))
        self.availability = availability
        self.device = device
        self.isMuted = isMuted
        self.volumes = volumes
    }

    /// Whether the jack has a sensor.
    var isJackSensed: Bool { availability != .unknown }

    /// Whether both are the same route, apart from the jack's state and the volumes.
    package func isEquivalent(to other: Self) -> Bool { facts == other.facts && device == other.device }
}

extension DeviceRoute {
    private struct Facts: Sendable, Hashable {
        var index: Int
        var direction: PortDirection
        var name: String
        var description: String
        var priority: Int
        var portType: String?
        var availabilityGroup: String?
        var productName: String?
        var profiles: [Int]
        var devices: [Int]
    }

    package var index: Int {
        get { facts.value.index }
        set { facts.value.index = newValue }
    }

    package var direction: PortDirection {
        get { facts.value.direction }
        set { facts.value.direction = newValue }
    }

    package var name: String {
        get { facts.value.name }
        set { facts.value.name = newValue }
    }

    /// The translated name for the user, which decides nothing.
    package var description: String {
        get { facts.value.description }
        set { facts.value.description = newValue }
    }

    package var priority: Int {
        get { facts.value.priority }
        set { facts.value.priority = newValue }
    }

    /// The value of `port.type`.
    package var portType: String? {
        get { facts.value.portType }
        set { facts.value.portType = newValue }
    }

    /// The value of `port.availability-group`. Routes of one group share a jack.
    package var availabilityGroup: String? {
        get { facts.value.availabilityGroup }
        set { facts.value.availabilityGroup = newValue }
    }

    /// The value of `device.product.name`: the screen behind an HDMI route.
    package var productName: String? {
        get { facts.value.productName }
        set { facts.value.productName = newValue }
    }

    /// The indexes of the profiles in which the route can be used.
    package var profiles: [Int] {
        get { facts.value.profiles }
        set { facts.value.profiles = newValue }
    }

    /// The numbers (`card.profile.device`) of the nodes that the route can serve.
    package var devices: [Int] {
        get { facts.value.devices }
        set { facts.value.devices = newValue }
    }
}
