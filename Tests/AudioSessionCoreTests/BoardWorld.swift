import SessionStories
import Testing

@testable import AudioSessionCore

/// Processes that act at random, and the invariants that must hold whatever they do.
struct BoardWorld {
    private var daemon = BoardDaemon()
    private var random: BoardRandom
    private var sessions: [(process: Int, id: AudioSessionID)] = []
    private var history: [AudioSessionID: History] = [:]
    private var lastRequest: UInt64 = 0
    private var asked: Set<ArbitrationRequestID> = []
    private let stranger = TokenOwner(client: ObjectID(99_999), processID: 66)
    /// The objects that it has created and does not show yet.
    private var heldBack: [TokenIdentity] = []
    var isHostile = false
    /// The number of inputs that all state machines together received.
    var steps: Int { daemon.processes.map(\.steps).reduce(0, +) }

    private struct History {
        var isInterrupted = false
        var isActive = false
        var isAdvised = false
        var gain = TokenTraits.fullGain
    }

    init(seed: UInt64, processes: Int) {
        random = BoardRandom(seed: seed)
        for _ in 0..<processes { join() }
    }

    private mutating func join() {
        let process = daemon.join()
        for _ in 0...(random.chance(30) ? 1 : 0) {
            let id = BoardStage.session(sessions.count)
            sessions.append((process, id))
            history[id] = History()
            daemon.ask(process, .opened(id, traits()))
        }
    }

    private mutating func traits() -> TokenTraits {
        let kinds = [
            "music", "music", "podcast", "game", "nav", "prompt", "alarm", "call", "mixCall", "emergency", "rec",
        ]
        var kind = kinds.randomElement(using: &random) ?? "music"
        if random.chance(20) { kind += random.chance(50) ? "@a" : "@b" }
        return BoardStage.traits(kind)
    }

    mutating func step() {
        let process = Int.random(in: daemon.processes.indices, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35: daemon.deliver(process)
        case 35..<55: daemon.readMessage(of: process)
        case 55..<85: ask()
        case 85..<88: daemon.advance(.milliseconds(Int.random(in: 0...1500, using: &random)))
        case 88: daemon.kill(process, isFlushed: random.chance(50))
        case 89 where daemon.processes.count < 14: join()
        case 90: daemon.stop(process, random.chance(40))
        case 91..<94 where isHostile: attack()
        case 94: daemon.isStopped = random.chance(70)
        case 95 where daemon.isStopped: daemon.advance(.seconds(6))
        default: daemon.run()
        }
        collectEvents()
    }

