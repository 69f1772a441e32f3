public import AudioSessions

/// Why something could not be recorded, and what can be done about it.
public struct RecordingError: Error, Sendable, Hashable {
    /// What kind of failure it is. New kinds may be added, so a `switch` over codes needs a `default`.
    public struct Code: Sendable, Hashable {
        private enum Kind: Hashable {
            case categoryDoesNotRecord, sessionNotActivated, noMicrophone, alreadyRecording, notPaused
            case unsupportedFormat, cannotWrite, mediaServicesFailed, inputFailed, resourcesExhausted, closed
        }
        private let kind: Kind

        /// The name of the constant, such as `noMicrophone`.
        public var name: String { "\(kind)" }

        /// The session's category is none that records.
        public static let categoryDoesNotRecord = Code(kind: .categoryDoesNotRecord)
        /// It is not the session's turn.
        public static let sessionNotActivated = Code(kind: .sessionNotActivated)
        /// The machine has nothing to record from.
        public static let noMicrophone = Code(kind: .noMicrophone)
        /// A recording is under way.
        public static let alreadyRecording = Code(kind: .alreadyRecording)
        /// There is no recording to go on with.
        public static let notPaused = Code(kind: .notPaused)
        /// No file can be made of that sample rate, or of so many channels or bits.
        public static let unsupportedFormat = Code(kind: .unsupportedFormat)
        /// The file cannot be made, or not be written on: no such folder, no permission, no room.
        public static let cannotWrite = Code(kind: .cannotWrite)
        /// PipeWire does not run or went away.
        public static let mediaServicesFailed = Code(kind: .mediaServicesFailed)
        /// PipeWire is there, but nothing comes from the recorder's stream.
        public static let inputFailed = Code(kind: .inputFailed)
        /// The system gives this process no more threads, files or memory.
        public static let resourcesExhausted = Code(kind: .resourcesExhausted)
        /// The recorder was closed.
        public static let closed = Code(kind: .closed)
    }

    /// What went wrong, for programs to decide by.
    public let code: Code
    /// What happened, why, and what to do, in a sentence or two for people.
    public let message: String
    /// The file that it is about, if it is about one.
    public let path: String?
    /// What the session said, with `sessionNotActivated` and `categoryDoesNotRecord`.
    public let sessionError: AudioSessionError?

    package init(_ code: Code, _ message: String, path: String? = nil, sessionError: AudioSessionError? = nil) {
        self.code = code
        self.message = message
        self.path = path
        self.sessionError = sessionError
    }
}

extension RecordingError: CustomStringConvertible {
    public var description: String { message }
}

extension RecordingError {
    static let noMicrophone = RecordingError(
        .noMicrophone, "There is nothing to record from. Connect a microphone, or choose a card's profile with one.")
    static let notConnected = RecordingError(
        .mediaServicesFailed,
        "There is no connection to PipeWire, so nothing can be recorded. "
            + "Record again when the audio session manager is connected.")
    static let silentInput = RecordingError(
        .inputFailed,
        "The microphone is there, but nothing comes from it any more. Look at its device, then record again.")
}
