/// The known objects of PipeWire at one moment.
package struct AudioGraph: Sendable, Hashable {
    /// The nodes whose properties are all known.
    package var nodes = NodeTable()
    /// The bound nodes that are running, with or without all properties.
    package var runningNodes: Set<ObjectID> = []
    /// The devices whose properties, profiles and routes are all known.
    package var devices = DeviceTable()
    package var links = LinkTable()
    package var clients: [ObjectID: Client] = [:]
    /// The `node.name` of the default sink (`default.audio.sink`); the node need not exist.
    package var defaultSinkName: String?
    /// The `node.name` of the default source (`default.audio.source`); the node need not exist.
    package var defaultSourceName: String?
    /// The `node.name` of the sink chosen as default (`default.configured.audio.sink`); the node
    /// need not exist.
    package var configuredSinkName: String?
    /// The `node.name` of the source chosen as default (`default.configured.audio.source`); the
    /// node need not exist.
    package var configuredSourceName: String?
    /// The client whose metadata has the defaults; `nil` without a session manager.
    package var sessionManager: ObjectID?
    /// The muted nodes, among those whose mute is known.
    package var mutedNodes: Set<ObjectID> = []
    /// The daemon's own settings; `nil` if this program cannot see them.
    package var settings: ObjectID?
    package var isSilentMode = false
    /// The volumes of nodes' own mixers where they are known: linear, one for each channel.
    package var volumes: [ObjectID: [Float]] = [:]
    package var clock = ClockSettings()

    package init() {}

    /// Returns the `node.name` of the session manager's default for a direction.
    package func defaultName(_ direction: PortDirection) -> String? {
        direction == .output ? defaultSinkName : defaultSourceName
    }

    /// Returns the `node.name` of the node chosen as default for a direction.
    package func configuredName(_ direction: PortDirection) -> String? {
        direction == .output ? configuredSinkName : configuredSourceName
    }

    package func isPort(_ node: ObjectID, _ direction: PortDirection) -> Bool {
        nodes[node]?.isPort(direction) ?? false
    }

    /// The session manager's process by the number that the daemon reports of it, which a client
    /// cannot choose; `nil` in another process namespace.
    package var sessionManagerProcess: Int? {
        guard let process = sessionManager.flatMap({ clients[$0]?.processID }), process > 0 else { return nil }
        return process
    }

    package func device(named name: String?) -> Device? {
        guard let name else { return nil }
        return devices.values.first { $0.name == name }
    }
}

extension AudioGraph {
    /// Whether the session manager ducks streams by their roles and leaves streams without a role
    /// alone.
    ///
    /// WirePlumber 0.5 leaves them alone, unless it is configured to give such streams a role.
    /// WirePlumber 0.4 treats them as the lowest role. Only a sink of a program outside of a
    /// sandbox is evidence, because any client can give a node any property.
    package var sparesStreamsWithoutRole: Bool {
        nodes.values.contains { node in
            node.isRoleTarget && !(node.clientID.flatMap { clients[$0] }?.isSandboxed ?? false)
        }
    }

    /// Returns the links through which these nodes play.
    package func links(from nodes: Set<ObjectID>) -> [ObjectID: Link] {
        let found = nodes.flatMap { node in links.at(node).filter { $0.outputNode == node } }
        return Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    }
}
