import AudioSessions

/// What was measured while another program took the sound, and gave it back or died.
struct Interruption: Sendable, Hashable {
    var title: String
    /// The other program.
    var processID: Int
    /// What it did to get the sound, and when.
    var begin: Loss.Event
    /// When it had the sound, as it says.
    var grantTime: MonotonicTime
    /// When the player's program was told, and of whom.
    var toldTime: MonotonicTime?
    var cause: AudioSession.Cause?
    /// From when on nothing was given to PipeWire but silence.
    var gateTime: MonotonicTime?
    var pauseTime: MonotonicTime?
    /// Frames of one cycle of the graph, at `rate` frames a second.
    var quantum: Int
    var rate: Int
    var lastLoudTime: MonotonicTime?
    /// What the sink gave from then on until the end.
    var during: Loss.Listening
    /// What ended it, and when.
    var end: Loss.Event
    var endToldTime: MonotonicTime?
    var shouldResume: Bool?
    var playTime: MonotonicTime?
    var firstLoudTime: MonotonicTime?

    /// How long a cycle takes.
    var cycle: Duration { rate > 0 ? .seconds(1) * quantum / rate : .zero }
}

/// What was measured while another program lowered the music.
struct Ducking: Sendable, Hashable {
    var title: String
    /// The other program.
    var processID: Int
    var begin: Loss.Event
    var toldTime: MonotonicTime?
    var gain: Float?
    var cause: AudioSession.Cause?
    /// The last frame by which the sink was louder than ``lowered``, from before to the end of the prompt.
    var lastLouderTime: MonotonicTime?
    var end: Loss.Event
    var endToldTime: MonotonicTime?
    /// The first frame after the end by which it was louder than ``restored``.
    var firstLouderTime: MonotonicTime?
    /// The highest amplitude on the sink in as much of the melody as holds all its notes.
    var before: Float
    var meanwhile: Float
    var after: Float
    /// Whether the player went on playing all the while.
    var playedOn: Bool
    var sink: String

    /// Just above what ducking makes of the music, and just below what it is without, in decibels of `before`.
    static let lowered = -13
    static let restored = -1

    var meanwhileDecibels: Double { Decibels.of(meanwhile, relativeTo: before) }
    var afterDecibels: Double { Decibels.of(after, relativeTo: before) }
}
