/// The audio of other programs, for one session.
package struct OtherAudio: Sendable, Hashable {
    package var sessions = OtherSessions()
    /// Whether streams of programs without sessions play.
    package var areStreaming = false

    /// Whether another program has an active session, or plays without one.
    package var isPlaying: Bool { sessions.isAnyActive || areStreaming }

    /// Whether this audio is primary, to which other audio gives way. That of a stream without a
    /// session is.
    package var isPrimaryPlaying: Bool { sessions.isPrimaryActive || areStreaming }
}
