/// Everything that the graph holds about one port, gathered for the decision table.
///
/// Any part may be missing: a route that no node serves, a node whose device is not known (yet), a card without routes.
package struct PortEvidence: Sendable, Hashable {
    package var node: Node?
    package var device: Device?
    package var route: DeviceRoute?
    package var direction: PortDirection
    /// Whether `route` is one that the node could serve but does not: then the node's own name tells nothing of it.
    package var isOtherRoute = false
    /// Whether `route` was chosen from several that fit, since the card does not say which is active.
    package var isRouteAssumed = false

    package init(
        node: Node? = nil, device: Device? = nil, route: DeviceRoute? = nil, direction: PortDirection,
        isOtherRoute: Bool = false, isRouteAssumed: Bool = false
    ) {
        self.node = node
        self.device = device
        self.route = route
        self.direction = direction
        self.isOtherRoute = isOtherRoute
        self.isRouteAssumed = isRouteAssumed
    }

    /// A property of the card, which newer versions copy to the card's nodes.
    subscript(key: PropertyKey) -> String? { device?.properties[key] ?? node?.properties[key] }

    var nodeName: String { node?.name ?? "" }
    var routeName: String { route?.name ?? "" }

    /// The profile that the node stands for, such as `hdmi-stereo` or `HiFi: Mic1: source`.
    var nodeProfile: String? {
        isOtherRoute ? nil : node?.properties[.deviceProfileName] ?? CardNames.profile(inNodeName: nodeName)
    }

    /// What the card says of the route, else what the route's or the node's name says.
    var kind: PortKind? {
        guard let route else { return nodeProfile.flatMap(CardNames.kind(ofProfile:)) }
        if let type = route.portType { return PortKind(rawValue: type.lowercased()) ?? .unknown }
        return CardNames.kind(ofRoute: route.name) ?? .unknown
    }

    /// Where ``kind`` comes from, for people.
    var kindSource: String {
        if route?.portType != nil { return "port.type" }
        return route == nil ? "by its profile" : "by the route's name"
    }

    /// Whether something senses what is in the jack.
    var isJackSensed: Bool { route?.isJackSensed ?? false }

    /// Whether the table may look at ``isJackSensed``. An output says what it is, but for an analog one.
    var isToldByJack: Bool { direction == .input || kind == .analog }

    /// Whether the node is none but a description: tools for people show no more.
    var isDescribedOnly: Bool { node != nil && node?.name == nil && node?.properties[.factoryName] == nil }

    /// Whether the port belongs to hardware that PipeWire drives, however little of the hardware is known.
    var isOnCard: Bool {
        device != nil || node?.deviceID != nil || self[.deviceAPI] != nil || self[.alsaCardName] != nil
            || self[.alsaDriverName] != nil || node?.properties[.alsaID] != nil
            || CardNames.profile(inNodeName: nodeName) != nil
            || (node?.properties[.factoryName]?.hasPrefix("api.alsa.") ?? false)
    }

    /// Whether the port belongs to no card. Names without a namespace of their own count only then.
    var isCardless: Bool { self[.deviceAPI] == nil && node?.deviceID == nil }
}

extension PortEvidence {
    enum Bus: String, CaseIterable { case pci, usb, firewire, bluetooth, platform }

    /// How the card is connected. Cards that are part of a board have no `device.bus`; names tell their place.
    var bus: Bus? { self[.deviceBus].flatMap(Bus.init) ?? busByName ?? busByDriver }

    private var busByName: Bus? {
        let names = [self[.deviceName], node?.name].compactMap(\.self)
        for name in names {
            let place = name.utf8.drop { $0 != UInt8(ascii: ".") }.drop { $0 == UInt8(ascii: ".") }
            let word = place.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ".") }
            if let bus = Bus.allCases.first(where: { word.elementsEqual($0.rawValue.utf8) }) { return bus }
        }
        return nil
    }

    /// The kernel's drivers for systems on a chip; laptops have them too, but their cards are on PCI and say so.
    private var busByDriver: Bus? { self[.alsaDriverName]?.hasPrefix("snd_soc_") ?? false ? .platform : nil }

    /// Whether the card says that it is part of the machine. Many that are do not say so.
    var isInternal: Bool { self[.deviceFormFactor] == "internal" || (self[.deviceBus] == nil && bus == .platform) }

    /// Whether the node has every channel of the card as it is, with no route.
    var isProAudio: Bool {
        guard route == nil, !isOtherRoute else { return false }
        return nodeProfile?.hasPrefix("pro-") ?? false || node?.properties[.deviceRoutes] == "0"
            || device?.activeProfile?.name == "pro-audio"
    }
}
