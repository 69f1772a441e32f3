package import AudioSessionCore

/// Attacks of other programs on the board of a program with sessions, as one table of hostile token
/// contents.
package enum BoardAttack: String, Sendable, CaseIterable {
    /// The tokens of honest programs, for comparison.
    case mixing
    case players, duckers, spoken
    /// Places of an earlier run of the daemon; of many runs, with counters that move them; of two
    /// runs that pass each other, beside sessions that interrupt.
    case restored, runs, runsAndPlayers
    case advised, waiting
    /// Re-made with a place before others, with priority, and before those that they block.
    case overtakers, overtaken
    /// From the background, which is refused without an opponent.
    case refused
    /// Granted on condition of a confirmation, which never follows.
    case unconfirmed
    /// All tokens of one session of each process.
    case tokensOfOneSession, releases
    case groups
    /// More tokens than one process may have.
    case surplus
    /// Shown after a newer one that stays, that was removed, or that is removed when all are shown.
    case heldBack, heldBackAlone, heldBackAtFirst
}

/// A board under attack, and the events there.
package struct AttackedBoard {
    private var machine = ArbitrationStateMachine()
    private let own = TokenOwner(client: ObjectID(1), processID: 1, application: "own")
    private var serial: UInt64 = 100
    private var now = MonotonicTime(nanoseconds: 1_000_000_000)
    private var made: [TokenName: UInt64] = [:]
    private var objects: [ObjectID] = []
    /// The serial of a token that is shown before older ones.
    private var newest: UInt64 = 0
    private let measure: (() -> Void) -> Void

    /// Prepares a board under attack.
    ///
    /// - Parameters:
    ///   - own: the sessions that this program has.
    ///   - measure: runs its argument, which receives one event.
    package init(own sessions: [TokenTraits], measure: @escaping (() -> Void) -> Void) {
        self.measure = measure
        send(.connected(cookie: 1, owner: own))
        for (index, traits) in sessions.enumerated() {
            send(.opened(Self.session(index + 1), traits))
            send(.requested(.activate, Self.session(index + 1), ArbitrationRequestID(UInt64(index + 1))))
        }
    }

    /// The tokens of an attack, by four processes.
    package mutating func attack(_ attack: BoardAttack, tokens count: Int) {
        let processes = 4
        let isLate = attack == .heldBack || attack == .heldBackAlone
        newest = serial + UInt64(2 * count)
        if attack == .heldBackAtFirst { showNewest(stays: true) }
        for number in 0..<count {
            let process = number / (count / processes)
            if isLate, number % 2 == 0 { showNewest(stays: attack == .heldBack) }
            objects.append(appear(contents(attack, process, number % (count / processes)), of: process))
        }
        if attack == .heldBackAtFirst { send(.vanished(objects.removeFirst())) }
    }

    /// Activates and ends a session of this kind.
    package mutating func activateAndEnd(_ kind: Newcomer) {
        let contents =
            switch kind {
            case .mixing: contents(TokenTraits(isMixable: true))
            case .player: contents(TokenTraits())
            case .call: contents(Self.call)
            case .emergency: contents(TokenTraits(priority: .emergency))
            case .ducker: contents(TokenTraits(duckedGain: TokenTraits.defaultDuckedGain))
            case .prompt: contents(TokenTraits(interruptsSpokenAudio: true))
            case .restored: contents(TokenTraits(), place: TokenPlace(cookie: 7, epoch: 1, serial: 3))
            case .background: contents(TokenTraits(), background: .nowPlaying(5))
            }
        send(.vanished(appear(contents, of: 9)))
    }

    package enum Newcomer: CaseIterable, Sendable {
        case mixing, player, call, emergency, ducker, prompt, restored, background
    }

    /// Advances the clock, and sends a deadline.
    package mutating func pass(_ duration: Duration) {
        advance(by: duration)
        send(.deadline)
    }

    /// Advances the clock without an event.
    package mutating func advance(by duration: Duration) { now = now + duration }

    /// Removes all tokens of the attack, as at the end of their programs.
    package mutating func end(newestFirst: Bool = false) {
        for object in newestFirst ? objects.reversed() : objects { send(.vanished(object)) }
        objects = []
    }

    private static let call = TokenTraits(priority: .communication, capturesAudio: true)

    private func contents(_ attack: BoardAttack, _ process: Int, _ index: Int) -> TokenContents {
        let mixing = TokenTraits(isMixable: true)
        let place = { (cookie: Int, epoch: Int) in
            TokenPlace(cookie: UInt32(cookie), epoch: UInt32(epoch), serial: UInt64(index + 1))
        }
        let emergency = TokenTraits(priority: .emergency)
        switch attack {
        case .mixing, .surplus, .heldBack, .heldBackAlone, .heldBackAtFirst: return contents(mixing)
        case .players: return contents(TokenTraits())
        case .duckers: return contents(TokenTraits(duckedGain: UInt16(index % 999)))
        case .spoken: return contents(TokenTraits(interruptsSpokenAudio: index % 2 == 0, isSpokenAudio: true))
        case .restored: return contents(mixing, place: place(0, index % 9))
        case .runs: return contents(mixing, place: place(10 + process * 8 + index % 8, index))
        case .runsAndPlayers:
            guard index % 2 == 1 else { return contents(TokenTraits()) }
            return contents(mixing, place: place(10 + index % 4, process * 1024 + index))
        case .advised: return contents(TokenTraits(), state: .advised, place: place(1, 0))
        case .waiting: return contents(TokenTraits(), state: .waiting)
        case .overtakers: return contents(index % 2 == 0 ? Self.call : emergency, place: place(1, 0))
        case .overtaken:
            guard process == 3 else { return contents(TokenTraits()) }
            return contents(index % 2 == 0 ? Self.call : emergency, place: place(1, 0))
        case .refused: return index % 8 == 0 ? contents(TokenTraits(), background: .yes) : contents(mixing)
        case .unconfirmed: return contents(process == 0 ? Self.call : process == 1 ? emergency : TokenTraits())
        case .tokensOfOneSession: return contents(mixing, session: 1_000_000 + process)
        case .releases:
            let state: TokenContents.State = index % 3 == 0 ? .standing : .releasedWithNotice
            return contents(mixing, state: state, session: 1_000_000 + process)
        case .groups:
            let priority = TokenPriority(rawValue: UInt8(index % TokenPriority.allCases.count)) ?? .media
            return contents(TokenTraits(priority: priority, group: "g\(index)"))
        }
    }

    private func contents(
        _ traits: TokenTraits, state: TokenContents.State = .standing, place: TokenPlace? = nil,
        background: TokenContents.Background = .no, session: Int? = nil
    ) -> TokenContents {
        let name = TokenName(Self.session(session ?? Int(serial + 1)), UInt32(serial + 1))
        return TokenContents(name: name, state: state, traits: traits, place: place, background: background)
    }

    private mutating func showNewest(stays: Bool) {
        let former = serial
        serial = newest
        newest += 1
        let object = appear(contents(TokenTraits(isMixable: true)), of: 8)
        serial = former
        if stays { objects.append(object) } else { send(.vanished(object)) }
    }

    private mutating func appear(_ contents: TokenContents, of process: Int) -> ObjectID {
        serial += 1
        let owner = TokenOwner(
            client: ObjectID(UInt32(1000 + process)), processID: 1000 + process, application: "attacker")
        send(.token(serial, contents, of: owner))
        return ObjectID(UInt32(serial))
    }

    /// PipeWire creates, shows and removes the board's tokens at once.
    private mutating func send(_ input: ArbitrationInput) {
        var actions: [ArbitrationAction] = []
        measure { actions = machine.receive(input, now: now) }
        for action in actions {
            switch action {
            case .create(let contents):
                serial += 1
                made[contents.name] = serial
                send(.token(serial, contents, of: own))
                send(.echoed(contents.name))
            case .destroy(let name):
                if let serial = made.removeValue(forKey: name) { send(.vanished(ObjectID(UInt32(serial)))) }
            case .barrier(let name): send(.echoed(name))
            case .wake, .notify, .answer: break
            }
        }
    }

    private static func session(_ number: Int) -> AudioSessionID { BoardStage.session(number) }
}
