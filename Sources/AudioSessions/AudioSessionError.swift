/// What went wrong, why, and what can be done about it.
public struct AudioSessionError: Error, Sendable, Hashable {
    /// What kind of failure it is. New kinds may be added, so a `switch` over codes needs a `default`.
    public struct Code: Sendable, Hashable {
        private enum Kind: Hashable { case mediaServicesFailed, timedOut, closed, resourcesExhausted }
        private let kind: Kind

        /// PipeWire does not run, cannot be reached, or went away. Apple's `mediaServicesFailed`.
        public static let mediaServicesFailed = Code(kind: .mediaServicesFailed)
        /// PipeWire accepted the connection and then did not answer in time.
        public static let timedOut = Code(kind: .timedOut)
        /// The manager was closed.
        public static let closed = Code(kind: .closed)
        /// The system gives this process no more threads, files or memory.
        public static let resourcesExhausted = Code(kind: .resourcesExhausted)
    }

    public let code: Code
    /// What happened, why, and what to do, in a sentence or two for people.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension AudioSessionError: CustomStringConvertible {
    public var description: String { message }
}
