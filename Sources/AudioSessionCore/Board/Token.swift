/// One activation of one session, as PipeWire shows it to every process.
///
/// Kept in one piece: a stack of thousands is moved about at each change.
package struct Token: Sendable, Hashable {
    private let storage: Storage

    private final class Storage: Sendable {
        let identity: TokenIdentity
        let arrival: UInt64
        let contents: TokenContents
        let key: SessionKey
        let group: TokenGroup

        init(_ identity: TokenIdentity, _ contents: TokenContents, arrival: UInt64) {
            self.identity = identity
            self.arrival = arrival
            self.contents = contents.capped(for: identity.owner)
            key = SessionKey(owner: identity.owner.process, session: contents.name.session)
            group = contents.traits.group.map(TokenGroup.named) ?? .process(identity.owner.process)
        }
    }

    /// - Parameter arrival: numbers the tokens that this process has seen in the order of their arrival, which is the same for
    ///   all processes, whenever they began to look. Serials have it, too, unless a token was held back.
    package init(_ identity: TokenIdentity, _ contents: TokenContents, arrival: UInt64? = nil) {
        storage = Storage(identity, contents, arrival: arrival ?? identity.serial)
    }

    package var identity: TokenIdentity { storage.identity }
    package var contents: TokenContents { storage.contents }
    package var serial: UInt64 { storage.identity.serial }
    package var arrival: UInt64 { storage.arrival }
    package var traits: TokenTraits { storage.contents.traits }
    package var key: SessionKey { storage.key }
    package var group: TokenGroup { storage.group }

    /// Whether this asks for a place. All others re-make a token whose place was granted before.
    package var isNewcomer: Bool { contents.state == .standing && contents.place == nil }

    package var cause: AudioSessionCause {
        AudioSessionCause(
            session: contents.name.session, applicationName: identity.owner.application,
            processID: identity.owner.processID)
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage || (left.identity == right.identity && left.contents == right.contents)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
        hasher.combine(contents)
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
    package let isSandboxed: Bool

    /// - Parameter processID: `pipewire.sec.pid`; not positive if the daemon cannot see the process.
    package init(client: ObjectID, processID: Int? = nil, application: String? = nil, isSandboxed: Bool = false) {
        self.client = client
        self.isSandboxed = isSandboxed
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

extension TokenContents {
    /// Where a token is read and nowhere else, so that all who read it agree, its owner among them: what a sandboxed
    /// program says of its priority above `media` does not count. Every process is shown the same `pipewire.access`. (A
    /// file that each reader had for itself would not be the same for all, least of all within a sandbox.)
    fileprivate func capped(for owner: TokenOwner) -> Self {
        guard owner.isSandboxed, traits.priority > .media else { return self }
        var capped = self
        capped.traits.priority = .media
        return capped
    }
}

/// A session, told apart from another program's that names itself the same.
package struct SessionKey: Sendable, Hashable {
    package let owner: TokenOwner.Process
    package let session: SessionUUID

    package init(owner: TokenOwner.Process, session: SessionUUID) {
        self.owner = owner
        self.session = session
    }
}

/// Sessions of one group never act on one another.
package enum TokenGroup: Sendable, Hashable {
    case process(TokenOwner.Process)
    case named(String)
}
