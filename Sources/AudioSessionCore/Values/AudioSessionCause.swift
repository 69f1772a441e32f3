/// A session of another program that caused an event. PipeWire vouches for its process; its name is
/// the program's own claim.
public struct AudioSessionCause: Sendable, Hashable {
    /// The name that the program gives itself; `nil` without a name.
    public let applicationName: String?
    /// The process ID, as PipeWire knows it; `nil` if PipeWire does not know it.
    public let processID: Int?
    /// The session's UUID; `nil` if ``session`` is not a UUID in lower case, as in tests.
    package let uuid: SessionUUID?
    private let text: String?

    /// The session's UUID as text.
    // The text is computed on demand, because formatting takes longer than all other work before
    // listeners are notified.
    public var session: String { uuid?.description ?? text ?? "" }

    /// Makes a cause for tests. The library makes the causes of events.
    ///
    /// Each parameter sets the property of its name.
    public init(session: String, applicationName: String?, processID: Int?) {
        uuid = SessionUUID(session).flatMap { $0.description == session ? $0 : nil }
        text = uuid == nil ? session : nil
        (self.applicationName, self.processID) = (applicationName, processID)
    }

    package init(session: SessionUUID, applicationName: String? = nil, processID: Int? = nil) {
        (uuid, text, self.applicationName, self.processID) = (session, nil, applicationName, processID)
    }
}
