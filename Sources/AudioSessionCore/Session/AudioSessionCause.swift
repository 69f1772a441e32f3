/// A session that did something to this one. PipeWire vouches for the process; the name is what the program calls
/// itself.
public struct AudioSessionCause: Sendable, Hashable {
    /// The session's uuid.
    public var session: String { name.description }
    /// What the program calls itself; `nil` if it has no name.
    public let applicationName: String?
    /// The process, as PipeWire knows it.
    public let processID: Int?
    // Its text takes longer to write than all that has to be done before it may be told.
    private let name: Name

    private enum Name: Sendable, Hashable, CustomStringConvertible {
        case token(TokenSession)
        case text(String)

        init(_ text: String) {
            let token = TokenSession(text)
            self = if let token, token.description == text { .token(token) } else { .text(text) }
        }

        var description: String {
            switch self {
            case .token(let token): token.description
            case .text(let text): text
            }
        }
    }

    /// Creates a cause, for tests. Those in events come from PipeWire.
    public init(session: String, applicationName: String?, processID: Int?) {
        (name, self.applicationName, self.processID) = (Name(session), applicationName, processID)
    }

    package init(_ cause: BoardCause) {
        (name, applicationName, processID) = (.token(cause.session), cause.application, cause.processID)
    }
}
