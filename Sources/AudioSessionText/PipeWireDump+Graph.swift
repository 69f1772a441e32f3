package import AudioSessionCore

extension PipeWireDump {
    /// What a dump of a running PipeWire would say, without the detour through a file.
    package init(graph: AudioGraph) {
        self.graph = graph
        ports = DumpPorts(graph).all
    }
}
