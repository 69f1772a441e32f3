/// The hardware's own node at the end of a chain of filters.
package struct RealNode: Sendable, Hashable {
    package var node: Node
    /// Whether there is any filter on the path.
    package var isThroughFilter = false
    /// Whether the path has a filter without links, which leads to the target that it requests.
    package var isAsked = false
}

extension AudioGraph {
    /// Follows filters, loopbacks and echo cancellers to the node of the hardware.
    ///
    /// A filter that leads to no device, to several devices or into a cycle is its own end.
    package func realNode(behind node: Node, direction: PortDirection) -> RealNode {
        var current = RealNode(node: node)
        var hasVirtualDevice = false
        // The limit ends cycles. Chains of eight filters do not occur in practice.
        for _ in 0..<8 {
            guard let next = step(from: current.node, direction: direction) else {
                return hasVirtualDevice && current.node.deviceID == nil ? RealNode(node: node) : current
            }
            if current.node.isVirtualDevice { hasVirtualDevice = true }
            current = RealNode(
                node: next.node, isThroughFilter: true, isAsked: current.isAsked || next.isAsked)
        }
        return RealNode(node: node)
    }

    private func step(from node: Node, direction: PortDirection) -> RealNode? {
        if node.isTwin { return twinTarget(of: node, direction: direction).map { RealNode(node: $0) } }
        if node.isVirtualDevice { return linkedPort(behind: node, direction: direction).map { RealNode(node: $0) } }
        guard node.linkGroup != nil else { return nil }
        if node.deviceID == nil { return end(of: node, direction: direction) }
        // A loopback that replaces a card's node keeps the node's number, so it is not followed.
        guard node.profileDevice == nil else { return nil }
        return target(of: node, direction: direction).map { RealNode(node: $0) }
    }

    /// Returns the one port to which the links of a virtual device lead, through the nodes of the
    /// program that processes its sound.
    private func linkedPort(behind node: Node, direction: PortDirection) -> Node? {
        guard nodes.virtualDeviceCount <= Self.mostVirtualDevices, links.count(at: node.id) > 0 else { return nil }
        var passed: Set<ObjectID> = [node.id]
        var waiting = [node.id]
        var found: Node?
        var count = 0
        while let id = waiting.popLast() {
            count += links.count(at: id)
            // Programs for effects have a few nodes.
            guard count <= Self.mostLinks else { return nil }
            for link in links.at(id) {
                let (start, end) =
                    direction == .output ? (link.outputNode, link.inputNode) : (link.inputNode, link.outputNode)
                guard start == id, passed.insert(end).inserted else { continue }
                guard let next = nodes[end] else {
                    waiting.append(end)
                    continue
                }
                if next.isEnd(of: node, direction) {
                    guard found == nil else { return nil }
                    found = next
                } else if let group = next.linkGroup {
                    for half in nodes.inLinkGroup(group) where passed.insert(half.id).inserted {
                        waiting.append(half.id)
                    }
                }
            }
        }
        return found
    }

    /// Whether a link may determine the hardware behind a port.
    func leadsToRealNode(_ link: Link) -> Bool { isOfFilter(link) || isBehindVirtualDevice(link) }

    var linksToRealNodes: [ObjectID] { links.values.filter(leadsToRealNode).map(\.id) }

    /// The largest number of links that are followed. A node has one for each channel.
    private static let mostLinks = 256

    /// The largest number of virtual devices that are followed.
    private static let mostVirtualDevices = 32

    /// Whether a link may be a part of the path behind a virtual device. A link of a stream to such
    /// a sink is not.
    private func isBehindVirtualDevice(_ link: Link) -> Bool {
        guard (1...Self.mostVirtualDevices).contains(nodes.virtualDeviceCount) else { return false }
        guard let start = nodes[link.outputNode], let end = nodes[link.inputNode] else { return true }
        return start.isVirtualDevice && start.isPort(.output) || end.isVirtualDevice && end.isPort(.input)
    }

    /// Returns the other halves of a filter: the streams that carry what the node plays, or that
    /// bring what it records.
    private func otherHalves(of node: Node, direction: PortDirection) -> [Node] {
        guard let group = node.linkGroup else { return [] }
        return nodes.inLinkGroup(group).filter { $0.mediaClass?.isHalf(direction) ?? false }
    }

