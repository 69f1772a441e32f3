/// A route of a device: a jack, a built-in speaker, a screen.
package struct DeviceRoute: Sendable, Hashable {
    /// What it is, whatever is in the jack: a card says that again at every news.
    private var place: Shared<Facts>
    package var availability: Availability
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
        place = Shared(
            Facts(
                index: index, direction: direction, name: name, description: description, priority: priority,
                portType: portType, availabilityGroup: availabilityGroup, productName: productName,
                profiles: profiles, devices: devices))
        self.availability = availability
        self.device = device
        self.isMuted = isMuted
        self.volumes = volumes
    }

    /// Whether something senses what is in the jack.
    var isJackSensed: Bool { availability != .unknown }

    /// Whether both are the same, whatever is in the jack and however loud it is.
    func tellsTheSame(as other: Self) -> Bool { place == other.place && device == other.device }
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
        get { place.value.index }
        set { place.value.index = newValue }
    }

    package var direction: PortDirection {
        get { place.value.direction }
        set { place.value.direction = newValue }
    }

    package var name: String {
        get { place.value.name }
        set { place.value.name = newValue }
    }

    /// Translated text for people; never a basis for decisions.
    package var description: String {
        get { place.value.description }
        set { place.value.description = newValue }
    }

    package var priority: Int {
        get { place.value.priority }
        set { place.value.priority = newValue }
    }

    /// `port.type`
    package var portType: String? {
        get { place.value.portType }
        set { place.value.portType = newValue }
    }

    /// `port.availability-group`: routes of one group share a jack.
    package var availabilityGroup: String? {
        get { place.value.availabilityGroup }
        set { place.value.availabilityGroup = newValue }
    }

    /// `device.product.name`: the screen behind an HDMI route.
    package var productName: String? {
        get { place.value.productName }
        set { place.value.productName = newValue }
    }

    /// Indexes of the profiles in which the route can be used.
    package var profiles: [Int] {
        get { place.value.profiles }
        set { place.value.profiles = newValue }
    }

    /// The numbers (`card.profile.device`) of the nodes that the route can serve.
    package var devices: [Int] {
        get { place.value.devices }
        set { place.value.devices = newValue }
    }
}
