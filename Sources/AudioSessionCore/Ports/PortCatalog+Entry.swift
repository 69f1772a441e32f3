extension PortCatalog {
    /// A node's port, the other ports that its card could serve, and the data from which they were
    /// derived.
    struct Entry: Sendable {
        let key: Key
        private let ports: Ports
        private var device: Device?
        /// The ports whose jack is not known to be empty.
        private(set) var available: [PortUsage]

        /// The part that does not depend on the jacks.
        private final class Ports: Sendable {
            let node: Node
            let real: RealNode
            let usage: PortUsage?
            /// The ports of other routes in the card's order, and the index of each route.
            let others: [PortUsage]
            let routeIndices: [Int]

            init(
                _ node: Node, _ real: RealNode, _ usage: PortUsage?, _ others: [(usage: PortUsage, index: Int)]
            ) {
                (self.node, self.real, self.usage) = (node, real, usage)
                self.others = others.map(\.usage)
                routeIndices = others.map(\.index)
            }
        }

        init(_ key: Key, _ node: Node, _ real: RealNode, _ device: Device?, _ graph: AudioGraph, former: Entry?) {
            let known = former?.usages(of: node, real, device) ?? []
            let usage = graph.usage(of: node, as: real, key.direction, former: known)
            let others = usage.map { graph.otherUsages($0, former: known) } ?? []
            ports = Ports(node, real, usage, others)
            (self.key, self.device) = (key, device)
            available = ((usage.map { [$0] } ?? []) + ports.others).filter { $0.evidence.route?.availability != .no }
        }

        var usage: PortUsage? { ports.usage }

        var end: (port: PortDescription, hardware: ObjectID)? {
            ports.usage.map { ($0.port, ports.real.node.id) }
        }

        /// Returns the ports that are still valid for this node and device.
        private func usages(of node: Node, _ real: RealNode, _ device: Device?) -> [PortUsage] {
            guard let usage, ports.node == node, ports.real == real,
                self.device.isEquivalent(to: device, by: { $0.isEquivalent(to: $1) })
            else { return [] }
            return [usage] + ports.others
        }

        /// Returns the entry with the same ports for the present device; `nil` if they must be
        /// derived again.
        func updated(_ node: Node, _ real: RealNode, _ device: Device?, _ graph: AudioGraph) -> Entry? {
            // Usually these are the identical objects, which makes the comparison fast.
            guard ports.node == node, ports.real == real else { return nil }
            guard let device else { return self.device == nil ? self : nil }
            var comparison = DeviceComparison(device)
            return updated(device, graph, &comparison)
        }

        private func updated(_ device: Device, _ graph: AudioGraph, _ comparison: inout DeviceComparison) -> Entry? {
            guard let former = self.device else { return nil }
            if former.isTriviallyIdentical(to: device) { return self }
            guard let usage else { return former == device ? self : nil }
            guard comparison.isEquivalent(to: former) else { return nil }
            let active = graph.activeRoute(of: ports.real.node, direction: key.direction)
            guard usage.evidence.isRouteAssumed == active?.isAssumed ?? false,
                usage.isStillReported(by: active?.route)
            else { return nil }
            var available: [PortUsage] = []
            available.reserveCapacity(1 + ports.others.count)
            if active?.route.availability != .no { available.append(usage) }
            for (other, index) in zip(ports.others, ports.routeIndices) {
                let route = device.routes[index]
                guard other.isJackStillReported(of: route) else { return nil }
                if route.availability != .no { available.append(other) }
            }
            var entry = self
            (entry.device, entry.available) = (device, available)
            return entry
        }

        func isOf(_ device: ObjectID) -> Bool { self.device?.id == device }

        /// Returns the entry of the same node with the present state of its device.
        func remade(_ device: Device, _ graph: AudioGraph, _ comparison: inout DeviceComparison) -> Entry {
            updated(device, graph, &comparison) ?? Entry(key, ports.node, ports.real, device, graph, former: self)
        }

        func offersTheSame(as former: Entry) -> Bool { available.elementsEqual(former.available, by: ===) }
    }
}

extension PortUsage {
    /// Whether the port follows from the present state of its route.
    fileprivate func isStillReported(by route: DeviceRoute?) -> Bool {
        evidence.route.isEquivalent(to: route) { $0.isEquivalent(to: $1) } && isJackStillReported(of: route)
    }

    fileprivate func isJackStillReported(of route: DeviceRoute?) -> Bool {
        evidence.isJackSensed == route?.isJackSensed ?? false || !isReportedByJack
    }
}

/// A comparison of a device with its former states in entries. Usually these are identical, and
/// compared once.
struct DeviceComparison {
    private let device: Device
    private var last: (former: Device, isSame: Bool)?

    init(_ device: Device) { self.device = device }

    mutating func isEquivalent(to former: Device) -> Bool {
        if let last, last.former.isTriviallyIdentical(to: former) { return last.isSame }
        let isSame = former.isEquivalent(to: device)
        last = (former, isSame)
        return isSame
    }
}

// Jacks and volumes change often, and do not affect a card's ports. A jack's sensor affects them
// where ``PortEvidence/isReportedByJack``.

extension PortEvidence {
    /// Whether both describe the same port, if their nodes and devices are known to be equivalent.
    func isEquivalent(to other: Self) -> Bool {
        direction == other.direction && isOtherRoute == other.isOtherRoute && isRouteAssumed == other.isRouteAssumed
            && (isJackSensed == other.isJackSensed || !isReportedByJack)
            && route.isEquivalent(to: other.route) { $0.isEquivalent(to: $1) }
    }
}

extension Device {
    func isEquivalent(to other: Self) -> Bool {
        id == other.id && properties == other.properties
            && activeProfile.isEquivalent(to: other.activeProfile) { $0.isEquivalent(to: $1) }
            && (profiles == other.profiles || profiles.elementsEqual(other.profiles) { $0.isEquivalent(to: $1) })
            && areRoutesEquivalent(by: other)
    }

    private func areRoutesEquivalent(by other: Self) -> Bool {
        // The loop uses spans, because taking routes out of the arrays would copy them.
        let (routes, others) = (routes.span, other.routes.span)
        guard routes.count == others.count else { return false }
        for index in routes.indices where !routes[index].isEquivalent(to: others[index]) { return false }
        return true
    }
}

extension DeviceProfile {
    fileprivate func isEquivalent(to other: Self) -> Bool { index == other.index && name == other.name }
}

extension Optional {
    fileprivate func isEquivalent(to other: Self, by areEquivalent: (Wrapped, Wrapped) -> Bool) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return areEquivalent(self, other)
    }
}
