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
        return sinks.isEmpty ? isDefaultOutputMuted : sinks.allSatisfy { isMuted($0, .output) }
    }

    private var isDefaultOutputMuted: Bool {
        guard let name = defaultSinkName else { return false }
        return nodes.first(named: name) { $0.isPort ? isMuted($0, .output) : nil } ?? false
    }
}
