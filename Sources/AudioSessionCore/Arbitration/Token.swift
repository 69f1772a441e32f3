/// The token of one activation of a session, as PipeWire announces it to every process.
///
/// It is stored by reference, because each change moves the entries of a stack of thousands.
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
            group = TokenGroup(contents.traits.group, in: identity.owner.process)
        }
    }

    /// Makes a token from the daemon's data and the payload.
    /// - Parameter arrival: The number of the token in the order of arrival, which is the same in
    ///   all processes, whenever they start. Serials have the same order unless a token was held
    ///   back.
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

    /// Whether the token requests a place. All others re-make a token whose place was granted
    /// before.
    package var isNewcomer: Bool { contents.state == .standing && contents.place == nil }

    package var cause: AudioSessionPeer {
        AudioSessionPeer(
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

/// The daemon's own data about a token, independent of the token's payload.
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

/// The client that owns a token, with the data for which the daemon vouches.
package struct TokenOwner: Sendable, Hashable {
    package let client: ObjectID
    package let processID: Int?
    package let application: String?
    package let isSandboxed: Bool

    /// Makes the owner of a token.
    /// - Parameter processID: `pipewire.sec.pid`; not positive if the daemon cannot see the
    ///   process.
    package init(client: ObjectID, processID: Int? = nil, application: String? = nil, isSandboxed: Bool = false) {
        self.client = client
        self.isSandboxed = isSandboxed
        self.processID = processID.flatMap { $0 > 0 ? $0 : nil }
        self.application = application
    }

    /// The identity of the process, which survives a restart of the daemon if the process ID is
    /// known.
    package var process: Process { processID.map(Process.id) ?? .client(client) }

    package enum Process: Sendable, Hashable {
        case id(Int)
        case client(ObjectID)
    }
}

extension [ObjectID: Client] {
    /// Returns the process of a client, even if the registry does not show the client.
    package func process(of client: ObjectID) -> TokenOwner.Process {
        TokenOwner(client: client, processID: self[client]?.processID).process
    }
}

extension TokenContents {
    /// Limits the priority that a sandboxed program claims to `media`.
    ///
    /// This is the only place where a token is read, so all readers agree, including its owner:
    /// PipeWire announces the same `pipewire.access` to all. A list of exceptions in a file would
    /// differ between readers, above all within a sandbox.
    fileprivate func capped(for owner: TokenOwner) -> Self {
        guard owner.isSandboxed, traits.priority > .media else { return self }
        var capped = self
        capped.traits.priority = .media
        return capped
    }
}

/// The identity of a session, with its process, because another program may claim the same UUID.
package struct SessionKey: Sendable, Hashable {
    package let owner: TokenOwner.Process
    package let session: AudioSessionID

    package init(owner: TokenOwner.Process, session: AudioSessionID) {
        self.owner = owner
        self.session = session
    }
}

/// A group of sessions, which never act on one another.
package enum TokenGroup: Sendable, Hashable {
    case process(TokenOwner.Process)
    case named(Name)

    /// Makes the group of a session.
    /// - Parameter name: The group that the session named. Without one its group is its process.
    package init(_ name: String?, in process: TokenOwner.Process) {
        self = name.map { .named(Name(text: $0)) } ?? .process(process)
    }

    /// A name, which is equal to another one of the same bytes. Strings are equal also if they are
    /// canonically equivalent in Unicode, which not every implementation can compute.
    package struct Name: Sendable, Hashable {
        fileprivate let text: String

        package static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

        package func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }
}
