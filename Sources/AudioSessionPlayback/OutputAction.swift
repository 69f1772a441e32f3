package import AudioSessionCore

/// An input of an output's state machine.
package enum OutputEvent: PlaybackReceiverEvent {
    /// `start` was called, while the session was in this state.
    case play(in: AudioSessionState)
    case stop
    case join
    case close
    case playback(PlaybackEvent)
    /// A write has to wait until the real-time thread has taken some of what is in the ring.
    case writerWaits
    /// The time has come that ``OutputAction/wake(after:)`` asked for.
    case timer
}

/// An action of an output's driver. Actions are executed in order.
package enum OutputAction: PlaybackAction {
    /// Make a stream, inactive.
    case openStream
    /// Another stream in the place of this one, or of the one released, inactive. Nothing is lost
    /// of what was written.
    case renewStream
    case releaseStream
    case closeStream
    case setActive(Bool)
    case setGate(closed: Bool)
    /// Let waiting writes go on.
    case serveWriters
    /// Waiting writes fail, and what was written and not played is dropped.
    case endWriting
    case wake(after: WakeUp?)
    case activate(PlayerActivation)
    case notify(AudioOutput.Event)
    case send(ParticipantMessage)

    package var message: ParticipantMessage? { if case .send(let message) = self { message } else { nil } }

    package var makesStream: Bool { self == .openStream || self == .renewStream }
}

/// What the real-time thread and the writers had done when an event came.
package struct OutputCounters: Sendable, Hashable {
    /// Frames that the ring did not have in time.
    package var missing: UInt64
    /// Calls of the callback that took longer than a cycle.
    package var lateCalls: UInt64
    /// How many frames have to be taken from the ring before the first waiting write can go on;
    /// `nil`: no write waits.
    package var awaited: Int?
    package var now: MonotonicTime

    package init(
        missing: UInt64 = 0, lateCalls: UInt64 = 0, awaited: Int? = nil,
        now: MonotonicTime = MonotonicTime(nanoseconds: 0)
    ) {
        self.missing = missing
        self.lateCalls = lateCalls
        self.awaited = awaited
        self.now = now
    }
}

extension AudioOutput.Event: PlaybackNotice {}
extension AudioOutput.State: PlaybackState {}
extension AudioOutput.PauseReason: PlaybackPauseReason {}
