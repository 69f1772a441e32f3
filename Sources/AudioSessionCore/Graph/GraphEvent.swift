/// An event of PipeWire, decoded to values.
package enum GraphEvent: Sendable, Hashable {
    /// A node exists, with only the properties of the registry. The event is not sent for nodes
    /// that are bound when they appear (``RegistryInterest/isBound``).
    case nodeAppeared(Node)
    /// All properties of a bound node.
    case nodeProperties(ObjectID, Properties)
    case nodeState(ObjectID, NodeState)
    /// Whether a node's own mixer is muted. The event is sent only for nodes of
    /// ``GraphCommand/watchMute(_:)``.
    case nodeMuted(ObjectID, Bool)
    /// The volumes of a node's own mixer, linear, one for each channel. The event is sent only for
    /// the same nodes.
    case nodeVolumes(ObjectID, [Float])
    case deviceAppeared(ObjectID, Properties)
    /// All properties of a bound device.
    case deviceProperties(ObjectID, Properties)
    case deviceRoutes(ObjectID, [DeviceRoute])
    case deviceActiveRoutes(ObjectID, [DeviceRoute])
    case deviceProfiles(ObjectID, [DeviceProfile])
    case deviceActiveProfile(ObjectID, DeviceProfile?)
    /// A `Session` object exists, whose properties may contain an ``Announcement``.
    case sessionObjectAppeared(ObjectID, Properties)
    case linkAppeared(Link)
    case clientAppeared(Client)
    case metadataAppeared(ObjectID, Properties)
    /// The session manager's default for a direction, by `node.name`.
    case defaultChanged(PortDirection, String?)
    /// The node that the user or a program chose as default, by `node.name`. The session manager
    /// uses it while it is available.
    case configuredDefaultChanged(PortDirection, String?)
    /// The silent mode in PipeWire's settings.
    case silentModeChanged(Bool)
    /// The clock in PipeWire's settings.
    case clockChanged(ClockSettings)
    case disappeared(ObjectID)
    /// Everything that the daemon sent before ``GraphCommand/barrier(_:)`` was processed has
    /// arrived.
    case barrier(Barrier)
}

/// A command to PipeWire.
package enum GraphCommand: Sendable, Hashable {
    /// Bind this object, which then sends all its properties.
    case bind(ObjectID, ObjectType)
    /// Notify of the defaults in this metadata object, and in no other.
    case readDefaults(of: ObjectID)
    /// Notify of the settings in this metadata object, and in no other.
    case readSettings(of: ObjectID)
    /// Notify of the mute and the volumes of this bound node from now on.
    case watchMute(ObjectID)
    /// Write silent mode to PipeWire's settings, a bound metadata object. A refusal is not
    /// reported.
    case setSilentMode(Bool, in: ObjectID)
    /// Switch a bound device to the route with this index, for its node `number`, without storing
    /// it.
    case setRoute(ObjectID, index: Int, number: Int)
    /// Switch a bound device to the profile with this index, without storing it.
    case setProfile(ObjectID, index: Int)
    /// Set the volumes of an active route of a bound device, for its node `number`, and let them be
    /// stored.
    case setRouteVolumes(ObjectID, index: Int, number: Int, [Float])
    /// Set the volumes of a bound node's own mixer. The session manager may store them.
    case setNodeVolumes(ObjectID, [Float])
    /// Play a bound stream at these volumes instead of its own, until those are set. They are not
    /// stored.
    case setSoftVolumes(ObjectID, [Float], isMuted: Bool)
    case barrier(Barrier)
}

package enum ObjectType: Sendable, Hashable {
    case node, device, metadata, session
}

/// The purpose of a barrier.
package enum Barrier: Sendable, Hashable {
    /// The initial sync of a connection.
    case initial(round: Int)
    /// The parameters of a new device.
    case device(ObjectID)
    /// The events that belong to one change of routes, and the session manager's defaults.
    case routes
    /// The events that belong to one change of the available ports.
    case ports
    /// A token of this process, with everything before it.
    case token(TokenName)
    /// A round trip of a caller, by the caller's own number.
    case question(UInt64)
}

package enum NodeState: Int32, Sendable, Hashable {
    case error = -1
    case creating = 0
    case suspended = 1
    case idle = 2
    case running = 3
}

/// The identity of a connection: the daemon's run, and this client.
package struct ConnectionIdentity: Sendable, Hashable {
    /// A random number that the daemon generates when it starts.
    package var cookie: UInt32
    package var client: ObjectID

    package init(cookie: UInt32, client: ObjectID) {
        self.cookie = cookie
        self.client = client
    }
}
