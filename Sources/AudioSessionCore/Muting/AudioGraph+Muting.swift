extension AudioGraph {
    /// Whether it is worth asking what is muted.
    package var isAnythingMuted: Bool {
        !mutedNodes.isEmpty || devices.values.contains { $0.activeRoutes.contains(where: \.isMuted) }
    }

    /// Whether nothing is heard of these streams because they are muted, or what they are linked to is. What is linked
    /// to nothing, and sound of which no stream is known, goes to the default output.
    package func areMuted(_ streams: Set<ObjectID>) -> Bool {
        guard isAnythingMuted else { return false }
        return streams.isEmpty ? isDefaultOutputMuted : streams.allSatisfy(isMuted(stream:))
    }

    private func isMuted(stream: ObjectID) -> Bool {
        guard !mutedNodes.contains(stream) else { return true }
        let sinks = Set(links(from: [stream]).values.map(\.inputNode)).compactMap { nodes[$0] }
        return sinks.isEmpty ? isDefaultOutputMuted : sinks.allSatisfy(isMuted(sink:))
    }

    private var isDefaultOutputMuted: Bool {
        guard let name = defaultSinkName else { return false }
        return nodes.first(named: name) { $0.isPort ? isMuted(sink: $0) : nil } ?? false
    }

    /// Cards are muted by their route, of which their node need not know.
    private func isMuted(sink: Node) -> Bool {
        [sink, realNode(behind: sink, direction: .output).node].contains { node in
            mutedNodes.contains(node.id) || activeRoute(of: node, direction: .output)?.route.isMuted == true
        }
    }
}
