package import AudioSessionCore

/// What happened to a recorder, as its state machine is told.
package enum RecorderEvent: Sendable {
    // The user, and the session
    /// The file is open, and it is the session's turn.
    case record
    case pause
    /// It is the session's turn.
    case resume
    case stop
    case sessionInterrupted
    /// The interruption is over, and it is better not to go on.
    case advisedNotToResume
    case sessionDeactivated
    /// The session's category is none that records.
    case categoryChanged
    /// The session wants another microphone than the stream was made for.
    case inputChosen
    case muted(Bool)

    // The manager
    case observed(InputObservation)
    case connectionLost

    // The stream
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
    /// Tell ``RecorderEvent/observed(_:)``, now and whenever it changes; or not any more.
    case observe(Bool)
    /// Make the file whole as it is.
    case pauseWriting
    /// Write what is left, and close the file.
    case finishWriting(recording: UInt64)
    /// Send ``RecorderEvent/timer`` at this time; `nil`: never.
    case wake(at: MonotonicTime?)
    case tell(AudioRecorder.Event)
}

/// What the real-time thread had done when an event came.
package struct RecorderCounters: Sendable, Hashable {
    /// Frames that came.
    package var frames: UInt64
    /// Frames that found no room.
    package var dropped: UInt64

    package init(frames: UInt64 = 0, dropped: UInt64 = 0) {
        self.frames = frames
        self.dropped = dropped
    }
}
