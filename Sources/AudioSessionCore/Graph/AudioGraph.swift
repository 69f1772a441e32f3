/// What is known of the machine's audio at one moment.
package struct AudioGraph: Sendable, Hashable {
    package var nodes: [ObjectID: Node] = [:]
    package var devices: [ObjectID: Device] = [:]
    package var links: [ObjectID: Link] = [:]
    package var clients: [ObjectID: Client] = [:]
    /// `node.name` of the default sink (`default.audio.sink`); the node need not exist.
    package var defaultSinkName: String?
    /// `node.name` of the default source (`default.audio.source`); the node need not exist.
    package var defaultSourceName: String?

    package init() {}
}
