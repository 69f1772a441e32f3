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

    /// The values that can be read on any thread.
    struct Snapshot: Sendable {
        /// The state machine after the last input that changed a value to read.
        var machine: SessionStateMachine
        /// The session's numbers; `nil` while it uses those of the computer's default ports.
        var sound: SoundState?
    }
}
