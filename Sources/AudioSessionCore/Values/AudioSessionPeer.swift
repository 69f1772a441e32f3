/// A session, of this program or another, that affected a session.
///
/// PipeWire verifies the process ID. The name is the program's own claim and may be anything.
public struct AudioSessionPeer: Sendable, Hashable {
    /// The ID of the session, which is unique on the computer.
    public let session: AudioSessionID
    /// The program's own name; `nil` if it has none.
    public let applicationName: String?
    /// The process ID that PipeWire verified; `nil` if it is unknown.
    public let processID: Int?

    package init(session: AudioSessionID, applicationName: String? = nil, processID: Int? = nil) {
        (self.session, self.applicationName, self.processID) = (session, applicationName, processID)
    }
}
