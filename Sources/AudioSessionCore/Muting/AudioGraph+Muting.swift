extension AudioGraph {
    /// Whether anything is muted at all.
    package var isAnythingMuted: Bool {
        !mutedNodes.isEmpty || devices.values.contains { $0.activeRoutes.contains(where: \.isMuted) }
    }

    /// Whether these streams are silent because they, or the ports that they are linked to, are
    /// muted.
    ///
    /// Without links or without known streams, the default output counts.
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

    /// Whether a sink is muted. Cards are muted by their device route, which need not show at the
    /// node.
    private func isMuted(sink: Node) -> Bool {
        [sink, realNode(behind: sink, direction: .output).node].contains { node in
            mutedNodes.contains(node.id) || activeRoute(of: node, direction: .output)?.route.isMuted == true
        }
    }
}
