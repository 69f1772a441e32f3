/// The hardware's own node at the end of a chain of filters.
package struct RealNode: Sendable, Hashable {
    package var node: Node
    /// Whether there was any filter on the way.
    package var isThroughFilter: Bool
}

extension AudioGraph {
    /// Follows filters, loopbacks and echo cancellers to the node whose port is heard.
    ///
    /// A filter that leads to nothing, to several devices or in a circle is its own end.
    package func realNode(behind node: Node, direction: PortDirection) -> RealNode {
        var current = node
        var visited: Set<ObjectID> = []
        // Nobody stacks eight filters; the limit is for graphs made to be followed for ever.
        for _ in 0..<8 {
            guard visited.insert(current.id).inserted else { break }
            guard let next = step(from: current, direction: direction) else {
                return RealNode(node: current, isThroughFilter: current != node)
            }
            current = next
        }
        return RealNode(node: node, isThroughFilter: false)
    }

    private func step(from node: Node, direction: PortDirection) -> Node? {
        if node.isTwin { return twinTarget(of: node, direction: direction) }
        guard node.properties[.nodeLinkGroup] != nil else { return nil }
        if node.deviceID == nil { return end(of: node, direction: direction) }
        // A loopback that stands in for a card's node keeps the node's number, and so needs no following.
        return node.profileDevice == nil ? target(of: node, direction: direction) : nil
    }

    /// The other half of a filter: the stream that carries what the node plays, or brings what it records.
    private func otherHalves(of node: Node, direction: PortDirection) -> [Node] {
        guard let group = node.properties[.nodeLinkGroup] else { return [] }
        let stream: MediaClass = direction == .output ? .playbackStream : .captureStream
        return nodes.values.filter { $0.properties[.nodeLinkGroup] == group && $0.mediaClass == stream }
    }

    /// The one port that the filter's streams are linked to, else the one that they ask for.
    private func end(of node: Node, direction: PortDirection) -> Node? {
        let halves = Set(otherHalves(of: node, direction: direction).map(\.id))
        let ends = links.values.compactMap { link in
            switch direction {
            case .output: halves.contains(link.outputNode) ? link.inputNode : nil
            case .input: halves.contains(link.inputNode) ? link.outputNode : nil
            }
        }
        guard !ends.isEmpty else { return target(of: node, direction: direction) }
        let found = Set(ends).compactMap { nodes[$0] }
            .filter { $0.id != node.id && $0.mediaClass?.directions.contains(direction) ?? false }
        return found.count == 1 ? found.first : nil
    }

    private func target(of node: Node, direction: PortDirection) -> Node? {
        let targets = Set(otherHalves(of: node, direction: direction).compactMap { $0.properties[.targetObject] })
        guard targets.count == 1, let target = targets.first else { return nil }
        let found = nodes.values.first { $0.name == target || $0.properties[.objectSerial] == target }
        return found == node ? nil : found
    }

    /// SteamOS puts a loopback of a like name before each node of a card.
    ///
    /// Where the excerpt does not hold the card's node, its name still tells what it would be.
    private func twinTarget(of node: Node, direction: PortDirection) -> Node? {
        if let target = target(of: node, direction: direction) { return target }
        guard let name = node.name.flatMap(Node.nameBehindTwin) else { return nil }
        if let found = nodes.values.first(where: { $0.name == name }) { return found }
        var real = node
        real.properties[.nodeName] = name
        real.properties[.alsaLoopback] = nil
        real.properties[.nodeLinkGroup] = nil
        real.properties[.nodeVirtual] = nil
        real.id = ObjectID(.max)
        return real
    }
}

extension Node {
    private static let twinPrefix = "alsa_loopback_device."

    fileprivate var isTwin: Bool { name?.hasPrefix(Self.twinPrefix) ?? false || properties.flag(.alsaLoopback) }

    fileprivate static func nameBehindTwin(_ name: String) -> String? {
        guard name.hasPrefix(twinPrefix) else { return nil }
        let rest = name.dropFirst(twinPrefix.count)
        return String(rest.hasPrefix("stereo.") ? rest.dropFirst("stereo.".count) : rest)
    }

    /// What names the node: `node.name`, else its description where a tool for people showed no more.
    package var label: String? { name ?? properties[.nodeDescription] }
}
