package import AudioSessionCore

extension PipeWireDump {
    /// Creates the dump that a running PipeWire with this graph would produce, without a file.
    package init(graph: AudioGraph) {
        self.graph = graph
        ports = DumpPorts(graph).all
    }
}
