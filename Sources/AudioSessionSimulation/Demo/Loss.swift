import AudioSessions

/// What was measured while a player played and its output went.
struct Loss: Sendable, Hashable {
    /// What a tap heard on one sink from before the player began until long after it was to be silent.
    struct Listening: Sendable, Hashable {
        /// The sink's `node.description`, else its `node.name`.
        var sink: String
        var frames: UInt64
        var loudFrames: UInt64
        var lastLoudTime: MonotonicTime?
    }

    /// What happens, as a headline.
    var title: String
    /// The file's name.
    var file: String
    /// The port that went.
    var port: String
    /// When the player was asked to play.
    var playTime: MonotonicTime
    /// When its first frame came out of the sink.
    var firstLoudTime: MonotonicTime?
    /// What was done to the output, and when; `nil` when a person did it.
    var event: Event?
    /// When PipeWire's news of it reached this program.
    var newsTime: MonotonicTime?
    /// From when on nothing was given to PipeWire but silence.
    var gateTime: MonotonicTime?
    /// When the player's listeners were told.
    var noisyTime: MonotonicTime?
    var pauseTime: MonotonicTime?
    var routeChange: RouteChange?
    var routeTime: MonotonicTime?
    /// Frames of one cycle of the graph, at `rate` frames a second.
    var quantum: Int
    var rate: Int
    /// Whether the sink stayed, as that of a jack does.
    var isSinkLeft: Bool
    var old: Listening
    var others: [Listening]
    /// When listening ended.
    var endTime: MonotonicTime

    struct Event: Sendable, Hashable {
        var text: String
        var time: MonotonicTime
    }

    /// From when the timeline counts.
    var origin: MonotonicTime { event?.time ?? newsTime ?? playTime }

    /// How long a cycle takes.
    var cycle: Duration { rate > 0 ? .seconds(1) * quantum / rate : .zero }
}

/// What was measured while the output came back.
struct Return: Sendable, Hashable {
    var title: String
    var event: Loss.Event
    /// When the route was the old one again.
    var route: RouteChange?
    /// What the sinks gave before anybody asked the player to play.
    var before: [Loss.Listening]
    var isStillPaused: Bool
    var playTime: MonotonicTime
    var firstLoudTime: MonotonicTime?
    /// The port and the sink that it is to be heard on.
    var port: String
    var sink: String
}
