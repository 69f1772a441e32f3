/// A session of another program, or of this one, that did something to a session.
///
/// PipeWire vouches for the process. The name is what the program calls itself, and may be
/// anything.
public struct AudioSessionPeer: Sendable, Hashable {
    /// The session, on the whole computer.
    public let session: AudioSessionID
    /// What the program calls itself; `nil` if it has no name.
    public let applicationName: String?
    /// The process, as PipeWire knows it; `nil` if PipeWire does not.
    public let processID: Int?

    package init(session: AudioSessionID, applicationName: String? = nil, processID: Int? = nil) {
        (self.session, self.applicationName, self.processID) = (session, applicationName, processID)
    }
}