    /// Whether a node is part of a filter. A stream that is the only node of its group is not.
    func isOfFilter(_ id: ObjectID) -> Bool {
        guard let group = nodes[id]?.linkGroup else { return false }
        return nodes.inLinkGroup(group).count > 1
    }

    func isOfFilter(_ link: Link) -> Bool { isOfFilter(link.outputNode) || isOfFilter(link.inputNode) }

    /// Whether a node is a filter without links, because the session manager has not linked it yet.
    func isUnlinkedFilter(_ id: ObjectID, _ direction: PortDirection) -> Bool {
        guard let node = nodes[id], node.linkGroup != nil else { return false }
        let end = realNode(behind: node, direction: direction).node
        guard end.deviceID == nil else { return false }
        let halves = otherHalves(of: end, direction: direction)
        return !halves.isEmpty && ends(of: halves, direction).isEmpty
    }

    private func ends(of halves: [Node], _ direction: PortDirection) -> [ObjectID] {
        halves.flatMap { half in
            links.at(half.id).compactMap { link in
                switch direction {
                case .output: link.outputNode == half.id ? link.inputNode : nil
                case .input: link.inputNode == half.id ? link.outputNode : nil
                }
            }
        }
    }

    /// Returns the one port that the filter's streams are linked to, or else the one that they
    /// request.
    private func end(of node: Node, direction: PortDirection) -> RealNode? {
        let halves = otherHalves(of: node, direction: direction)
        guard halves.reduce(0, { $0 + links.count(at: $1.id) }) <= Self.mostLinks else { return nil }
        let ends = ends(of: halves, direction)
        guard !ends.isEmpty else {
            return target(of: node, direction: direction).map { RealNode(node: $0, isAsked: true) }
        }
        let found = Set(ends).compactMap { nodes[$0] }.filter { $0.isEnd(of: node, direction) }
        return found.count == 1 ? found.first.map { RealNode(node: $0) } : nil
    }

    private func target(of node: Node, direction: PortDirection) -> Node? {
        let targets = Set(otherHalves(of: node, direction: direction).compactMap { $0.properties[.targetObject] })
        guard targets.count == 1, let target = targets.first else { return nil }
        return nodes.known(as: target).first {
            ($0.name == target || $0.properties[.objectSerial] == target) && $0.isEnd(of: node, direction)
        }
    }

    /// Returns the target of SteamOS's loopback, which has a similar name as the card's node behind
    /// it.
    ///
    /// If the data lacks the card's node, its name still determines it.
    private func twinTarget(of node: Node, direction: PortDirection) -> Node? {
        if let target = target(of: node, direction: direction) { return target }
        guard let name = node.name.flatMap(Node.nameBehindTwin) else { return nil }
        // Names are unique except for a moment. The older node is then used.
        if let found = nodes.known(as: name).first(where: { $0.name == name }) { return found }
        var real = node
        for key in [PropertyKey.alsaLoopback, .nodeLinkGroup, .nodeVirtual] { real.properties[key] = nil }
        real.properties[.nodeName] = name
        real.id = ObjectID(.max)
        return real
    }
}

extension Properties {
    fileprivate static let twinPrefix = "alsa_loopback_device."

    /// Whether these are the properties of SteamOS's loopback before a card's node.
    var areOfTwin: Bool { self[.nodeName]?.hasPrefix(Self.twinPrefix) ?? false || flag(.alsaLoopback) }
}

extension Node {
    fileprivate static func nameBehindTwin(_ name: String) -> String? {
        guard name.hasPrefix(Properties.twinPrefix) else { return nil }
        let rest = name.dropFirst(Properties.twinPrefix.count)
        return String(rest.hasPrefix("stereo.") ? rest.dropFirst("stereo.".count) : rest)
    }

    /// Whether the node is a port that a filter may lead to. A source that records a sink's monitor
    /// leads to no port.
    fileprivate func isEnd(of filter: Node, _ direction: PortDirection) -> Bool {
        id != filter.id && mediaClass?.canEnd(direction) ?? false
    }

    /// The name of the node: `node.name`, or the description in the output of a tool that shows no
    /// more.
    package var label: String? { name ?? properties[.nodeDescription] }
}