    private mutating func ask() {
        let (process, id) = sessions[Int.random(in: sessions.indices, using: &random)]
        guard !daemon.processes[process].isDead, !daemon.processes[process].isStopped else { return }
        if random.chance(4) { return daemon.ask(process, .background(random.chance(40))) }
        lastRequest += 1
        let request: ArbitrationRequest =
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5: .activate
            case 5..<8: .deactivate(notify: random.chance(70))
            default: .configure(traits())
            }
        asked.insert(ArbitrationRequestID(lastRequest))
        daemon.ask(process, .requested(request, id, ArbitrationRequestID(lastRequest)))
    }

    /// Another program writes malformed tokens, copies or destroys those of others, or shows one
    /// late.
    private mutating func attack() {
        guard let victim = daemon.liveTokens.randomElement(using: &random) else { return }
        let contents = BoardTokenCodecTests.contents(&random).announcement.properties()
        switch Int.random(in: 0...4, using: &random) {
        case 0: daemon.destroy(victim.identity.object)
        case 1:
            let copy = victim.contents.announcement.properties()
            daemon.create(BoardTokenCodecTests.mutated(copy, &random), owner: stranger)
        case 2: heldBack.append(daemon.number(stranger))
        case 3 where !heldBack.isEmpty: daemon.create(contents, owner: stranger, numbered: heldBack.removeFirst())
        default: daemon.create(contents, owner: stranger)
        }
    }

    mutating func restart() {
        daemon.shutDown()
        heldBack = []
        collectEvents()
        if random.chance(30) { join() }
        daemon.startUp()
        for _ in 0..<20 { step() }
    }

    /// All processes continue and read everything. A second is more than any grace period.
    mutating func settle() {
        daemon.isStopped = false
        for process in daemon.processes.indices { daemon.stop(process, false) }
        daemon.run()
        // Decisions about tokens of a hostile program may take several rounds of reviews.
        daemon.advance(.seconds(isHostile ? 10 : 2))
        collectEvents()
    }

    /// All other programs end. Each waiting session must be notified.
    mutating func leaveAlone() {
        guard let last = daemon.processes.indices.last(where: { !daemon.processes[$0].isDead }) else { return }
        for process in daemon.processes.indices where process != last { daemon.kill(process) }
        daemon.run()
        daemon.advance(.seconds(10))
        collectEvents()
        let own = sessions.filter { $0.process == last }
        // Its own sessions may have different groups, and so interrupt one another.
        for (_, id) in own {
            lastRequest += 1
            asked.insert(ArbitrationRequestID(lastRequest))
            daemon.ask(last, .requested(.deactivate(notify: true), id, ArbitrationRequestID(lastRequest)))
            daemon.run()
        }
        collectEvents()
        for (_, id) in own {
            #expect(daemon.processes[last].machine.status(of: id)?.state == .inactive)
            #expect(history[id]?.isInterrupted == false)
        }
        daemon.advance(.seconds(2))
        #expect(daemon.liveTokens.isEmpty)
    }

    mutating func collectEvents() {
        for notifications in daemon.takeNotifications().joined() {
            switch notifications {
            case .event(let event, let id): note(event, id)
            case .answer(let id, _): #expect(asked.remove(id) != nil, "answered twice")
            }
        }
    }

    private mutating func note(_ event: ArbitrationEvent, _ id: AudioSessionID) {
        var entry = history[id] ?? History()
        switch event {
        case .activated:
            #expect(!entry.isActive)
            entry = History(isActive: true)
        case .began:
            #expect((entry.isActive || entry.isAdvised) && !entry.isInterrupted)
            entry = History(isInterrupted: true)
        case .ended(let shouldResume, _):
            #expect(entry.isInterrupted)
            entry = History(isAdvised: shouldResume)
        case .deactivated, .claimLapsed, .placeLost: entry = History()
        case .ducking(let gain, let causes):
            #expect(entry.isActive && entry.gain != gain && causes.isEmpty == (gain == TokenTraits.fullGain))
            entry.gain = gain
        case .causesChanged: #expect(entry.isActive || entry.isInterrupted)
        case .others: #expect(entry.isActive)
        }
        history[id] = entry
    }

    /// Checks the invariants that hold when all processes have read everything.
    func check(_ moment: Comment) {
        let live = daemon.processes.filter { !$0.isDead }
        guard let first = live.first else { return }
        for process in live {
            #expect(shape(process.machine.arbitration) == shape(first.machine.arbitration), moment)
            checkAccounts(process.machine, moment)
        }
        #expect(shape(late) == shape(first.machine.arbitration), moment)
        let active = sessions.filter { !daemon.processes[$0.process].isDead && history[$0.id]?.isActive == true }
        for (process, id) in active {
            #expect(daemon.processes[process].machine.status(of: id)?.state == .active, moment)
        }
        checkExclusion(
            first.machine.arbitration, Set(active.map { SessionKey(owner: .id(5000 + $0.process), session: $0.id) }),
            moment)
    }

    /// The stack of a program that starts now, after its reviews.
    private var late: Arbitration {
        var machine = ArbitrationStateMachine()
        var now = daemon.now
        let owner = TokenOwner(client: ObjectID(88_888), processID: 77)
        _ = machine.receive(.connected(cookie: daemon.cookie, owner: owner), now: now)
        for token in daemon.liveTokens {
            let properties = token.contents.announcement.properties()
            _ = machine.receive(.appeared(token.identity, properties), now: now)
        }
        var turns = 0
        while let next = machine.tokens.nextReview(now), turns < 1000 {
            now = max(now, next)
            _ = machine.receive(.deadline, now: now)
            turns += 1
        }
        return machine.arbitration
    }

    /// The incremental state must equal a full evaluation.
    private func checkAccounts(_ machine: ArbitrationStateMachine, _ moment: Comment) {
        guard machine.graceEnd == nil else { return }
        for session in machine.sessions.all where session.state == .interrupted && session.standing != nil {
            let key = machine.key(of: session)
            let blockers = key.map { machine.arbitration.blockers(of: $0) }?.map(\.key) ?? []
            let waiting = Set(blockers.filter { !machine.tokens.hasLapsed($0, machine.now) })
            #expect(Set(session.blockers.keys) == waiting, moment)
        }
        for session in machine.sessions.all where session.asking == nil {
            guard case .advised = session.state else { continue }
            let blockers = machine.key(of: session).map { machine.arbitration.blockers(of: $0) } ?? []
            #expect(
                blockers.allSatisfy { machine.tokens.hasLapsed($0.key, machine.now) },
                "no session stays advised while another one is active: \(moment)")
        }
        for session in machine.sessions.all where session.state == .active && session.asking == nil {
            guard let key = machine.key(of: session), let place = machine.arbitration[key] else { continue }
            let duckers = machine.arbitration.duckers(of: key)
            #expect(session.others == machine.arbitration.others(besides: place.group), moment)
            #expect(session.duckers == duckers.map(\.token.cause), moment)
            #expect(session.duckedGain == duckers.compactMap(\.traits.duckedGain).min() ?? 1000, moment)
        }
    }

    private func shape(_ arbitration: Arbitration) -> [String] {
        arbitration.stack.map { "\($0.key) \($0.serial) \($0.isBlocked)" }
    }

    private func checkExclusion(_ arbitration: Arbitration, _ active: Set<SessionKey>, _ moment: Comment) {
        let sounding = arbitration.stack.filter { active.contains($0.key) }
        #expect(Set(sounding.filter { !$0.traits.isMixable }.map(\.group)).count <= 1, moment)
        #expect(sounding.count == active.count && sounding.allSatisfy(\.isActive), moment)
    }
}
