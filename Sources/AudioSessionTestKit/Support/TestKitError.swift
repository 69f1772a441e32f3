/// An error of the test kit, with a description, a reason and a remedy.
public struct TestKitError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure. Future versions may add kinds, so use a `default` case.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String, Sendable, Hashable {
            case notInstalled, cannotStart, programEnded, daemonUnreachable, timedOut, unknownRoute,
                invalidDescription, closed
        }

        private var value: Value
        private init(_ value: Value) { self.value = value }

        /// A required program or file is not installed on this computer.
        public static let notInstalled = Code(.notInstalled)
        /// The system denied a resource.
        public static let cannotStart = Code(.cannotStart)
        /// A program ended, or did not listen in time, before it was ready.
        public static let programEnded = Code(.programEnded)
        /// PipeWire does not answer, or the connection to it has failed.
        public static let daemonUnreachable = Code(.daemonUnreachable)
        /// The expected event did not happen in time.
        public static let timedOut = Code(.timedOut)
        /// The card has no device route of that name.
        public static let unknownRoute = Code(.unknownRoute)
        /// The description of a card is inconsistent.
        public static let invalidDescription = Code(.invalidDescription)
        /// The object has been closed or stopped.
        public static let closed = Code(.closed)

        public var description: String { value.rawValue }
    }

    /// The kind of failure, for decisions in code.
    public let code: Code
    /// A human-readable description of the failed operation.
    public let what: String
    /// A human-readable reason for the failure.
    public let why: String
    /// A human-readable remedy for the failure.
    public let remedy: String

    init(_ code: Code, _ what: String, why: String, remedy: String) {
        self.code = code
        self.what = what
        self.why = why
        self.remedy = remedy
    }

    public var description: String { "\(what): \(why). \(remedy)" }
}

extension TestKitError {
    /// The error of an operation for whose timer the system has no resources.
    static func withoutTimer(_ what: String) -> TestKitError {
        TestKitError(
            .cannotStart, what, why: "the system has no file or memory left for its timer",
            remedy: "Close files, or raise the limit (ulimit -n).")
    }
}
