extension PortSurvey {
    /// A port, what else its card could serve, and all that this was told from.
    final class Entry: Sendable {
        let key: Key
        let usage: PortUsage?
        let others: [PortUsage]
        private let node: Node
        private let real: RealNode
        private let device: Device?

        init(_ key: Key, _ node: Node, _ real: RealNode, _ device: Device?, _ graph: AudioGraph, former: Entry?) {
            (self.key, self.node, self.real, self.device) = (key, node, real, device)
            let known = former?.usages(of: node, real, device) ?? []
            usage = graph.usage(of: node, as: real, key.direction, former: known)
            others = usage.map { graph.otherUsages($0, former: known) } ?? []
        }

        /// What is still known of ports of these.
        private func usages(of node: Node, _ real: RealNode, _ device: Device?) -> [PortUsage] {
            guard let usage, self.node == node, self.real == real,
                self.device.tellsTheSame(as: device, by: { $0.tellsTheSame(as: $1) })
            else { return [] }
            return [usage] + others
        }

        // Mostly these are the very same objects, which takes no comparing of texts.
        func isMade(of node: Node, _ real: RealNode, _ device: Device?) -> Bool {
            self.node == node && self.real == real && self.device == device
        }
    }
}

// What is in a card's jacks and how loud it is changes often, and tells nothing of what its ports are. Whether a jack is
// sensed may, where ``PortEvidence/isToldByJack``.

extension PortEvidence {
    /// Whether both are the same port, if their nodes and devices are known to tell the same.
    func tellsTheSame(as other: Self) -> Bool {
        direction == other.direction && isOtherRoute == other.isOtherRoute && isRouteAssumed == other.isRouteAssumed
            && (isJackSensed == other.isJackSensed || !isToldByJack)
            && route.tellsTheSame(as: other.route) { $0.tellsTheSame(as: $1) }
    }
}

extension Device {
    func tellsTheSame(as other: Self) -> Bool {
        id == other.id && properties == other.properties
            && activeProfile.tellsTheSame(as: other.activeProfile) { $0.tellsTheSame(as: $1) }
            && profiles.elementsEqual(other.profiles) { $0.tellsTheSame(as: $1) }
            && routes.elementsEqual(other.routes) { $0.tellsTheSame(as: $1) }
    }
}

extension DeviceProfile {
    fileprivate func tellsTheSame(as other: Self) -> Bool { index == other.index && name == other.name }
}

extension DeviceRoute {
    fileprivate func tellsTheSame(as other: Self) -> Bool {
        index == other.index && direction == other.direction && name == other.name && priority == other.priority
            && portType == other.portType && description == other.description
            && availabilityGroup == other.availabilityGroup && productName == other.productName
            && profiles == other.profiles && devices == other.devices && device == other.device
    }
}

extension Optional {
    fileprivate func tellsTheSame(as other: Self, by tellsTheSame: (Wrapped, Wrapped) -> Bool) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return tellsTheSame(self, other)
    }
}
