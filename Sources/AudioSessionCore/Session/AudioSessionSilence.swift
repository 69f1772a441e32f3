/// Why nothing, or less, is heard of a session.
public enum AudioSessionSilence: Sendable, Hashable {
    /// It is not its turn: it did not ask, or gave it up.
    case inactive
    /// Others have the turn: the oldest of them first.
    case interrupted(by: [AudioSessionCause])
    /// The interruption is over, and the program has not gone on yet.
    case advised
    /// Others lower it, to `gain` of its amplitude.
    case ducked(gain: Float, by: [AudioSessionCause])
    /// The machine is in silent mode, which sessions of this category follow.
    case silentMode
    /// The user has muted its output, or its streams.
    case muted
    /// What it records is silence: its microphone is muted, by the program or by the user. What it plays is heard.
    case inputMuted
    /// Its output went, and it does not go on elsewhere by itself.
    case routeLost
    /// There is no PipeWire.
    case daemonLost
    /// It could be heard, but its program plays nothing.
    case paused
}
