/// The input of a stream, as the graph shows it at one moment.
package struct InputObservation: Sendable, Hashable {
    /// The node that the stream is linked to.
    package var source: ObjectID?
    /// The recorded port; `nil` while the stream has no link, or is linked to something other than
    /// a microphone, such as a sink's monitor.
    package var port: PortDescription?
    /// Whether the user has muted the stream, the microphone or its card.
    package var isMuted: Bool
    /// Whether the former port is available, or without one the present port, or else any port.
    package var isFormerAvailable: Bool
    /// Whether the former port is certainly gone: its jack is empty, or its device was removed
    /// while the session manager runs.
    ///
    /// When the session manager stops, all devices disappear until it returns.
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
    /// Observes the input of a stream.
    /// - Parameters:
    ///   - stream: The node of the stream; `nil` if it is not known.
    ///   - former: The port that was recorded until now.
    ///   - catalog: The ports of this graph.
    func observeInput(of stream: ObjectID?, former: PortDescription?, _ catalog: PortCatalog) -> InputObservation {
        var observation = InputObservation(hasSessionManager: sessionManager != nil)
        let sources = stream.map { stream in Set(links.at(stream).filter { $0.inputNode == stream }.map(\.outputNode))
        }
        if let source = sources?.sorted().lazy.compactMap({ nodes[$0] }).first {
            observation.source = source.id
            observation.port = port(for: source, direction: .input)
            observation.isMuted = isMuted(source, .input)
        }
        if let stream, mutedNodes.contains(stream) { observation.isMuted = true }
        if let former = former ?? observation.port {
            observation.isFormerAvailable = catalog.availableUsages(.input).contains { $0.port.uid == former.uid }
            observation.isFormerGone = isUnplugged(former) || isDeviceGone(former)
        } else {
            observation.isFormerAvailable = !catalog.availableUsages(.input).isEmpty
        }
        return observation
    }

    /// Whether the device of a port was removed while the session manager runs.
    func isDeviceGone(_ port: PortDescription) -> Bool {
        guard sessionManager != nil else { return false }
        if let name = port.deviceName { return device(named: name) == nil }
        return port.nodeName.map { nodes.known(as: $0).isEmpty } ?? false
    }
}
