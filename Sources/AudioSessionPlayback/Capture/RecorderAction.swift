package import AudioSessionCore

/// An input of a recorder's state machine.
package enum RecorderEvent: Sendable {
    // MARK: - Commands of the user, and events of the session
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
    /// The session is active, and the recording resumes.
    case resume
    case stop
    case join
    case close
    case sessionInterrupted
    case interruptionEnded(shouldResume: Bool)
    /// The session was activated as ``RecorderAction/activate`` requested, or was not, and has this
    /// state now.
    case activationEnded(AudioSessionState, isGranted: Bool)
    case sessionDeactivated
    /// The session's configuration has changed.
    case configurationChanged(allowsRecording: Bool)
    /// The session has chosen another microphone than the stream requests: that of this node.
    case inputChosen(source: String?)
    case muted(Bool)

    // MARK: - Events of the manager
    /// The recorded input, or its mute, may have changed.
    case inputChanged
    case observed(InputObservation)
    case connectionLost

    // MARK: - Events of the stream
    /// The stream's node is known; `nil` if it is not known yet.
    case streamNode(ObjectID?)
    case streamFailed(AudioSessionError)

    case writer(WriterEvent)
    /// The timer of ``RecorderAction/wake(at:)`` fired.
    case timer
}

/// An event of the writer about a recording or a stream, by its number.
package enum WriterEvent: Sendable, Hashable {
    /// Writing failed, and nothing more can be written.
    case failed(UInt64, AudioSessionError)
    /// Whether the input of this stream has been zeros for a while. The event is sent again when
    /// sound arrives.
    case zeros(stream: UInt64, Bool)
    /// The file is closed. It contains everything that was recorded, unless a failure was reported
    /// before.
    case finished(UInt64, AudioRecorder.Recording)
}

/// An action of a recorder's driver. Actions are executed in order.
package enum RecorderAction: Sendable, Hashable {
    /// Make a stream with a new ring, whose frames the writer writes to a new file, or appends to
    /// the current recording.
    /// - Parameter stream: The number of the stream, of all recordings.
    case openStream(recording: UInt64, stream: UInt64)
    case closeStream
    case setGate(closed: Bool)
    case setMuted(Bool)
    /// Complete the file, and wait for more.
    case pauseWriting
    /// Write what is left, and close the file.
    case finishWriting(recording: UInt64)
    /// Send ``RecorderEvent/timer`` at this time; `nil` disarms the timer.
    case wake(at: MonotonicTime?)
    /// Activate the session, and send ``RecorderEvent/activationEnded(_:isGranted:)``.
    case activate
    case notify(AudioRecorder.Event)
    case send(ParticipantMessage)
}

extension RecorderEvent: StreamEvent {}

extension RecorderAction: StreamAction {
    package var message: ParticipantMessage? { if case .send(let message) = self { message } else { nil } }
}

/// The progress of the real-time thread at the time of an event, and that time.
package struct RecorderCounters: Sendable, Hashable {
    /// The number of frames that arrived.
    package var frames: UInt64
    /// The number of frames that were dropped because the ring was full.
    package var dropped: UInt64
    package var now: MonotonicTime

    package init(frames: UInt64 = 0, dropped: UInt64 = 0, now: MonotonicTime) {
        self.frames = frames
        self.dropped = dropped
        self.now = now
    }
}
