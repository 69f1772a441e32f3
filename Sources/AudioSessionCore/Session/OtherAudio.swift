/// The audio of other programs, for one session.
package struct OtherAudio: Sendable, Hashable {
    package var sessions = OtherSessions()
    /// Whether streams of programs without sessions play.
    package var areStreaming = false

    package init() {}

    package var isPlaying: Bool { sessions.isAnyActive || areStreaming }

    /// Whether another program plays primary audio. A stream without a session counts as primary.
    package var isPrimaryPlaying: Bool { sessions.isPrimaryActive || areStreaming }
}
