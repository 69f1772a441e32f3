import AudioSessionCore
import PipeWireGraph

/// This process's part of the board: what the manager keeps for its sessions.
struct BoardPart {
    var machine: BoardStateMachine
    /// Ours; each goes from PipeWire when it goes from here.
    var tokens: [TokenName: any AnnouncedObject] = [:]
    /// Everybody's, as objects of PipeWire.
    var objects: Set<ObjectID> = []
    /// Whether anybody here wants to know of others. Most programs of a machine have no session for most of the time: to
    /// them tokens mean nothing, and whoever begins to look finds what everybody else does.
    var isAttending = false
    /// What came before that, or before it was known who we are, with nothing but what a token needs.
    var early: [ObjectID: EarlyToken] = [:]
    private var earlyCount: UInt64 = 0
    var sessions: [SessionUUID: SessionEntry] = [:]
    var waiting: [BoardRequestID: CheckedContinuation<BoardFailure?, Never>] = [:]
    var lastRequest: UInt64 = 0
    var inbox: [BoardInput] = []
    var isReceiving = false
    var areOthersStreaming = false
    /// When the departure ends that the timer is armed for.
    var awaitedDeparture: MonotonicTime?
    /// What the sessions were last told of.
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
        /// The nodes by which it plays.
        var streams: Set<ObjectID> = []
    }
}

/// The door between the board and the world: news of tokens go in here, actions are done here.
extension AudioSessionManager {
    /// Whether the event was about a token, and nobody else's business.
    func receiveForBoard(_ event: GraphEvent) -> Bool {
        switch event {
        case .deviceAppeared(let id, let properties) where properties.announces(.token),
            .sessionObjectAppeared(let id, let properties) where properties.announces(.token):
            board.objects.insert(id)
            // More than any machine has in earnest; whoever attends bounds what each program may have.
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

    /// From now on it is known which client of PipeWire's this is.
    func connectBoard() {
        guard let identity = graphConnection?.identity else { return }
        tell(.connected(cookie: identity.cookie, owner: owner(identity.client)))
        if board.isAttending { admitEarly() }
        updateStreaming()
    }

    /// From now on somebody wants to know of others.
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

    /// PipeWire vouches for the process. The name is what the program calls itself, and decides nothing.
    func owner(_ id: ObjectID) -> TokenOwner {
        let client = machine.registry.graph.clients[id]
        return TokenOwner(
            client: id, processID: client?.processID, application: client?.applicationName,
            isSandboxed: client?.isSandboxed ?? false)
    }

    /// Tells the machine, and does what it says. An action may cause news at once; those wait for their turn.
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
            // It goes after it was taken out: its end may be news at once.
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
    /// Most of a machine's news are about other programs' tokens, and change little.
    fileprivate var isAboutToken: Bool {
        switch self {
        case .appeared, .vanished: true
        default: false
        }
    }
}
