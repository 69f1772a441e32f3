/// What is known of the machine's audio at one moment.
package struct AudioGraph: Sendable, Hashable {
    /// Only nodes whose properties are all known.
    package var nodes = NodeTable()
    /// Bound nodes, whole or not, that the graph runs.
    package var runningNodes: Set<ObjectID> = []
    /// Only devices whose properties, profiles and routes are all known.
    package var devices = DeviceTable()
    package var links = LinkTable()
    package var clients: [ObjectID: Client] = [:]
    /// `node.name` of the default sink (`default.audio.sink`); the node need not exist.
    package var defaultSinkName: String?
    /// `node.name` of the default source (`default.audio.source`); the node need not exist.
    package var defaultSourceName: String?
    /// `node.name` of the sink that was chosen as default (`default.configured.audio.sink`); the node need not exist.
    package var configuredSinkName: String?
    /// The same for the source.
    package var configuredSourceName: String?
    /// The client whose metadata holds the defaults; `nil` while no session manager runs.
    package var sessionManager: ObjectID?
    /// Nodes that are muted, among those of which it is known.
    package var mutedNodes: Set<ObjectID> = []
    /// The daemon's own settings; `nil` if this program is not shown any.
    package var settings: ObjectID?
    package var isSilentMode = false
    /// Of nodes' own mixers, among those of which they are known: linear, one for each channel.
    package var volumes: [ObjectID: [Float]] = [:]
    package var clock = ClockSettings()

    package init() {}

    /// `node.name` of the session manager's default for a direction.
    package func defaultName(_ direction: PortDirection) -> String? {
        direction == .output ? defaultSinkName : defaultSourceName
    }

    /// `node.name` of what was chosen as default for a direction.
    package func configuredName(_ direction: PortDirection) -> String? {
        direction == .output ? configuredSinkName : configuredSourceName
    }

    package func isPort(_ node: ObjectID, _ direction: PortDirection) -> Bool {
        nodes[node]?.isPort(direction) ?? false
    }

    package func device(named name: String?) -> Device? {
        guard let name else { return nil }
        return devices.values.first { $0.name == name }
    }
}

extension AudioGraph {
    /// The links through which these nodes play.
    package func links(from nodes: Set<ObjectID>) -> [ObjectID: Link] {
        let found = nodes.flatMap { node in links.at(node).filter { $0.outputNode == node } }
        return Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    }
}
