import AudioSessionCore

/// Lists the ports of a computer from its graph.
struct DumpPorts {
    private let graph: AudioGraph
    private let nodes: [PortUsage]

    init(_ graph: AudioGraph) {
        self.graph = graph
        nodes = [PortDirection.output, .input].flatMap { direction in
            graph.nodes.values.sorted { ($0.label ?? "", $0.id) < ($1.label ?? "", $1.id) }
                .compactMap { graph.usage(of: $0, direction: direction) }
        }
    }

    var all: [PipeWireDump.Port] {
        let devices = graph.devices.values.sorted { ($0.name ?? "", $0.id) < ($1.name ?? "", $1.id) }
        return nodes.map { PipeWireDump.Port($0.port, active: !($0.evidence.route?.isEmptyJack ?? false)) }
            + devices.flatMap(routes)
            + devices.flatMap(bare)
    }

    /// The device routes that no node uses: first active ones whose node is missing from the dump,
    /// then the selectable ones.
    private func routes(of device: Device) -> [PipeWireDump.Port] {
        let used = nodes.filter { $0.evidence.device?.id == device.id }.compactMap(\.evidence.route)
        let active = device.activeRoutes.filter { route in !used.contains { $0.isSame(as: route) } }
        let others = device.routes.filter { route in !(used + active).contains { $0.isSame(as: route) } }
        return active.map { port($0, of: device, active: !$0.isEmptyJack) }
            + others.sorted(by: isListedBefore).map { port($0, of: device, active: false) }
    }

    private func isListedBefore(_ left: DeviceRoute, _ right: DeviceRoute) -> Bool {
        (left.direction == .output ? 0 : 1, -left.priority, left.index)
            < (right.direction == .output ? 0 : 1, -right.priority, right.index)
    }

    private func port(_ route: DeviceRoute, of device: Device, active: Bool) -> PipeWireDump.Port {
        let node = nodes.first { usage in
            guard let node = usage.node, node.deviceID == device.id, !usage.port.isThroughFilter else { return false }
            return graph.routes(thatCanServe: node, of: device, direction: route.direction).contains(route)
                && usage.port.direction == route.direction
        }
        return PipeWireDump.Port(graph.usage(of: route, of: device, node: node?.node).port, active: active)
    }

    /// The port of a card that an excerpt contains without nodes and routes.
    ///
    /// The card has a port only if its own properties determine the type. This holds for a USB card
    /// but not for an internal card.
    private func bare(_ device: Device) -> [PipeWireDump.Port] {
        guard device.routes.isEmpty, device.activeRoutes.isEmpty,
            !nodes.contains(where: { $0.evidence.device?.id == device.id })
        else { return [] }
        return device.directions.compactMap { direction in
            let evidence = PortEvidence(device: device, direction: direction, isOtherRoute: true)
            let answer = PortTyping.classify(evidence)
            guard ![.unknown, .virtual].contains(answer.type) else { return nil }
            return PipeWireDump.Port(PortDescription(answer, evidence, through: nil), active: false)
        }
    }
}

extension Device {
    /// The directions that the device's profiles allow, those of the active profile first.
    ///
    /// A Bluetooth device without a profile is not connected, so it has no directions.
    fileprivate var directions: [PortDirection] {
        let isBluetooth =
            name?.hasPrefix("bluez_card.") ?? false || properties[.deviceAPI]?.hasPrefix("bluez") ?? false
        let active = activeProfile.map { [$0] } ?? []
        let names = (isBluetooth || !active.isEmpty ? active : profiles).map(\.name).filter { $0 != "off" }
        guard !names.isEmpty else { return isBluetooth ? [] : PortDirection.bothWays }
        return PortDirection.bothWays.filter { direction in names.contains { $0.allows(direction) } }
    }
}

extension DeviceRoute {
    /// Whether the jack is empty. A screen keeps its node and its active route while no screen is
    /// connected; sound sent to it is lost.
    fileprivate var isEmptyJack: Bool { availability == .no }
}

extension PortDirection {
    fileprivate static let bothWays: [PortDirection] = [.output, .input]
}

extension String {
    /// Whether a profile with this name has nodes of the given direction. A name that does not
    /// state a direction allows both.
    fileprivate func allows(_ direction: PortDirection) -> Bool {
        let isOutput = contains("output:") || hasSuffix("sink") || hasPrefix("a2dp-sink") || hasPrefix("asha")
        let isInput = contains("input:") || hasSuffix("source") || hasPrefix("a2dp-source")
        guard isOutput || isInput else { return true }
        return direction == .output ? isOutput : isInput
    }
}
