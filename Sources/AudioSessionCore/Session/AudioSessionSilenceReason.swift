/// A reason why a session is silent or quieter than usual.
@nonexhaustive
public enum AudioSessionSilenceReason: Sendable, Hashable {
    /// The session is not active.
    case inactive
    /// These sessions interrupt the session, the oldest first.
    case interrupted(by: [AudioSessionPeer])
    /// The interruption has ended, and the program has not resumed yet.
    case advised
    /// These sessions duck the session to `gain`, a linear amplitude.
    case ducked(gain: Float, by: [AudioSessionPeer])
    /// Silent mode is on, which sessions of this category follow.
    case silentMode
    /// The user has muted the session's output, or its streams.
    case muted
    /// The program or the user has muted the session's microphone. Its playback is heard.
    case inputMuted
    /// The session's output was lost, and the session does not continue on another one by itself.
    case routeLost
    /// PipeWire is not connected.
    case daemonLost
    /// The session could be heard, but its program plays nothing.
    case paused
}
