/// One activation of one session, as PipeWire shows it to every process.
package struct Token: Sendable, Hashable {
    package let identity: TokenIdentity
    package let contents: TokenContents

    package init(_ identity: TokenIdentity, _ contents: TokenContents) {
        self.identity = identity
        self.contents = contents
    }

    package var serial: UInt64 { identity.serial }
    package var traits: TokenTraits { contents.traits }
    package var key: SessionKey { SessionKey(owner: identity.owner.process, session: contents.name.session) }

    package var group: TokenGroup {
        traits.group.map(TokenGroup.named) ?? .process(identity.owner.process)
    }

    /// Whether this asks for a place. All others re-make a token whose place was granted before.
    package var isNewcomer: Bool { contents.state == .standing && contents.place == nil }

    package var cause: BoardCause {
        BoardCause(
            session: contents.name.session, application: identity.owner.application,
            processID: identity.owner.processID)
    }
}

/// What the daemon says of a token. Nothing of this comes from the token's own text.
package struct TokenIdentity: Sendable, Hashable {
    package let object: ObjectID
    package let serial: UInt64
    package let owner: TokenOwner

    package init(object: ObjectID, serial: UInt64, owner: TokenOwner) {
        self.object = object
        self.serial = serial
        self.owner = owner
    }
}

/// The client whose token it is, and what the daemon vouches for about it.
package struct TokenOwner: Sendable, Hashable {
    package let client: ObjectID
    package let processID: Int?
    package let application: String?

    /// - Parameter processID: `pipewire.sec.pid`; not positive if the daemon cannot see the process.
    package init(client: ObjectID, processID: Int? = nil, application: String? = nil) {
        self.client = client
        self.processID = processID.flatMap { $0 > 0 ? $0 : nil }
        self.application = application
    }

    /// Survives a restart of the daemon if the process is known.
    package var process: Process { processID.map(Process.id) ?? .client(client) }

    package enum Process: Sendable, Hashable {
        case id(Int)
        case client(ObjectID)
    }
}

/// A session, told apart from another program's that names itself the same.
package struct SessionKey: Sendable, Hashable {
    package let owner: TokenOwner.Process
    package let session: TokenSession

    package init(owner: TokenOwner.Process, session: TokenSession) {
        self.owner = owner
        self.session = session
    }
}

/// Sessions of one group never act on one another.
package enum TokenGroup: Sendable, Hashable {
    case process(TokenOwner.Process)
    case named(String)
}

/// Who did it.
package struct BoardCause: Sendable, Hashable {
    package let session: TokenSession
    package let application: String?
    package let processID: Int?

    package init(session: TokenSession, application: String? = nil, processID: Int? = nil) {
        self.session = session
        self.application = application
        self.processID = processID
    }
}
