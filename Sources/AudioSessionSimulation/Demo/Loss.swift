import AudioSessions

/// The measurements while a player played and its output was removed.
struct Loss: Sendable, Hashable {
    /// A tap's report on one sink, from before playback began until well after the expected
    /// silence.
    struct Listening: Sendable, Hashable {
        /// The sink's `node.description`, or its `node.name` without a description.
        var sink: String
        var frames: UInt64
        var loudFrames: UInt64
        var lastLoudTime: MonotonicTime?
    }

    /// A headline that says what happens.
    var title: String
    /// The name of the played file.
    var file: String
    /// The port that was removed.
    var port: String
    /// When `play` was called on the player.
    var playTime: MonotonicTime
    /// When the sink played the first loud frame.
    var firstLoudTime: MonotonicTime?
    /// The action that removed the output, and its time; `nil` when a person did it.
    var event: Event?
    /// When this program received PipeWire's event about the loss.
    var eventTime: MonotonicTime?
    /// The time from which the player's stream is silent.
    var gateTime: MonotonicTime?
    /// When the player notified its listeners that the output became noisy.
    var noisyTime: MonotonicTime?
    var pauseTime: MonotonicTime?
    var routeChange: RouteChange?
    var routeTime: MonotonicTime?
    /// Frames in one cycle of the graph, at `rate` frames per second.
    var quantum: Int
    var rate: Int
    /// Whether the sink still exists, as it does after a jack is unplugged.
    var isSinkLeft: Bool
    var old: Listening
    var others: [Listening]
    /// When the measurement ended.
    var endTime: MonotonicTime

    struct Event: Sendable, Hashable {
        var text: String
        var time: MonotonicTime
    }

    /// The zero point of the timeline.
    var origin: MonotonicTime { event?.time ?? eventTime ?? playTime }

    /// The duration of one cycle.
    var cycle: Duration { rate > 0 ? .seconds(1) * quantum / rate : .zero }
}

/// The measurements while the output became available again.
struct Return: Sendable, Hashable {
    var title: String
    var event: Loss.Event
    /// The route change that restored the original route.
    var route: RouteChange?
    /// The output of the sinks before `play` was called on the player.
    var before: [Loss.Listening]
    var isStillPaused: Bool
    var playTime: MonotonicTime
    var firstLoudTime: MonotonicTime?
    /// The port and the sink on which the player is expected to play.
    var port: String
    var sink: String
}
