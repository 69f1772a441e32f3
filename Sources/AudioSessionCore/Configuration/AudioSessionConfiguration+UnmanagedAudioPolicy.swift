extension AudioSessionConfiguration {
    /// The effect of a session on programs without sessions.
    @nonexhaustive
    public enum UnmanagedAudioPolicy: String, Sendable, Hashable, CaseIterable {
        /// Programs without sessions continue unchanged.
        case leave
        /// Media players of programs without sessions are paused when the session becomes active,
        /// and resumed when it becomes inactive.
        case pause
        /// Media players of programs without sessions are paused as with `pause`. The streams of
        /// programs without a media player are muted until the session becomes inactive.
        case silence
        /// The streams of programs without sessions are ducked while the session is active.
        case duck
    }

    /// The policy in force.
    package var effectiveUnmanagedAudioPolicy: UnmanagedAudioPolicy {
        unmanagedAudioPolicy ?? (ducksOthers ? .duck : isMixable ? .leave : .pause)
    }
}
