import AudioSessionCore

/// Tokens of any program, in any order, at a board with two sessions that act all the while.
func fuzzBoard(_ bytes: UnsafeRawBufferPointer) {
    var board = FuzzedBoard(bytes)
    for _ in 0..<256 where !board.isAtEnd { board.step() }
    board.check()
}

private struct FuzzedBoard {
    private static let me = TokenOwner(client: ObjectID(1), processID: 100)
    private let mine = (1...2).map { session($0) }

    private var rest: Slice<UnsafeRawBufferPointer>
    private var board = ArbitrationStateMachine()
    private var now: UInt64 = 1
    private var cookie: UInt32 = 1
    private var lastSerial: UInt64 = 0
    private var lastObject: UInt32 = 0
    private var isUp = false
    private var live: [(identity: TokenIdentity, properties: Properties)] = []
    /// The messages that the daemon has not processed yet.
    private var outbox: [ArbitrationAction] = []
    private var asked: Set<UInt64> = []
    private var lastRequest: UInt64 = 0
    private var interrupted: Set<AudioSessionID> = []
    private var advised: Set<AudioSessionID> = []
    private var active: Set<AudioSessionID> = []

    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes[...]
        connect()
        for session in mine { receive(.opened(session, traits())) }
    }

    var isAtEnd: Bool { rest.isEmpty }

    private static func session(_ number: Int) -> AudioSessionID {
        guard let session = AudioSessionID("00000000-0000-4000-8000-00000000000\(number % 10)") else {
            preconditionFailure("a uuid that is none")
        }
        return session
    }

    mutating func step() {
        let byte = next()
        let session = mine[Int(byte >> 7)]
        switch byte & 15 {
        case 0: ask(.activate, session)
        case 1: ask(.deactivate(notify: byte & 16 == 0), session)
        case 2: ask(.configure(traits()), session)
        case 3, 4, 5: work()
        case 6, 7, 8: appear(stranger())
        case 9: appear(forged())
        case 10: if !live.isEmpty { vanish(Int(next()) % live.count) }
        case 11: advance(UInt64(next()) * 50_000_000)
        case 12: receive(.background(byte & 16 == 0))
        case 13: receive(.stoppedByRouteLoss(byte & 16 == 0, session))
        case 14: receive(.silentMode(byte & 16 == 0))
        default: restart()
        }
    }

    /// No request waits forever, and a stack does not depend on the order of its history.
    mutating func check() {
        if !isUp { connect() }
        for _ in 0..<64 where !outbox.isEmpty { work() }
        advance(10_000_000_000)
        for _ in 0..<64 where !outbox.isEmpty { work() }
        require(asked.isEmpty, "never answered: \(asked)")
        for session in mine {
            receive(.closed(session))
            require(board.status(of: session) == nil, "closed, and still there")
        }
    }

    private mutating func ask(_ request: ArbitrationRequest, _ session: AudioSessionID) {
        lastRequest += 1
        asked.insert(lastRequest)
        receive(.requested(request, session, ArbitrationRequestID(lastRequest)))
    }

    private mutating func receive(_ input: ArbitrationInput) {
        for action in board.receive(input, now: MonotonicTime(nanoseconds: now)) {
            switch action {
            case .create, .destroy, .barrier: outbox.append(action)
            case .wake: break
            case .notify(let event, let session): note(event, session)
            case .answer(let id, _):
                require(asked.remove(id.rawValue) != nil, "answered twice, or never asked: \(id)")
            }
        }
    }

    private mutating func note(_ event: ArbitrationEvent, _ session: AudioSessionID) {
        switch event {
        case .activated:
            active.insert(session)
            interrupted.remove(session)
            advised.remove(session)
        case .deactivated, .claimLapsed, .placeLost:
            active.remove(session)
            interrupted.remove(session)
            advised.remove(session)
        case .began:
            let wasActive = active.remove(session) != nil
            let wasAdvised = advised.remove(session) != nil
            require(wasActive || wasAdvised, "began at a session that was neither active nor advised")
            require(interrupted.insert(session).inserted, "began twice")
        case .ended(let shouldResume, _):
            require(interrupted.remove(session) != nil, "ended without beginning")
            if shouldResume { advised.insert(session) }
        case .ducking(let gain, _): require(gain <= TokenTraits.fullGain, "louder than loud")
        case .causesChanged, .others: break
        }
    }

    /// The daemon executes the oldest request.
    private mutating func work() {
        guard isUp, !outbox.isEmpty else { return }
        switch outbox.removeFirst() {
        case .create(let contents):
            if next() == 0xff { return receive(.failed(contents.name)) }
            appear((Self.me, contents.announcement.properties()))
            receive(.echoed(contents.name))
        case .destroy(let name):
            let index = live.firstIndex {
                $0.identity.owner == Self.me && $0.properties[.deviceName] == name.description
            }
            if let index { vanish(index) }
        case .barrier(let name): receive(.echoed(name))
        default: break
        }
    }

    private mutating func appear(_ token: (owner: TokenOwner, properties: Properties)) {
        guard isUp, live.count < 64 else { return }
        lastSerial += 1
        lastObject += 1
        let identity = TokenIdentity(object: ObjectID(lastObject), serial: lastSerial, owner: token.owner)
        live.append((identity, token.properties))
        receive(.appeared(identity, token.properties))
    }

    private mutating func vanish(_ index: Int) {
        let identity = live.remove(at: index).identity
        receive(.vanished(identity.object))
    }

    private mutating func advance(_ nanoseconds: UInt64) {
        now += nanoseconds
        receive(.deadline)
    }

    private mutating func restart() {
        if isUp {
            live = []
            outbox = []
            isUp = false
            receive(.disconnected)
        } else {
            connect()
        }
    }

    private mutating func connect() {
        cookie += 1
        lastSerial = 0
        isUp = true
        receive(.connected(cookie: cookie, owner: Self.me))
    }

    /// A token of another program, in any state and with any place.
    private mutating func stranger() -> (TokenOwner, Properties) {
        let byte = next()
        let owner = TokenOwner(client: ObjectID(UInt32(2 + byte & 3)), processID: Int(byte & 3) + 200)
        let states = TokenContents.State.allCases
        let place = TokenPlace(cookie: UInt32(next() & 3), epoch: UInt32(next() & 3), serial: UInt64(next()))
        let contents = TokenContents(
            name: TokenName(Self.session(3 + Int(byte >> 2 & 3)), UInt32(next())),
            state: states[Int(next()) % states.count],
            traits: traits(), place: byte & 64 == 0 ? nil : place,
            background: byte & 128 == 0 ? .no : .nowPlaying(UInt64(next())), isChange: byte & 32 != 0)
        return (owner, contents.announcement.properties())
    }

    /// A session of another program or this one, in bytes that need not be a token.
    private mutating func forged() -> (TokenOwner, Properties) {
        let byte = next()
        var (owner, properties) = stranger()
        // A token whose process the daemon does not know.
        if byte & 1 == 0 { owner = TokenOwner(client: ObjectID(7)) }
        let length = min(Int(next()), rest.count)
        let text = String(decoding: rest.prefix(length), as: UTF8.self)
        rest = rest.dropFirst(length)
        if byte & 2 == 0 { properties[.deviceDescription] = text }
        if byte & 4 == 0 { properties[.deviceName] = TokenName(mine[Int(byte >> 7)], UInt32(byte >> 3)).description }
        return (owner, properties)
    }

    private mutating func traits() -> TokenTraits {
        let (byte, kind) = (next(), next())
        return TokenTraits(
            priority: TokenPriority(rawValue: byte % 5) ?? .media, group: byte & 128 == 0 ? nil : "g\(byte >> 6 & 1)",
            isMixable: kind & 1 != 0, duckedGain: kind & 6 == 6 ? UInt16(kind) * 4 : nil,
            interruptsSpokenAudio: kind & 24 == 24, isSpokenAudio: kind & 32 != 0, capturesAudio: kind & 64 != 0,
            leavesWithNotice: kind & 128 != 0)
    }

    private mutating func next() -> UInt8 { rest.popFirst() ?? 0 }
}
