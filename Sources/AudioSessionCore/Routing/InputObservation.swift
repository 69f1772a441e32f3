/// Where a stream records from, as the graph shows it at one moment.
package struct InputObservation: Sendable, Hashable {
    /// The node that the stream is linked to.
    package var source: ObjectID?
    /// What is recorded; `nil` while the stream is linked to nothing, or to what is no microphone: a sink's monitor.
    package var port: PortDescription?
    /// By the user, in a mixer: the stream, the microphone, or its card.
    package var isMuted: Bool
    /// Whether the port that was recorded from before, else the present one, else any, could be.
    package var isFormerAvailable: Bool
    /// Whether it certainly cannot: its jack is empty, or its device is gone while the session manager is there, with
    /// which all devices go and come back.
    package var isFormerGone: Bool
    package var hasSessionManager: Bool

    package init(
        source: ObjectID? = nil, port: PortDescription? = nil, isMuted: Bool = false, isFormerAvailable: Bool = false,
        isFormerGone: Bool = false, hasSessionManager: Bool = true
    ) {
        self.source = source
        self.port = port
        self.isMuted = isMuted
        self.isFormerAvailable = isFormerAvailable
        self.isFormerGone = isFormerGone
        self.hasSessionManager = hasSessionManager
    }
}

extension AudioGraph {
    /// - Parameters:
    ///   - stream: the node that records; `nil` while it is not known.
    ///   - former: what it recorded from until now.
    package func observeInput(of stream: ObjectID?, former: PortDescription?) -> InputObservation {
        var observation = InputObservation(hasSessionManager: sessionManager != nil)
        let sources = stream.map { stream in Set(links.at(stream).filter { $0.inputNode == stream }.map(\.outputNode))
        }
        if let source = sources?.sorted().lazy.compactMap({ nodes[$0] }).first {
            observation.source = source.id
            observation.port = port(for: source, direction: .input)
            observation.isMuted = isMuted(source: source)
        }
        if let stream, mutedNodes.contains(stream) { observation.isMuted = true }
        if let former = former ?? observation.port {
            observation.isFormerAvailable = availablePorts(.input).contains { $0.uid == former.uid }
            observation.isFormerGone = isUnplugged(former) || isDeviceGone(former)
        } else {
            observation.isFormerAvailable = !availablePorts(.input).isEmpty
        }
        return observation
    }

    /// Cards are muted by their route, of which their node need not know.
    private func isMuted(source: Node) -> Bool {
        [source, realNode(behind: source, direction: .input).node].contains { node in
            mutedNodes.contains(node.id) || activeRoute(of: node, direction: .input)?.route.isMuted == true
        }
    }

    private func isDeviceGone(_ port: PortDescription) -> Bool {
        guard sessionManager != nil else { return false }
        if let name = port.deviceName { return device(named: name) == nil }
        return port.nodeName.map { nodes.known(as: $0).isEmpty } ?? false
    }
}
