/// A session that did something to this one. PipeWire vouches for the process; the name is what the program calls
/// itself.
public struct AudioSessionCause: Sendable, Hashable {
    /// What the program calls itself; `nil` if it has no name.
    public let applicationName: String?
    /// The process, as PipeWire knows it.
    public let processID: Int?
    /// `nil` if ``session`` is not a uuid in lower case, as in tests.
    package let uuid: SessionUUID?
    private let text: String?

    /// The session's uuid.
    // Made when it is read: to write the text takes longer than everything that has to be done before listeners are notified.
    public var session: String { uuid?.description ?? text ?? "" }

    /// Creates a cause, for tests. Those in events come from PipeWire.
    public init(session: String, applicationName: String?, processID: Int?) {
        uuid = SessionUUID(session).flatMap { $0.description == session ? $0 : nil }
        text = uuid == nil ? session : nil
        (self.applicationName, self.processID) = (applicationName, processID)
    }

    package init(session: SessionUUID, applicationName: String? = nil, processID: Int? = nil) {
        (uuid, text, self.applicationName, self.processID) = (session, nil, applicationName, processID)
    }
}
