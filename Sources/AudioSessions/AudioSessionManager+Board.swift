import AudioSessionCore
import PipeWireGraph

/// The manager's state of the board: the tokens of its sessions and of other programs.
struct BoardPart {
    var machine: BoardStateMachine
    /// The tokens of this process. Removing one from this dictionary destroys it in PipeWire.
    var tokens: [TokenName: any AnnouncedObject] = [:]
    /// The PipeWire objects that are tokens, of all programs.
    var objects: Set<ObjectID> = []
    /// Whether tokens are parsed. They are buffered until this process has a session or asks for
    /// the overview, because most programs never need them.
    var isAttending = false
    /// The tokens that arrived before parsing began or the identity of this client was known,
    /// reduced to the properties that a token needs.
    var early: [ObjectID: EarlyToken] = [:]
    private var earlyCount: UInt64 = 0
    var sessions: [AudioSessionID: SessionEntry] = [:]
    var waiting: [BoardRequestID: CheckedContinuation<BoardFailure?, Never>] = [:]
    var lastRequest: UInt64 = 0
    var inbox: [BoardInput] = []
    var isReceiving = false
    var areOthersStreaming = false
    /// The time for which the departure timer is armed.
    var awaitedDeparture: MonotonicTime?
    /// The active sessions of which this manager's sessions were last notified.
    var active = ActiveSummary()

    struct EarlyToken {
        let arrival: UInt64
        let properties: Properties
    }

    mutating func keep(_ id: ObjectID, _ properties: Properties) {
        earlyCount += 1
        early[id] = EarlyToken(arrival: earlyCount, properties: properties.ofToken)
    }

    init(timeout: Duration) { machine = BoardStateMachine(timeout: timeout) }

    struct SessionEntry {
        weak var session: AudioSession?
        /// The follower of the session's route.
        let follower: FollowerID
        /// The nodes by which the session plays.
        var streams: Set<ObjectID> = []
    }
}

/// This extension sends token events to ``BoardStateMachine`` and executes its actions.
extension AudioSessionManager {
    /// Handles an event about a token.
    /// - Returns: Whether the event was about a token only.
    func receiveForBoard(_ event: GraphEvent) -> Bool {
        switch event {
        case .deviceAppeared(let id, let properties) where properties.announces(.token),
            .sessionObjectAppeared(let id, let properties) where properties.announces(.token):
            board.objects.insert(id)
            // The limit exceeds what any real computer has. Parsing enforces the limits of each
            // program.
            if board.early.count >= TokenContents.mostUnread, machine.isKnown { attendBoard() }
            if isWatchingBoard {
                tokenAppeared(id, properties)
            } else if board.early.count < TokenContents.mostEarly {
                board.keep(id, properties)
            }
        case .disappeared(let id) where board.objects.remove(id) != nil:
            if isWatchingBoard { tell(.vanished(id)) } else { board.early[id] = nil }
        case .barrier(.token(let name)): tell(.echoed(name))
        default: return false
        }
        return true
    }

    /// Begins the board of a new connection, whose client is known now.
    func connectBoard() {
        guard let identity = graphConnection?.identity else { return }
        tell(.connected(cookie: identity.cookie, owner: owner(identity.client)))
        if board.isAttending { admitEarly() }
        updateStreaming()
    }

    /// Begins to parse tokens, including the buffered ones.
    func attendBoard() {
        guard !board.isAttending else { return }
        board.isAttending = true
        guard machine.isKnown else { return }
        admitEarly()
        updateStreaming()
    }

    private var isWatchingBoard: Bool { machine.isKnown && board.isAttending }

    private func admitEarly() {
        let early = board.early.sorted { $0.value.arrival < $1.value.arrival }
        board.early = [:]
        for (id, token) in early { tokenAppeared(id, token.properties) }
    }

    func disconnectBoard() {
        let tokens = board.tokens
        board.tokens = [:]
        withExtendedLifetime(tokens) {}
        board.objects = []
        board.early = [:]
        tell(.disconnected)
    }

    private func tokenAppeared(_ id: ObjectID, _ properties: Properties) {
        guard let serial = properties[.objectSerial].flatMap(UInt64.init),
            let client = properties.objectID(.clientID)
        else { return }
        tell(.appeared(TokenIdentity(object: id, serial: serial, owner: owner(client)), properties))
    }

    /// Returns the owner of a client, with the process for which PipeWire vouches. The program's
    /// name is its own claim and decides nothing.
    func owner(_ id: ObjectID) -> TokenOwner {
        let client = machine.registry.graph.clients[id]
        return TokenOwner(
            client: id, processID: client?.processID, application: client?.applicationName,
            isSandboxed: client?.isSandboxed ?? false)
    }

    /// Sends an input to the board's state machine and executes its actions. Inputs that an action
    /// causes are queued.
    func tell(_ input: BoardInput) {
        guard !PipeWireLibrary.isForked else { return }
        board.inbox.append(input)
        guard !board.isReceiving else { return }
        board.isReceiving = true
        var isOurs = false
        while !board.inbox.isEmpty {
            let input = board.inbox.removeFirst()
            isOurs = isOurs || !input.isAboutToken
            for action in board.machine.receive(input, now: environment.now()) { perform(action) }
        }
        board.isReceiving = false
        guard isOurs || board.machine.active != board.active else { return updateStreaming() }
        board.active = board.machine.active
        for (id, others) in board.machine.othersOfInactive { tell(id, .othersChanged(others)) }
        updateStreaming()
    }

    private func perform(_ action: BoardAction) {
        switch action {
        case .create(let contents): create(contents)
        case .destroy(let name):
            // It is released after its removal, because destroying it may cause events
            // synchronously.
            _ = board.tokens.removeValue(forKey: name)
        case .barrier(let name): graphConnection?.perform(.barrier(.token(name)))
        case .wake(let time): arm(.board, at: time)
        case .tell(let event, let id): tell(id, .arbitration(event))
        case .answer(let id, let failure): board.waiting.removeValue(forKey: id)?.resume(returning: failure)
        }
    }

    private func create(_ contents: TokenContents) {
        let name = contents.name
        guard let graphConnection else { return board.inbox.append(.failed(name)) }
        do {
            board.tokens[name] = try graphConnection.announce(contents.announcement) { [weak self] in
                self?.assumeIsolated { $0.tell(.failed(name)) }
            }
            graphConnection.perform(.barrier(.token(name)))
        } catch {
            board.inbox.append(.failed(name))
        }
    }
}

extension BoardInput {
    /// Whether the event is only about a token. Such events are frequent and change little else.
    fileprivate var isAboutToken: Bool {
        switch self {
        case .appeared, .vanished: true
        default: false
        }
    }
}
