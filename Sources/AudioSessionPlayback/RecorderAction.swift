package import AudioSessionCore

/// What happened to a recorder, as its state machine is told.
package enum RecorderEvent: Sendable {
    // The user, and the session
    /// `record` was called, and waits for the session's activation and for its file.
    case recordRequested
    /// The file is open, and the session is active.
    case record(path: String?)
    /// The call of `record` returns.
    case recordReturned
    case pause
    /// `resume` was called, and waits for the session's activation.
    case resumeRequested
    /// The call of `resume` returns.
    case resumeReturned
    /// The session is active.
    case resume
    case stop
    case join
    case close
    case sessionInterrupted
    case interruptionEnded(shouldResume: Bool)
    /// The session was activated as ``RecorderAction/activate`` asks, or not, and has this state now.
    case activationEnded(AudioSessionState, isGranted: Bool)
    case sessionDeactivated
    /// The session has another configuration.
    case configurationChanged(allowsRecording: Bool)
    /// The session wants another microphone than the stream was made for: that of this node.
    case inputChosen(source: String?)
    case muted(Bool)

    // The manager
    /// What is recorded may be another, or muted.
    case inputChanged
    case observed(InputObservation)
    case connectionLost

    // The stream
    /// Its node is known; `nil`: not yet.
    case streamNode(ObjectID?)
    case streamFailed(RecordingError)

    case writer(WriterEvent)
    /// The time has come that ``RecorderAction/wake(at:)`` asked for.
    case timer
}

/// What the writer did for the recording with this number.
package enum WriterEvent: Sendable, Hashable {
    /// No more can be written.
    case failed(UInt64, RecordingError)
    /// Nothing but zeros has come for a while, or sound again.
    case zeros(UInt64, Bool)
    /// The file is closed. It holds all that came, unless a failure was told before.
    case finished(UInt64, AudioRecorder.Recording)
}

/// What is to be done for a recorder, in this order.
package enum RecorderAction: Sendable, Hashable {
    /// Make a stream with a new ring, and let the writer write what comes: in a new file, or behind what the recording has.
    case openStream(recording: UInt64)
    case closeStream
    case setGate(closed: Bool)
    case setMuted(Bool)
    /// Make the file whole as it is.
    case pauseWriting
    /// Write what is left, and close the file.
    case finishWriting(recording: UInt64)
    /// Send ``RecorderEvent/timer`` at this time; `nil`: never.
    case wake(at: MonotonicTime?)
    /// Activate the session, and send ``RecorderEvent/activationEnded(_:isGranted:)``.
    case activate
    case tell(AudioRecorder.Event)
    case send(ParticipantMessage)
}

extension RecorderEvent: StreamEvent {}

extension RecorderAction: StreamAction {
    package var message: ParticipantMessage? { if case .send(let message) = self { message } else { nil } }
}

/// What the real-time thread had done when an event came, and when that was.
package struct RecorderCounters: Sendable, Hashable {
    /// Frames that came.
    package var frames: UInt64
    /// Frames that found no room.
    package var dropped: UInt64
    package var now: MonotonicTime

    package init(frames: UInt64 = 0, dropped: UInt64 = 0, now: MonotonicTime) {
        self.frames = frames
        self.dropped = dropped
        self.now = now
    }
}
