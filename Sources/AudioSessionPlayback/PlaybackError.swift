/// An error of a player, with its cause and what can be done about it.
public struct PlaybackError: Error, Sendable, Hashable {
    /// The kind of the failure. New kinds may be added, so a `switch` over codes needs a `default`.
    public struct Code: Sendable, Hashable {
        private enum Kind: Hashable {
            case fileNotFound, permissionDenied, notAFile, unsupportedFormat, unreadable, cannotSeek
            case nothingLoaded, noSuchItem, tooManyItems
            case sessionNotActivated, timedOut
            case mediaServicesFailed, noOutput, outputFailed, resourcesExhausted, closed
            case stopped, cancelled, badParameter
        }
        private let kind: Kind

        /// The name of the constant, such as `fileNotFound`.
        public var name: String { "\(kind)" }

        /// No file exists at the path.
        public static let fileNotFound = Code(kind: .fileNotFound)
        /// The file exists, but the program has no permission to read it.
        public static let permissionDenied = Code(kind: .permissionDenied)
        /// The path names a directory, a pipe, a socket or a device.
        public static let notAFile = Code(kind: .notAFile)
        /// The file contains no sound that can be played: its format is unknown, or it has more
        /// than 8 channels. Or no stream has the format that an output was made for.
        public static let unsupportedFormat = Code(kind: .unsupportedFormat)
        /// The file is of a known format but damaged, or the medium failed.
        public static let unreadable = Code(kind: .unreadable)
        /// The file's format does not allow seeking.
        public static let cannotSeek = Code(kind: .cannotSeek)
        /// The player's queue is empty.
        public static let nothingLoaded = Code(kind: .nothingLoaded)
        /// The player's queue has no item with that index.
        public static let noSuchItem = Code(kind: .noSuchItem)
        /// The queue would exceed ``AudioPlayer/maximumQueueLength``.
        public static let tooManyItems = Code(kind: .tooManyItems)
        /// The player's session could not be activated, or its category does not play.
        public static let sessionNotActivated = Code(kind: .sessionNotActivated)
        /// PipeWire did not answer within the manager's timeout when the player's session was
        /// activated.
        public static let timedOut = Code(kind: .timedOut)
        /// PipeWire does not run, or its connection was lost.
        public static let mediaServicesFailed = Code(kind: .mediaServicesFailed)
        /// PipeWire has no output. The player waits, and is heard when an output appears.
        public static let noOutput = Code(kind: .noOutput)
        /// The player's stream failed, although PipeWire is connected.
        public static let outputFailed = Code(kind: .outputFailed)
        /// The system has no threads, files or memory left for this process.
        public static let resourcesExhausted = Code(kind: .resourcesExhausted)
        /// The player or the output was closed.
        public static let closed = Code(kind: .closed)
        /// The output is stopped, so nothing can be written to it.
        public static let stopped = Code(kind: .stopped)
        /// The task that wrote to the output was canceled.
        public static let cancelled = Code(kind: .cancelled)
        /// The samples are no whole number of frames, or the output renders by a callback and
        /// cannot be written to.
        public static let badParameter = Code(kind: .badParameter)
    }

    /// The kind of the failure, for the program.
    public let code: Code
    /// One or two sentences for the user: what happened, why, and what to do.
    public let message: String
    /// The file concerned; `nil` if the failure concerns none.
    public let path: String?

    package init(_ code: Code, _ message: String, path: String? = nil) {
        self.code = code
        self.message = message
        self.path = path
    }
}

extension PlaybackError: CustomStringConvertible {
    public var description: String { message }
}
