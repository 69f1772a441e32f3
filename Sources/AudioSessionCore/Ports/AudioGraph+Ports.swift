extension AudioGraph {
    /// Returns the port that a program uses when its stream is linked to `node`; `nil` if the node
    /// is no port in that direction.
    ///
    /// The nodes that are no ports are programs' streams, the inner halves of filters, and the
    /// dummy output that replaces a missing device.
    package func port(for node: Node, direction: PortDirection) -> PortDescription? {
        usage(of: node, direction: direction)?.port
    }

    /// Returns the port of the session manager's default for a direction.
    package func defaultPort(_ direction: PortDirection) -> PortDescription? {
        guard let name = defaultName(direction) else { return nil }
        let found = nodes.known(as: name).filter { $0.label == name }
        return found.lazy.compactMap { port(for: $0, direction: direction) }.first
    }

    /// Returns all ports that can be used now, ordered by card and then by the card's own
    /// preference.
    ///
    /// In addition to the ports in use, these are the other routes that the card's present nodes
    /// can serve. An empty jack is no port, a jack without a sensor is one.
    package func availablePorts(_ direction: PortDirection) -> [PortDescription] {
        PortCatalog(of: self).available(direction)
    }
}

/// A port with the data from which it was derived.
///
/// The type is a class because its values are large, and lists of ports are built, sorted and
/// stored.
package final class PortUsage: Sendable {
    /// The node that a program's stream is linked to. It need not be the hardware's own node.
    package let node: Node?
    /// The data at the time when the port was derived. Jacks and volumes may have changed since.
    package let evidence: PortEvidence
    package let port: PortDescription
    let order: (String, Int, String)
    /// Whether the sensor of its jack affects the type of the port.
    let isReportedByJack: Bool

    init(_ node: Node?, _ evidence: PortEvidence, _ port: PortDescription) {
        (self.node, self.evidence, self.port) = (node, evidence, port)
        order = (port.deviceName ?? port.nodeName ?? "", -(evidence.route?.priority ?? 0), port.uid)
        isReportedByJack = evidence.isReportedByJack
    }
}

extension AudioGraph {
    /// Derives the port of a node with its active route.
    package func usage(of node: Node, direction: PortDirection) -> PortUsage? {
        guard node.isPort(direction) else { return nil }
        return usage(of: node, as: realNode(behind: node, direction: direction), direction)
    }

    /// Derives the port of a node with its active route, and reuses equal ports.
    /// - Parameters:
    ///   - real: The hardware's node behind the node.
    ///   - former: Ports that were derived from the same nodes before.
    func usage(
        of node: Node, as real: RealNode, _ direction: PortDirection, former: [PortUsage] = []
    ) -> PortUsage? {
        guard real.node.label != Properties.dummyName else { return nil }
        let active = activeRoute(of: real.node, direction: direction)
        let evidence = PortEvidence(
            node: real.node, device: device(of: real.node), route: active?.route, direction: direction,
            isRouteAssumed: active?.isAssumed ?? false)
        return usage(evidence, through: node, real: real, former)
    }

    /// Derives the port of a route that could be selected for `node`, or for a node that does not
    /// exist now.
    package func usage(
        of route: DeviceRoute, of device: Device, node: Node?, former: [PortUsage] = []
    ) -> PortUsage {
        let evidence = PortEvidence(
            node: node, device: device, route: route, direction: route.direction, isOtherRoute: true)
        return usage(evidence, through: node, real: nil, former)
    }

    /// Derives the ports of the card's other routes that can serve a node in the active profile,
    /// each with its index among all routes.
    func otherUsages(_ usage: PortUsage, former: [PortUsage]) -> [(usage: PortUsage, index: Int)] {
        guard let node = usage.node, !usage.port.isThroughFilter, let device = usage.evidence.device else {
            return []
        }
        return device.routes.enumerated().compactMap { index, route in
            guard device.canServe(node, by: route, usage.port.direction),
                !(usage.evidence.route.map(route.isSame) ?? false)
            else { return nil }
            return (self.usage(of: route, of: device, node: node, former: former), index)
        }
    }

    private func usage(
        _ evidence: PortEvidence, through node: Node?, real: RealNode?, _ former: [PortUsage]
    ) -> PortUsage {
        if let same = former.first(where: { $0.evidence.isEquivalent(to: evidence) }) {
            return PortUsage(node, evidence, same.port)
        }
        var answer = PortTyping.classify(evidence)
        if let real, real.isThroughFilter { answer.isThroughFilter = true }
        if let real, real.isAsked {
            answer.isUncertain = true
            answer.why += "; a filter requests it, but is not linked to it now"
        }
        return PortUsage(node, evidence, PortDescription(answer, evidence, through: node))
    }
}

extension Properties {
    fileprivate static let dummyName = "auto_null"

    /// Whether these are the properties of PipeWire's dummy output, which is silent.
    var areOfDummy: Bool { self[.nodeName] == Self.dummyName }

    /// Whether these are the properties of one member of a set of Bluetooth LE devices. Programs
    /// play to the set.
    var areOfSetMember: Bool { flag(.bluezInternal) }

    /// Whether these are the properties of an output in the network, such as an AirPlay receiver.
    var areOfNetwork: Bool {
        flag(.nodeNetwork) || self[.sessMedia] == "raop" || self[.nodeName]?.hasPrefix("raop") ?? false
    }
}

extension Node {
    func isPort(_ direction: PortDirection) -> Bool {
        !isDummy && !isSetMember && mediaClass?.isPort(direction) ?? false
    }
}
