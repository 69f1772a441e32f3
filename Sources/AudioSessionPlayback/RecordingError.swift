public import AudioSessions

/// An error of a recorder, with its cause and what can be done about it.
public struct RecordingError: Error, Sendable, Hashable {
    /// The kind of the failure. New kinds may be added, so a `switch` over codes needs a `default`.
    public struct Code: Sendable, Hashable {
        private enum Kind: Hashable {
            case categoryDoesNotRecord, sessionNotActivated, noMicrophone, alreadyRecording, notPaused
            case unsupportedFormat, cannotWrite, mediaServicesFailed, inputFailed, resourcesExhausted, closed
        }
        private let kind: Kind

        /// The name of the constant, such as `noMicrophone`.
        public var name: String { "\(kind)" }

        /// The session's category does not record.
        public static let categoryDoesNotRecord = Code(kind: .categoryDoesNotRecord)
        /// The recorder's session could not be activated.
        public static let sessionNotActivated = Code(kind: .sessionNotActivated)
        /// The computer has no input to record from.
        public static let noMicrophone = Code(kind: .noMicrophone)
        /// A recording is already in progress.
        public static let alreadyRecording = Code(kind: .alreadyRecording)
        /// No paused recording exists.
        public static let notPaused = Code(kind: .notPaused)
        /// No file can be written with that sample rate, number of channels or bits per sample.
        public static let unsupportedFormat = Code(kind: .unsupportedFormat)
        /// The file cannot be created or written: the folder is missing, or permission or space is
        /// lacking.
        public static let cannotWrite = Code(kind: .cannotWrite)
        /// PipeWire does not run, or its connection was lost.
        public static let mediaServicesFailed = Code(kind: .mediaServicesFailed)
        /// The recorder's stream delivers no sound, although PipeWire is connected.
        public static let inputFailed = Code(kind: .inputFailed)
        /// The system has no threads, files or memory left for this process.
        public static let resourcesExhausted = Code(kind: .resourcesExhausted)
        /// The recorder was closed.
        public static let closed = Code(kind: .closed)
    }

    /// The kind of the failure, for the program.
    public let code: Code
    /// One or two sentences for the user: what happened, why, and what to do.
    public let message: String
    /// The file concerned; `nil` if the failure concerns none.
    public let path: String?
    /// The session's error, with `sessionNotActivated` and `categoryDoesNotRecord`.
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
        .noMicrophone, "No input is available. Connect a microphone, or select a card profile that has one.")
    static let notConnected = RecordingError(
        .mediaServicesFailed,
        "There is no connection to PipeWire, so nothing can be recorded. "
            + "Record again when the audio session manager is connected.")
    static let silentInput = RecordingError(
        .inputFailed,
        "The microphone is connected, but delivers no sound. Check its device, then record again.")
}
