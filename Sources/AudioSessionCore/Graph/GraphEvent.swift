/// News from PipeWire, decoded to values.
package enum GraphEvent: Sendable, Hashable {
    /// A node exists; its properties are only those that the registry shows. Not told of one that is bound when it comes
    /// (``RegistryInterest/isBound``).
    case nodeAppeared(Node)
    /// All properties of a bound node.
    case nodeProperties(ObjectID, Properties)
    case nodeState(ObjectID, NodeState)
    /// Whether a node's own mixer is muted; only of nodes that ``GraphCommand/watchMute(_:)`` was given for.
    case nodeMuted(ObjectID, Bool)
    /// The volumes of a node's own mixer, linear, one for each channel; of the same nodes.
    case nodeVolumes(ObjectID, [Float])
    case deviceAppeared(ObjectID, Properties)
    /// All properties of a bound device.
    case deviceProperties(ObjectID, Properties)
    case deviceRoutes(ObjectID, [DeviceRoute])
    case deviceActiveRoutes(ObjectID, [DeviceRoute])
    case deviceProfiles(ObjectID, [DeviceProfile])
    case deviceActiveProfile(ObjectID, DeviceProfile?)
    /// A `Session` object, which says something by its properties (``Announcement``).
    case sessionObjectAppeared(ObjectID, Properties)
    case linkAppeared(Link)
    case clientAppeared(Client)
    case metadataAppeared(ObjectID, Properties)
    /// The session manager's choice of default node, by `node.name`.
    case defaultChanged(PortDirection, String?)
    /// The node that a person or a program has chosen as default, by `node.name`. The session manager obeys while it is there.
    case configuredDefaultChanged(PortDirection, String?)
    /// The machine's silent mode, as PipeWire's settings have it.
    case silentModeChanged(Bool)
    /// What PipeWire's settings say of the graph's clock.
    case clockChanged(ClockSettings)
    case disappeared(ObjectID)
    /// Everything that the daemon had to tell when ``GraphCommand/barrier(_:)`` was given has been told.
    case barrier(Barrier)
}

/// What is asked of PipeWire.
package enum GraphCommand: Sendable, Hashable {
    /// Tell more about this object.
    case bind(ObjectID, ObjectType)
    /// Notify of the defaults that this metadata object has, and of no other's.
    case readDefaults(of: ObjectID)
    /// Notify of the settings that this metadata object has, and of no other's.
    case readSettings(of: ObjectID)
    /// Tell whether this bound node is muted, and of its volumes, from now on.
    case watchMute(ObjectID)
    /// Write silent mode to PipeWire's settings, a bound metadata object. A refusal is not told.
    case setSilentMode(Bool, in: ObjectID)
    /// Switch a bound device to the route with this index, for its node `number`, without having it remembered.
    case setRoute(ObjectID, index: Int, number: Int)
    /// The same for the profile with this index.
    case setProfile(ObjectID, index: Int)
    /// Set the volumes of a route that a bound device has in use for its node `number`, and have them remembered.
    case setRouteVolumes(ObjectID, index: Int, number: Int, [Float])
    /// The same for a bound node's own mixer.
    case setNodeVolumes(ObjectID, [Float])
    /// Play a bound stream at these volumes instead of its own, until somebody sets those. Nobody remembers them.
    case setSoftVolumes(ObjectID, [Float], isMuted: Bool)
    case barrier(Barrier)
}

package enum ObjectType: Sendable, Hashable {
    case node, device, metadata, session
}

/// Why somebody waits for the daemon to have told everything.
package enum Barrier: Sendable, Hashable {
    /// The initial sync.
    case initial(round: Int)
    /// A new device's parameters.
    case device(ObjectID)
    /// The news that belongs to one change of routes.
    case routes
    /// A token of ours, and all that came before it.
    case token(TokenName)
    /// Somebody's question, by the asker's own number.
    case question(UInt64)
}

package enum NodeState: Int32, Sendable, Hashable {
    case error = -1
    case creating = 0
    case suspended = 1
    case idle = 2
    case running = 3
}

/// Which run of the daemon a connection is to, and who it is there.
package struct ConnectionIdentity: Sendable, Hashable {
    /// A number that the daemon draws when it starts.
    package var cookie: UInt32
    package var client: ObjectID

    package init(cookie: UInt32, client: ObjectID) {
        self.cookie = cookie
        self.client = client
    }
}
