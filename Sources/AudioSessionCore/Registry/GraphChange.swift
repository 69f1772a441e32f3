/// The change that an event caused in the graph, classified once for all consumers.
package struct GraphChange: Sendable, Hashable {
    package var effects: Effects
    /// The object that the event concerns.
    package var object: ObjectID?
    package var link: Link?
    /// The direction of a changed default.
    package var direction: PortDirection?
    /// The name of the node that was the default before.
    package var formerDefault: String?
    /// The properties of an object that may be an announcement.
    package var announcement: Properties?
    package var barrier: Barrier?
    /// The change of a token. Tokens are no part of the graph, so such a change has nothing else.
    package var token: TokenChange?
    /// The playback streams that waited for the device that the event concerns.
    package var heldStreams: [ObjectID] = []
    /// The ports that must be classified again.
    var survey = CatalogInvalidation.nothing
    /// The commands that the change requires.
    package var commands: [GraphCommand] = []

    package struct Effects: OptionSet, Sendable, Hashable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The session manager was replaced, or has ended.
        package static let sessionManager = Self(rawValue: 1)
        /// A node's properties have changed.
        package static let node = Self(rawValue: 1 << 1)
        /// A device's properties, routes or profiles have changed.
        package static let device = Self(rawValue: 1 << 2)
        /// A device became known, with the nodes that waited for it.
        package static let newDevice = Self(rawValue: 1 << 3)
        /// A device's jacks or its profile have changed, so that its ports may change.
        package static let moves = Self(rawValue: 1 << 4)
        /// The state of a device's jacks has changed.
        package static let jacks = Self(rawValue: 1 << 5)
        /// The session manager's defaults have changed.
        package static let defaults = Self(rawValue: 1 << 6)
        /// The default that the user or a program chose has changed.
        package static let configuredDefault = Self(rawValue: 1 << 7)
        /// An object was removed from the registry.
        package static let disappearance = Self(rawValue: 1 << 8)
        /// Only a node's own volume or mute has changed.
        package static let mixer = Self(rawValue: 1 << 9)
        /// A mute of any object has changed.
        package static let mutes = Self(rawValue: 1 << 10)
        /// The set of running streams may have changed, by the object of the change or by
        /// ``GraphChange/heldStreams``.
        package static let streams = Self(rawValue: 1 << 11)
        /// The volume, format or latency of the current sound has changed.
        package static let numbers = Self(rawValue: 1 << 12)
        /// The format or latency of running streams changes some cycles later.
        package static let laterNumbers = Self(rawValue: 1 << 13)
        /// The recorded inputs may have changed.
        package static let inputs = Self(rawValue: 1 << 14)
        /// PipeWire's settings have changed.
        package static let settings = Self(rawValue: 1 << 15)
        /// A known device has another profile.
        package static let profile = Self(rawValue: 1 << 16)
    }

    init(_ effects: Effects, _ object: ObjectID? = nil, _ survey: CatalogInvalidation = .nothing) {
        (self.effects, self.object, self.survey) = (effects, object, survey)
    }

    init(_ token: TokenChange) {
        effects = []
        self.token = token
    }

    /// Whether the event is the barrier of a change of routes or of the available ports.
    package var endsRouteChange: Bool { barrier == .routes || barrier == .ports }

    /// Returns the change with these additional commands.
    func asking(_ commands: [GraphCommand]) -> Self {
        var change = self
        change.commands = commands
        return change
    }
}

/// A change of a token.
package enum TokenChange: Sendable, Hashable {
    case appeared(ObjectID, Properties)
    case vanished(ObjectID)
    /// Everything that PipeWire had sent before this process's token has arrived.
    case echoed(TokenName)
}
