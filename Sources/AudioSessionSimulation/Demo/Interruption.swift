import AudioSessions

/// The measurements while another program interrupted the session, until it released its own or
/// died.
struct Interruption: Sendable, Hashable {
    var title: String
    /// The process identifier of the other program.
    var processID: Int
    /// The action of the other program that began the interruption, and its time.
    var begin: Loss.Event
    /// When the other program's activation succeeded, as that program reports.
    var grantTime: MonotonicTime
    /// When the player's program received the interruption.
    var notifiedTime: MonotonicTime?
    var cause: AudioSession.Peer?
    /// The time from which the player's stream is silent.
    var gateTime: MonotonicTime?
    var pauseTime: MonotonicTime?
    /// Frames in one cycle of the graph, at `rate` frames per second.
    var quantum: Int
    var rate: Int
    var lastLoudTime: MonotonicTime?
    /// The sink's output from the beginning to the end of the interruption.
    var during: Loss.Listening
    /// The action that ended the interruption, and its time.
    var end: Loss.Event
    var endNotifiedTime: MonotonicTime?
    var shouldResume: Bool?
    var playTime: MonotonicTime?
    var firstLoudTime: MonotonicTime?

    /// The duration of one cycle.
    var cycle: Duration { rate > 0 ? .seconds(1) * quantum / rate : .zero }
}

/// The measurements while another program ducked the music.
struct Ducking: Sendable, Hashable {
    var title: String
    /// The process identifier of the other program.
    var processID: Int
    var begin: Loss.Event
    var notifiedTime: MonotonicTime?
    var gain: Float?
    var cause: AudioSession.Peer?
    /// The last frame at which the sink was louder than ``ducked``. The measurement covers the
    /// time from before the prompt to its end.
    var lastLouderTime: MonotonicTime?
    var end: Loss.Event
    var endNotifiedTime: MonotonicTime?
    /// The first frame after the end at which the sink was louder than ``restored``.
    var firstLouderTime: MonotonicTime?
    /// The highest amplitude on the sink in a section of the melody that contains all its notes.
    var before: Float
    var meanwhile: Float
    var after: Float
    /// Whether the player kept playing during the whole prompt.
    var playedOn: Bool
    var sink: String

    /// Thresholds in decibels relative to `before`: just above the level of ducked music, and just
    /// below the full level.
    static let ducked = -13
    static let restored = -1

    var meanwhileDecibels: Double { Decibels.of(meanwhile, relativeTo: before) }
    var afterDecibels: Double { Decibels.of(after, relativeTo: before) }
}
