import AudioSessionCore
import PipeWireGraph

/// The manager's state of the board: the tokens of its sessions and of other programs.
struct ArbitrationDriver {
    var machine: ArbitrationStateMachine
    /// The tokens of this process. Removing one from this dictionary destroys it in PipeWire.
    var tokens: [TokenName: any AnnouncedObject] = [:]
    /// Whether tokens are parsed. They are buffered until this process has a session or asks for
    /// the overview, because most programs never need them.
    var isParsing = false
    /// The tokens that arrived before parsing began or the identity of this client was known,
    /// reduced to the properties that a token needs.
    var early: [ObjectID: EarlyToken] = [:]
    private var earlyCount: UInt64 = 0
    var sessions: [AudioSessionID: SessionEntry] = [:]
    var waiting: [ArbitrationRequestID: CheckedContinuation<ActivationFailure?, Never>] = [:]
    var lastRequest: UInt64 = 0
    var inbox: [ArbitrationInput] = []
    var isReceiving = false
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

    init(timeout: Duration) { machine = ArbitrationStateMachine(timeout: timeout) }

    struct SessionEntry {
        weak var session: AudioSession?
        /// The follower of the session's route.
        let follower: FollowerID
        /// The nodes by which the session plays.
        var streams: Set<ObjectID> = []
    }
}

/// This extension sends changes of tokens to ``ArbitrationStateMachine`` and executes its actions.
extension AudioSessionManager {
    func receive(_ change: TokenChange) {
        switch change {
        case .appeared(let id, let properties):
            // The limit exceeds what any real computer has. Parsing enforces the limits of each
            // program.
            if arbitration.early.count >= TokenContents.mostUnread, model.isKnown { joinArbitration() }
            if isWatchingTokens {
                tokenAppeared(id, properties)
            } else if arbitration.early.count < TokenContents.mostEarly {
                arbitration.keep(id, properties)
            }
        case .vanished(let id): if isWatchingTokens { send(.vanished(id)) } else { arbitration.early[id] = nil }
        case .echoed(let name): send(.echoed(name))
        }
    }

    /// Begins the board of a new connection, whose client is known now.
    func connectArbitration() {
        guard let identity = graphConnection?.identity else { return }
        send(.connected(cookie: identity.cookie, owner: owner(identity.client)))
        if arbitration.isParsing { admitEarly() }
        updateStreaming()
    }

    /// Begins to parse tokens, including the buffered ones.
    func joinArbitration() {
        guard !arbitration.isParsing else { return }
        arbitration.isParsing = true
        guard model.isKnown else { return }
        admitEarly()
        updateStreaming()
    }

    private var isWatchingTokens: Bool { model.isKnown && arbitration.isParsing }

    private func admitEarly() {
        let early = arbitration.early.sorted { $0.value.arrival < $1.value.arrival }
        arbitration.early = [:]
        for (id, token) in early { tokenAppeared(id, token.properties) }
    }

    func disconnectArbitration() {
        let tokens = arbitration.tokens
        arbitration.tokens = [:]
        withExtendedLifetime(tokens) {}
        arbitration.early = [:]
        send(.disconnected)
    }

    private func tokenAppeared(_ id: ObjectID, _ properties: Properties) {
        guard let serial = properties[.objectSerial].flatMap(UInt64.init),
            let client = properties.objectID(.clientID)
        else { return }
        send(.appeared(TokenIdentity(object: id, serial: serial, owner: owner(client)), properties))
    }

    /// Returns the owner of a client, with the process for which PipeWire vouches. The program's
    /// name is its own claim and decides nothing.
    func owner(_ id: ObjectID) -> TokenOwner {
        let client = model.registry.graph.clients[id]
        return TokenOwner(
            client: id, processID: client?.processID, application: client?.applicationName,
            isSandboxed: client?.isSandboxed ?? false)
    }

    /// Sends an input to the board's state machine and executes its actions. Inputs that an action
    /// causes are queued.
    func send(_ input: ArbitrationInput) {
        guard !PipeWireLibrary.isForked else { return }
        arbitration.inbox.append(input)
        guard !arbitration.isReceiving else { return }
        arbitration.isReceiving = true
        var isOurs = false
        while !arbitration.inbox.isEmpty {
            let input = arbitration.inbox.removeFirst()
            isOurs = isOurs || !input.isAboutToken
            for action in arbitration.machine.receive(input, now: environment.now()) { perform(action) }
        }
        arbitration.isReceiving = false
        guard isOurs || arbitration.machine.active != arbitration.active else { return updateOtherAudio() }
        arbitration.active = arbitration.machine.active
        for (id, others) in arbitration.machine.othersOfInactive { send(id, .othersChanged(others)) }
        updateOtherAudio()
    }

    private func perform(_ action: ArbitrationAction) {
        switch action {
        case .create(let contents): create(contents)
        case .destroy(let name):
            // It is released after its removal, because destroying it may cause events
            // synchronously.
            _ = arbitration.tokens.removeValue(forKey: name)
        case .barrier(let name): graphConnection?.perform(.barrier(.token(name)))
        case .wake(let time): arm(.arbitration, at: time)
        case .notify(let event, let id): send(id, .arbitration(event))
        case .answer(let id, let failure): arbitration.waiting.removeValue(forKey: id)?.resume(returning: failure)
        }
    }

    private func create(_ contents: TokenContents) {
        let name = contents.name
        guard let graphConnection else { return arbitration.inbox.append(.failed(name)) }
        do {
            arbitration.tokens[name] = try graphConnection.announce(contents.announcement) { [weak self] in
                self?.assumeIsolated { $0.send(.failed(name)) }
            }
            graphConnection.perform(.barrier(.token(name)))
        } catch {
            arbitration.inbox.append(.failed(name))
        }
    }
}

extension ArbitrationInput {
    /// Whether the event is only about a token. Such events are frequent and change little else.
    fileprivate var isAboutToken: Bool {
        switch self {
        case .appeared, .vanished: true
        default: false
        }
    }
}
