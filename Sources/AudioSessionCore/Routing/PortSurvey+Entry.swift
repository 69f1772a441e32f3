extension PortSurvey {
    /// A port, what else its card could serve, and all that this was told from.
    final class Entry: Sendable {
        let key: Key
        let usage: PortUsage?
        let others: [PortUsage]
        /// Those of them whose jack is not known to be empty.
        let available: [PortUsage]
        private let node: Node
        private let real: RealNode
        private let device: Device?

        init(_ key: Key, _ node: Node, _ real: RealNode, _ device: Device?, _ graph: AudioGraph, former: Entry?) {
            (self.key, self.node, self.real, self.device) = (key, node, real, device)
            let known = former?.usages(of: node, real, device) ?? []
            usage = graph.usage(of: node, as: real, key.direction, former: known)
            others = usage.map { graph.otherUsages($0, former: known) } ?? []
            available = ((usage.map { [$0] } ?? []) + others).filter { $0.evidence.route?.availability != .no }
        }

        private init(_ former: Entry, _ device: Device, available: [PortUsage]) {
            (key, node, real, self.device) = (former.key, former.node, former.real, device)
            (usage, others, self.available) = (former.usage, former.others, available)
        }

        /// What is still known of ports of these.
        private func usages(of node: Node, _ real: RealNode, _ device: Device?) -> [PortUsage] {
            guard let usage, self.node == node, self.real == real,
                self.device.tellsTheSame(as: device, by: { $0.tellsTheSame(as: $1) })
            else { return [] }
            return [usage] + others
        }

        /// The same ports, which these still make as far as is known; `nil`: to be made anew.
        func updated(_ node: Node, _ real: RealNode, _ device: Device?, _ graph: AudioGraph) -> Entry? {
            // Mostly these are the very same objects, which takes no comparing of texts.
            guard self.node == node, self.real == real else { return nil }
            if self.device == device { return self }
            guard let device, let usage, self.device?.tellsTheSame(as: device) ?? false else { return nil }
            let active = graph.activeRoute(of: real.node, direction: key.direction)
            guard usage.evidence.isRouteAssumed == active?.isAssumed ?? false, usage.isStillTold(by: active?.route)
            else { return nil }
            var available = active?.route.availability == .no ? [] : [usage]
            // They are in the order of the card's routes, two of which may tell the same.
            var rest = others[...]
            for route in device.routes {
                guard let other = rest.first, other.evidence.route?.tellsTheSame(as: route) ?? false else { continue }
                guard other.isStillTold(by: route) else { return nil }
                if route.availability != .no { available.append(other) }
                rest.removeFirst()
            }
            return rest.isEmpty ? Entry(self, device, available: available) : nil
        }

        func isOf(_ device: ObjectID) -> Bool { self.device?.id == device }

        /// The ports of the same node with its device as that is now.
        func remade(_ device: Device, _ graph: AudioGraph) -> Entry {
            updated(node, real, device, graph) ?? Entry(key, node, real, device, graph, former: self)
        }

        func offersTheSame(as former: Entry) -> Bool {
            self === former || available.elementsEqual(former.available, by: ===)
        }
    }
}

extension PortUsage {
    /// - Parameter route: the route that it was told from, as it is now.
    fileprivate func isStillTold(by route: DeviceRoute?) -> Bool {
        evidence.route.tellsTheSame(as: route) { $0.tellsTheSame(as: $1) }
            && (evidence.isJackSensed == route?.isJackSensed ?? false || !isToldByJack)
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

extension Optional {
    fileprivate func tellsTheSame(as other: Self, by tellsTheSame: (Wrapped, Wrapped) -> Bool) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return tellsTheSame(self, other)
    }
}
