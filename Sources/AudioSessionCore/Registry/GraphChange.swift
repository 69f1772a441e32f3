/// What an event of PipeWire's changed in the graph: classified once, for everything that follows the graph.
package struct GraphChange: Sendable, Hashable {
    package var effects: Effects
    /// The object that the event is about.
    package var object: ObjectID?
    package var link: Link?
    /// Of a default.
    package var direction: PortDirection?
    /// Of an object that only announces something.
    package var announcement: Properties?
    package var barrier: Barrier?
    /// The ports that have to be classified anew.
    var survey = SurveyNews.nothing
    /// What is to be asked of PipeWire.
    package var commands: [GraphCommand] = []

    package struct Effects: OptionSet, Sendable, Hashable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Another session manager is there than before, or none.
        package static let sessionManager = Self(rawValue: 1)
        /// A node's properties.
        package static let node = Self(rawValue: 1 << 1)
        /// A device's properties, routes or profiles.
        package static let device = Self(rawValue: 1 << 2)
        /// A device is known now, and with it the nodes that waited for it.
        package static let newDevice = Self(rawValue: 1 << 3)
        /// A device's jacks or its profile: its ports may move.
        package static let moves = Self(rawValue: 1 << 4)
        /// What is in a device's jacks.
        package static let jacks = Self(rawValue: 1 << 5)
        /// The session manager's defaults.
        package static let defaults = Self(rawValue: 1 << 6)
        /// The default that a person or a program chose.
        package static let configuredDefault = Self(rawValue: 1 << 7)
        /// An object disappeared.
        package static let disappearance = Self(rawValue: 1 << 8)
        /// A node's own volume or mute, and nothing else.
        package static let mixer = Self(rawValue: 1 << 9)
        /// Whether something is muted.
        package static let mutes = Self(rawValue: 1 << 10)
        /// Which streams of programs run.
        package static let streams = Self(rawValue: 1 << 11)
        /// Volume, format or latency of what sounds.
        package static let numbers = Self(rawValue: 1 << 12)
        /// Format or latency of streams that run, some cycles later.
        package static let laterNumbers = Self(rawValue: 1 << 13)
        /// What is recorded from.
        package static let inputs = Self(rawValue: 1 << 14)
        /// PipeWire's settings.
        package static let settings = Self(rawValue: 1 << 15)
    }

    init(_ effects: Effects, _ object: ObjectID? = nil, _ survey: SurveyNews = .nothing) {
        (self.effects, self.object, self.survey) = (effects, object, survey)
    }

    /// With what is to be asked because of it.
    func asking(_ commands: [GraphCommand]) -> Self {
        var change = self
        change.commands = commands
        return change
    }
}
