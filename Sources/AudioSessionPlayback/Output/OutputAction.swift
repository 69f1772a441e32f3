package import AudioSessionCore

/// An input of an output's state machine.
package enum OutputEvent: PlaybackReceiverEvent {
    /// The program called `start` while the session was in this state.
    case play(in: AudioSessionState)
    case stop
    case join
    case close
    case playback(PlaybackEvent)
    /// A write waits until the real-time thread has taken frames from the ring.
    case writerWaits
    /// The timer of ``OutputAction/wake(after:)`` fired.
    case timer
}

/// An action of an output's driver. Actions are executed in order.
package enum OutputAction: PlaybackAction {
    /// Make an inactive stream.
    case openStream
    /// Replace the stream, or the released one, with another inactive stream. Written frames are
    /// kept.
    case renewStream
    case releaseStream
    case closeStream
    case setActive(Bool)
    case setGate(closed: Bool)
    /// Continue the writes that wait.
    case serveWriters
    /// End the drain whose frames were all taken.
    case endDrain
    /// Fail waiting writes, and drop frames that were written and not played.
    case endWriting
    case wake(after: WakeUp?)
    case activate(PlayerActivation)
    case notify(AudioOutput.Event)
    case send(ParticipantMessage)

    package var message: ParticipantMessage? { if case .send(let message) = self { message } else { nil } }

    package var makesStream: Bool { self == .openStream || self == .renewStream }
}

/// The progress of the real-time thread and of the writers at the time of an event.
package struct OutputCounters: Sendable, Hashable {
    /// The number of frames that the ring lacked when they were needed.
    package var missing: UInt64
    /// The number of calls of the callback that took longer than a cycle.
    package var lateCalls: UInt64
    /// The number of frames to take from the ring before the first waiting write can continue;
    /// `nil` if no write waits.
    package var awaited: Int?
    /// The last frame before a drain, if that is the first waiting call and the frame was taken.
    package var drained: UInt64?
    /// The number of cycles of the stream.
    package var cycles: UInt64
    package var now: MonotonicTime

    package init(
        missing: UInt64 = 0, lateCalls: UInt64 = 0, awaited: Int? = nil, drained: UInt64? = nil, cycles: UInt64 = 0,
        now: MonotonicTime = MonotonicTime(nanoseconds: 0)
    ) {
        self.missing = missing
        self.lateCalls = lateCalls
        self.awaited = awaited
        self.drained = drained
        self.cycles = cycles
        self.now = now
    }
}

extension AudioOutput.Event: PlaybackNotice {}
extension AudioOutput.State: PlaybackState {}
extension AudioOutput.PauseReason: PlaybackPauseReason {}
