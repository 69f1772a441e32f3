/// Something that the test kit could not do: what happened, why, and what to do about it.
public struct TestKitError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure. More kinds may come: keep a `default`.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String, Sendable, Hashable {
            case notInstalled, cannotStart, daemonUnreachable, timedOut, unknownRoute, invalidDescription, closed
        }

        private var value: Value
        private init(_ value: Value) { self.value = value }

        /// A program or file that is needed is not on this machine.
        public static let notInstalled = Code(.notInstalled)
        /// A program ended, or the system refused something, before it was ready.
        public static let cannotStart = Code(.cannotStart)
        /// PipeWire does not answer, or its connection broke.
        public static let daemonUnreachable = Code(.daemonUnreachable)
        /// What was waited for did not happen in time.
        public static let timedOut = Code(.timedOut)
        /// The card has no route of that name.
        public static let unknownRoute = Code(.unknownRoute)
        /// The description of a card contradicts itself.
        public static let invalidDescription = Code(.invalidDescription)
        /// It was closed or stopped before.
        public static let closed = Code(.closed)

        public var description: String { value.rawValue }
    }

    /// What went wrong, for tests to decide by.
    public let code: Code
    /// What happened.
    public let what: String
    /// The reason, for people.
    public let why: String
    /// What to do about it.
    public let remedy: String

    init(_ code: Code, _ what: String, why: String, remedy: String) {
        self.code = code
        self.what = what
        self.why = why
        self.remedy = remedy
    }

    public var description: String { "\(what): \(why). \(remedy)" }
}
