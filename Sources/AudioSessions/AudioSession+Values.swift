public import AudioSessionCore

extension AudioSession {
    /// The identity of a session, unique on the computer.
    public typealias ID = AudioSessionID
    /// A session's state: inactive, active or interrupted.
    public typealias State = AudioSessionState
    /// A session, usually of another program, that caused a change of this one.
    public typealias Peer = AudioSessionPeer
    /// An event of a session. Listeners receive events in the order in which they happen.
    public typealias Event = AudioSessionEvent
    /// A reason why a session is silent or quieter than usual.
    public typealias SilenceReason = AudioSessionSilenceReason

    /// The result of deactivating a session.
    public struct DeactivationReport: Sendable, Hashable {
        /// The names of the streams that still ran, and were stopped. Apple fails with `isBusy`
        /// instead.
        public let stoppedStreams: [String]
    }

    struct Snapshot: Sendable {
        var configuration: Configuration
        var state = State.inactive
        var gain: Float = 1
        var silenceReasons: [SilenceReason] = [.inactive]
        var isOtherAudioPlaying = false
        var hint = false
        var preferences = RoutePreferences()
        /// The session's own choice; `nil` for the default ports.
        var choice: RouteChoice?
        var targets = RouteTargets()
        var outputTarget: String?
        var inputTarget: String?
        /// The session's route; `nil` until the session is open.
        var route: RouteDescription?
        var soundPreferences = SoundPreferences()
        /// The session's numbers; `nil` while it uses those of the computer's default ports.
        var sound: SoundState?
        var leavesSilently = false
    }
}
