/// The hardware's own node at the end of a chain of filters.
package struct RealNode: Sendable, Hashable {
    package var node: Node
    /// Whether there was any filter on the way.
    package var isThroughFilter = false
    /// Whether a filter was followed by what it asks for, since it is not linked to anything.
    package var isAsked = false
}

extension AudioGraph {
    /// Follows filters, loopbacks and echo cancellers to the node whose port is heard.
    ///
    /// A filter that leads to nothing, to several devices or in a circle is its own end.
    package func realNode(behind node: Node, direction: PortDirection) -> RealNode {
        var current = RealNode(node: node)
        // Nobody stacks eight filters. The limit also ends a circle, in which no node is the real one.
        for _ in 0..<8 {
            guard let next = step(from: current.node, direction: direction) else { return current }
            current = RealNode(
                node: next.node, isThroughFilter: true, isAsked: current.isAsked || next.isAsked)
        }
        return RealNode(node: node)
    }

    private func step(from node: Node, direction: PortDirection) -> RealNode? {
        if node.isTwin { return twinTarget(of: node, direction: direction).map { RealNode(node: $0) } }
        guard node.linkGroup != nil else { return nil }
        if node.deviceID == nil { return end(of: node, direction: direction) }
        // A loopback that stands in for a card's node keeps the node's number, and so needs no following.
        guard node.profileDevice == nil else { return nil }
        return target(of: node, direction: direction).map { RealNode(node: $0) }
    }

    /// The other half of a filter: the stream that carries what the node plays, or brings what it records.
    private func otherHalves(of node: Node, direction: PortDirection) -> [Node] {
        guard let group = node.linkGroup else { return [] }
        return nodes.inLinkGroup(group).filter { $0.mediaClass?.isHalf(direction) ?? false }
    }

    /// Whether a node is a part of a filter. (A stream that is the only node of its group is none.)
    func isOfFilter(_ id: ObjectID) -> Bool {
        guard let group = nodes[id]?.linkGroup else { return false }
        return nodes.inLinkGroup(group).count > 1
    }

    func isOfFilter(_ link: Link) -> Bool { isOfFilter(link.outputNode) || isOfFilter(link.inputNode) }

    /// Whether a node is a filter that is linked to nothing: the session manager has yet to link it anew.
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

    /// The one port that the filter's streams are linked to, else the one that they ask for.
    private func end(of node: Node, direction: PortDirection) -> RealNode? {
        let ends = ends(of: otherHalves(of: node, direction: direction), direction)
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

    /// SteamOS puts a loopback of a like name before each node of a card.
    ///
    /// Where the excerpt does not hold the card's node, its name still tells what it would be.
    private func twinTarget(of node: Node, direction: PortDirection) -> Node? {
        if let target = target(of: node, direction: direction) { return target }
        guard let name = node.name.flatMap(Node.nameBehindTwin) else { return nil }
        // Names are unique but for a moment; then the older node answers.
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

    /// Of SteamOS's loopback before a node of a card.
    var areOfTwin: Bool { self[.nodeName]?.hasPrefix(Self.twinPrefix) ?? false || flag(.alsaLoopback) }
}

extension Node {
    fileprivate static func nameBehindTwin(_ name: String) -> String? {
        guard name.hasPrefix(Properties.twinPrefix) else { return nil }
        let rest = name.dropFirst(Properties.twinPrefix.count)
        return String(rest.hasPrefix("stereo.") ? rest.dropFirst("stereo.".count) : rest)
    }

    /// Whether the node is a port that a filter may lead to. A source that records what a sink plays leads to no port.
    fileprivate func isEnd(of filter: Node, _ direction: PortDirection) -> Bool {
        id != filter.id && mediaClass?.canEnd(direction) ?? false
    }

    /// What names the node: `node.name`, else its description where a tool for people showed no more.
    package var label: String? { name ?? properties[.nodeDescription] }
}
