import AudioSessionCore

/// Parts of an invented computer, for tests of the decision table.
enum Make {
    /// The evidence of a card's route, as a running PipeWire reports it.
    static func route(
        _ name: String, _ direction: PortDirection = .output, type: String? = nil, available: Availability = .unknown,
        group: String? = nil, priority: Int = 100, index: Int = 0, profiles: [Int] = [], devices: [Int] = [],
        device: Int? = nil, description: String = "", product: String? = nil
    ) -> DeviceRoute {
        DeviceRoute(
            index: index, direction: direction, name: name, description: description, priority: priority,
            availability: available, portType: type, availabilityGroup: group, productName: product,
            profiles: profiles, devices: devices, device: device)
    }

    static func card(
        _ properties: Properties = [
            .deviceAPI: "alsa", .deviceBus: "pci", .deviceName: "alsa_card.pci-0000_4b_00.2",
        ],
        id: UInt32 = 31, routes: [DeviceRoute] = [], active: [DeviceRoute] = [], profiles: [DeviceProfile] = [],
        profile: DeviceProfile? = nil
    ) -> Device {
        Device(
            id: ObjectID(id), properties: properties, routes: routes, activeRoutes: active, profiles: profiles,
            activeProfile: profile)
    }

    static func node(_ properties: Properties, id: UInt32 = 77) -> Node {
        Node(id: ObjectID(id), properties: properties)
    }

    /// A card's node of the same id as ``card(_:id:routes:active:profiles:profile:)``.
    static func sink(
        _ name: String = "alsa_output.pci-0000_4b_00.2.analog-stereo", id: UInt32 = 77, device: UInt32 = 31,
        number: Int? = 3, with more: [PropertyKey: String] = [:]
    ) -> Node {
        var properties = Properties(more)
        properties[.nodeName] = name
        properties[.mediaClass] = more[.mediaClass] ?? (name.hasPrefix("alsa_input") ? "Audio/Source" : "Audio/Sink")
        properties[.deviceID] = String(device)
        properties[.cardProfileDevice] = number.map(String.init)
        return Node(id: ObjectID(id), properties: properties)
    }

    static func graph(_ nodes: [Node], _ devices: [Device] = [], links: [(UInt32, UInt32)] = []) -> AudioGraph {
        var graph = AudioGraph()
        for node in nodes { graph.nodes[node.id] = node }
        for device in devices { graph.devices[device.id] = device }
        for (number, link) in links.enumerated() {
            let id = ObjectID(UInt32(900 + number))
            graph.links[id] = Link(id: id, outputNode: ObjectID(link.0), inputNode: ObjectID(link.1))
        }
        return graph
    }

    /// The answer for a card's route alone.
    static func classify(_ route: DeviceRoute, on card: Device = card(), node: Node? = nil) -> PortClassification {
        PortTyping.classify(PortEvidence(node: node, device: card, route: route, direction: route.direction))
    }

    /// The answer for a node alone.
    static func classify(_ node: Node, _ direction: PortDirection = .output, on card: Device? = nil)
        -> PortClassification
    {
        PortTyping.classify(PortEvidence(node: node, device: card, direction: direction))
    }
}

extension PortClassification {
    /// The answer as text: `lineOut?` means an uncertain line out.
    var short: String { type.rawValue + (isUncertain ? "?" : "") }
}
