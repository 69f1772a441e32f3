/// The data about one port, gathered from the graph for the decision table.
///
/// Any part may be missing: a route may have no node, a node's device may be unknown, a card may
/// have no routes.
package struct PortEvidence: Sendable, Hashable {
    package var node: Node?
    package var device: Device?
    package var route: DeviceRoute?
    package var direction: PortDirection
    /// Whether the node could use `route` but does not, so that the node's name does not describe
    /// it.
    package var isOtherRoute = false
    /// Whether `route` was selected from several candidates, because the card does not say which is
    /// active.
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

    /// A property of the card. Newer versions of PipeWire copy it to the card's nodes.
    subscript(key: PropertyKey) -> String? { device?.properties[key] ?? node?.properties[key] }

    var nodeName: String { node?.name ?? "" }
    var routeName: String { route?.name ?? "" }

    /// The profile that the node stands for, such as `hdmi-stereo` or `HiFi: Mic1: source`.
    var nodeProfile: String? {
        isOtherRoute ? nil : node?.properties[.deviceProfileName] ?? CardNames.profile(inNodeName: nodeName)
    }

    /// The kind that the card states for the route, or else the kind derived from the route's or
    /// the node's name.
    var kind: PortKind? {
        guard let route else { return nodeProfile.flatMap(CardNames.kind(ofProfile:)) }
        if let type = route.portType { return PortKind(rawValue: type.lowercased()) ?? .unknown }
        return CardNames.kind(ofRoute: route.name) ?? .unknown
    }

    /// The source of ``kind``, as a phrase for the user.
    var kindSource: String {
        if route?.portType != nil { return "port.type" }
        return route == nil ? "by its profile" : "by the route's name"
    }

    /// Whether the jack has a sensor.
    var isJackSensed: Bool { route?.isJackSensed ?? false }

    /// Whether rules may read ``isJackSensed``. Outputs other than analog ones state their kind.
    var isReportedByJack: Bool { direction == .input || kind == .analog }

    /// Whether only the node's description is known, as in the output of some tools.
    var isDescribedOnly: Bool { node != nil && node?.name == nil && node?.properties[.factoryName] == nil }

    /// Whether the port belongs to hardware that PipeWire drives, however little is known of it.
    var isOnCard: Bool {
        device != nil || node?.deviceID != nil || self[.deviceAPI] != nil || self[.alsaCardName] != nil
            || self[.alsaDriverName] != nil || node?.properties[.alsaID] != nil
            || CardNames.profile(inNodeName: nodeName) != nil
            || (node?.properties[.factoryName]?.hasPrefix("api.alsa.") ?? false)
    }

    /// Whether the port belongs to no card. Only then names without a namespace are considered.
    var isCardless: Bool { self[.deviceAPI] == nil && node?.deviceID == nil }
}

extension PortEvidence {
    enum Bus: String, CaseIterable { case pci, usb, firewire, bluetooth, platform }

    /// The bus of the card. Cards that are part of a board have no `device.bus`, so their names are
    /// read.
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

    /// The bus by the name of the driver. The kernel's drivers for systems on a chip also serve
    /// laptops, whose cards are on PCI and state that.
    private var busByDriver: Bus? { self[.alsaDriverName]?.hasPrefix("snd_soc_") ?? false ? .platform : nil }

    /// Whether the card states that it is part of the computer, which many built-in cards do not.
    var isInternal: Bool { self[.deviceFormFactor] == "internal" || (self[.deviceBus] == nil && bus == .platform) }

    /// Whether the node carries all channels of the card directly, without a route.
    var isProAudio: Bool {
        guard route == nil, !isOtherRoute else { return false }
        return nodeProfile?.hasPrefix("pro-") ?? false || node?.properties[.deviceRoutes] == "0"
            || device?.activeProfile?.name == "pro-audio"
    }
}
