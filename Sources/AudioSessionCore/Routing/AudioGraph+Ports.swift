extension AudioGraph {
    /// The port that a program hears or speaks through when its stream is linked to `node`.
    ///
    /// `nil` if the node is no port in that direction: a program's stream, the inner half of a filter, the dummy output
    /// that stands in when there is no device at all.
    package func port(for node: Node, direction: PortDirection) -> PortDescription? {
        usage(of: node, direction: direction)?.port
    }

    /// The port that sound goes to by default.
    package func defaultOutputPort() -> PortDescription? { port(named: defaultSinkName, direction: .output) }

    /// The port that sound is recorded from by default.
    package func defaultInputPort() -> PortDescription? { port(named: defaultSourceName, direction: .input) }

    /// Every port that could be used now, ordered by card and then by the card's own order of preference.
    ///
    /// Beside what is in use that is each other route of a card that the card's present nodes can serve. A jack with
    /// nothing in it is none; a jack that is not sensed is one.
    package func availablePorts(_ direction: PortDirection) -> [PortDescription] {
        PortSurvey(of: self).available(direction)
    }

    private func port(named name: String?, direction: PortDirection) -> PortDescription? {
        guard let name else { return nil }
        let found = nodes.known(as: name).filter { $0.label == name }
        return found.lazy.compactMap { port(for: $0, direction: direction) }.first
    }
}

/// A port, and what it was told from. By reference, since it is large, and lists of them are made, sorted and kept.
package final class PortUsage: Sendable {
    /// The node that a program's stream is linked to; it need not be the hardware's own.
    package let node: Node?
    /// As it was when the port was told: what is in jacks and how loud it is may have changed since.
    package let evidence: PortEvidence
    package let port: PortDescription
    let order: (String, Int, String)
    /// Whether another sensing of its jack may make it another port.
    let isToldByJack: Bool

    init(_ node: Node?, _ evidence: PortEvidence, _ port: PortDescription) {
        (self.node, self.evidence, self.port) = (node, evidence, port)
        order = (port.deviceName ?? port.nodeName ?? "", -(evidence.route?.priority ?? 0), port.uid)
        isToldByJack = evidence.isToldByJack
    }
}

extension AudioGraph {
    /// The port of a node with the route that is active for it.
    package func usage(of node: Node, direction: PortDirection) -> PortUsage? {
        guard node.isPort(direction) else { return nil }
        return usage(of: node, as: realNode(behind: node, direction: direction), direction)
    }

    /// - Parameters:
    ///   - real: what is behind the node.
    ///   - former: ports that the same nodes were before.
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

    /// The port that `route` would be if it were chosen for `node`, or for a node that does not exist now.
    package func usage(
        of route: DeviceRoute, of device: Device, node: Node?, former: [PortUsage] = []
    ) -> PortUsage {
        let evidence = PortEvidence(
            node: node, device: device, route: route, direction: route.direction, isOtherRoute: true)
        return usage(evidence, through: node, real: nil, former)
    }

    /// The other routes of the card that could serve a node in the active profile, each with its place among all.
    func otherUsages(_ usage: PortUsage, former: [PortUsage]) -> [(usage: PortUsage, place: Int)] {
        guard let node = usage.node, !usage.port.isThroughFilter, let device = usage.evidence.device else {
            return []
        }
        return device.routes.enumerated().compactMap { place, route in
            guard device.canServe(node, by: route, usage.port.direction),
                !(usage.evidence.route.map(route.isSame) ?? false)
            else { return nil }
            return (self.usage(of: route, of: device, node: node, former: former), place)
        }
    }

    private func usage(
        _ evidence: PortEvidence, through node: Node?, real: RealNode?, _ former: [PortUsage]
    ) -> PortUsage {
        if let same = former.first(where: { $0.evidence.tellsTheSame(as: evidence) }) {
            return PortUsage(node, evidence, same.port)
        }
        var answer = PortTyping.classify(evidence)
        if let real, real.isThroughFilter { answer.isThroughFilter = true }
        if let real, real.isAsked {
            answer.isUncertain = true
            answer.why += "; a filter asks for it but is not linked to it now"
        }
        return PortUsage(node, evidence, PortDescription(answer, evidence, through: node))
    }
}

extension Properties {
    fileprivate static let dummyName = "auto_null"

    /// Of PipeWire's stand-in for a missing device. Sound that goes there is not heard.
    var areOfDummy: Bool { self[.nodeName] == Self.dummyName }

    /// Of one device of a set of Bluetooth LE devices. Programs play to the set.
    var areOfSetMember: Bool { flag(.bluezInternal) }
}

extension Node {
    func isPort(_ direction: PortDirection) -> Bool {
        !isDummy && !isSetMember && mediaClass?.isPort(direction) ?? false
    }
}
