/// Why something could not be played, and what can be done about it.
public struct PlaybackError: Error, Sendable, Hashable {
    /// What kind of failure it is. New kinds may be added, so a `switch` over codes needs a `default`.
    public struct Code: Sendable, Hashable {
        private enum Kind: Hashable {
            case fileNotFound, permissionDenied, notAFile, unsupportedFormat, unreadable, cannotSeek
            case nothingLoaded, noSuchItem, tooManyItems
            case sessionNotActivated, timedOut
            case mediaServicesFailed, noOutput, outputFailed, resourcesExhausted, closed
        }
        private let kind: Kind

        /// The name of the constant, such as `fileNotFound`.
        public var name: String { "\(kind)" }

        /// There is nothing at that path.
        public static let fileNotFound = Code(kind: .fileNotFound)
        /// The file is there, but this program may not read it.
        public static let permissionDenied = Code(kind: .permissionDenied)
        /// The path names a directory, a pipe, a socket or a device.
        public static let notAFile = Code(kind: .notAFile)
        /// The file is no sound, or sound of a kind that cannot be played: an unknown format, more than 8 channels.
        public static let unsupportedFormat = Code(kind: .unsupportedFormat)
        /// The file is of a known format but damaged, or the medium failed.
        public static let unreadable = Code(kind: .unreadable)
        /// The file's format does not allow to go to another place in it.
        public static let cannotSeek = Code(kind: .cannotSeek)
        /// The player has nothing to play.
        public static let nothingLoaded = Code(kind: .nothingLoaded)
        /// The player's queue has no item of that number.
        public static let noSuchItem = Code(kind: .noSuchItem)
        /// The queue would be longer than ``AudioPlayer/maximumQueueLength``.
        public static let tooManyItems = Code(kind: .tooManyItems)
        /// The player's session could not be activated, or is not for playing.
        public static let sessionNotActivated = Code(kind: .sessionNotActivated)
        /// PipeWire did not answer within the manager's timeout when the player's session was activated.
        public static let timedOut = Code(kind: .timedOut)
        /// PipeWire does not run or went away.
        public static let mediaServicesFailed = Code(kind: .mediaServicesFailed)
        /// PipeWire has nothing to play to. The player waits, and is heard when an output appears.
        public static let noOutput = Code(kind: .noOutput)
        /// PipeWire is there, but the player's stream to it failed.
        public static let outputFailed = Code(kind: .outputFailed)
        /// The system gives this process no more threads, files or memory.
        public static let resourcesExhausted = Code(kind: .resourcesExhausted)
        /// The player was closed.
        public static let closed = Code(kind: .closed)
    }

    /// What went wrong, for programs to decide by.
    public let code: Code
    /// What happened, why, and what to do, in a sentence or two for people.
    public let message: String
    /// The file that it is about, if it is about one.
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
