package import AudioSessionCore

/// PipeWire as far as tokens matter: one order of events for all programs, first in first out on
/// each connection.
package struct BoardDaemon {
    package private(set) var cookie: UInt32 = 1
    package private(set) var processes: [BoardProcess] = []
    private var live: [(identity: TokenIdentity, properties: Properties)] = []
    private var lastSerial: UInt64 = 100
    private var lastObject: UInt32 = 0
    package var isUp = true
    /// Whether it is stopped, as after SIGSTOP: messages of programs wait for it.
    package var isStopped = false
    package var now = MonotonicTime(nanoseconds: 1)

    package init() {}

    private var isReading: Bool { isUp && !isStopped }

    /// Adds a process, which may start late and is shown all live objects.
    package mutating func join() -> Int {
        let index = processes.count
        processes.append(BoardProcess(owner: owner(index)))
        if isUp { connect(index) }
        return index
    }

    private func owner(_ index: Int) -> TokenOwner {
        // The client's id is another after each restart.
        TokenOwner(client: ObjectID(cookie * 1000 + UInt32(index)), processID: 5000 + index, application: "p\(index)")
    }

    private mutating func connect(_ index: Int) {
        processes[index].owner = owner(index)
        processes[index].inbox = [.connected(cookie: cookie, owner: processes[index].owner)]
        processes[index].inbox += live.map { .appeared($0.identity, $0.properties) }
    }

    package mutating func ask(_ index: Int, _ input: ArbitrationInput) { processes[index].receive(input, now) }

    /// The daemon reads one message of a process.
    package mutating func readMessage(of index: Int) {
        guard isReading, !processes[index].isDead, !processes[index].outbox.isEmpty else { return }
        switch processes[index].outbox.removeFirst() {
        case .create(let contents):
            create(contents.announcement.properties(), owner: processes[index].owner, name: contents.name, index)
            processes[index].inbox.append(.echoed(contents.name))
        case .destroy(let name):
            guard let object = processes[index].objects.removeValue(forKey: name) else { return }
            destroy(object)
        case .barrier(let name): processes[index].inbox.append(.echoed(name))
        default: break
        }
    }

    /// An object with a number that no program sees before it is created with it.
    package mutating func number(_ owner: TokenOwner) -> TokenIdentity {
        lastSerial += 1
        lastObject += 1
        return TokenIdentity(object: ObjectID(lastObject), serial: lastSerial, owner: owner)
    }

    package mutating func create(
        _ properties: Properties, owner: TokenOwner, name: TokenName? = nil, _ index: Int? = nil,
        numbered former: TokenIdentity? = nil
    ) {
        let identity = former ?? number(owner)
        live.append((identity, properties))
        if let name, let index { processes[index].objects[name] = identity.object }
        broadcast(.appeared(identity, properties))
    }

    package mutating func destroy(_ object: ObjectID) {
        guard live.contains(where: { $0.identity.object == object }) else { return }
        live.removeAll { $0.identity.object == object }
        broadcast(.vanished(object))
    }

    private mutating func broadcast(_ input: ArbitrationInput) {
        for index in processes.indices where !processes[index].isDead { processes[index].inbox.append(input) }
    }

    /// A process reads one event of its connection.
    package mutating func deliver(_ index: Int) {
        guard !processes[index].isDead, !processes[index].isStopped, !processes[index].inbox.isEmpty else { return }
        processes[index].receive(processes[index].inbox.removeFirst(), now)
    }

    /// Kills a process. `isFlushed`: whether the daemon has read its messages.
    package mutating func kill(_ index: Int, isFlushed: Bool = true) {
        guard !processes[index].isDead else { return }
        while isFlushed, isReading, !processes[index].outbox.isEmpty { readMessage(of: index) }
        processes[index].isDead = true
        // PipeWire reuses numbers, so that the newest may be removed first, before the release of
        // an earlier activation.
        for object in processes[index].objects.values.sorted(by: >) { destroy(object) }
    }

    package mutating func stop(_ index: Int, _ isStopped: Bool) { processes[index].isStopped = isStopped }

    /// Breaks the connection of one process, and reconnects it.
    package mutating func drop(_ index: Int) {
        for object in processes[index].objects.values.sorted() { destroy(object) }
        processes[index].objects = [:]
        processes[index].receive(.disconnected, now)
        processes[index].outbox = []
        connect(index)
    }

    package mutating func shutDown() {
        isUp = false
        isStopped = false
        live = []
        for index in processes.indices {
            processes[index].outbox = []
            processes[index].objects = [:]
            processes[index].inbox.append(.disconnected)
        }
    }

    package mutating func startUp() {
        isUp = true
        cookie += 1
        lastSerial = 0
        lastObject = 0
        for index in processes.indices where !processes[index].isDead {
            while !processes[index].inbox.isEmpty {
                processes[index].receive(processes[index].inbox.removeFirst(), now)
            }
            processes[index].outbox = []
            connect(index)
        }
    }

    /// Advances the clock; a stopped process misses its deadlines.
    package mutating func advance(_ duration: Duration) {
        let end = MonotonicTime(
            nanoseconds: now.nanoseconds + UInt64(duration / .nanoseconds(1)))
        var wakes = 0
        while let wake = nextWake, wake <= end {
            // A deadline that has passed is never set again.
            wakes = wake > now ? 0 : wakes + 1
            precondition(wakes < 1000, "a process has a deadline in the past")
            now = max(now, wake)
            for index in processes.indices where processes[index].isDue(now) {
                processes[index].receive(.deadline, now)
            }
            run()
        }
        now = end
    }

    /// The time at which a process next acts by itself.
    package var nextWake: MonotonicTime? {
        processes.filter { !$0.isStopped && !$0.isDead }.compactMap(\.wake).min()
    }

    /// Delivers messages until no process has any.
    package mutating func run() {
        var isBusy = true
        while isBusy {
            isBusy = false
            for index in processes.indices {
                while isReading, !processes[index].isDead, !processes[index].outbox.isEmpty { readMessage(of: index) }
                guard !processes[index].isStopped, !processes[index].isDead else { continue }
                while !processes[index].inbox.isEmpty {
                    deliver(index)
                    isBusy = true
                }
                isBusy = isBusy || (isReading && !processes[index].outbox.isEmpty)
            }
        }
    }

    package var liveTokens: [Token] {
        live.enumerated().compactMap { position, object in
            guard case .token(let contents) = TokenContents.read(object.properties) else { return nil }
            return Token(object.identity, contents, arrival: UInt64(position))
        }
    }

    package mutating func takeNotifications() -> [[BoardNotification]] {
        processes.indices.map { index in
            defer { processes[index].notifications = [] }
            return processes[index].notifications
        }
    }
}

package enum BoardNotification: Equatable {
    case event(ArbitrationEvent, AudioSessionID)
    case answer(ArbitrationRequestID, ActivationFailure?)
}

package struct BoardProcess {
    package fileprivate(set) var owner: TokenOwner
    package private(set) var machine = ArbitrationStateMachine()
    package var inbox: [ArbitrationInput] = []
    package var outbox: [ArbitrationAction] = []
    package var objects: [TokenName: ObjectID] = [:]
    package var notifications: [BoardNotification] = []
    package var wake: MonotonicTime?
    package var isDead = false
    package var isStopped = false
    /// The inputs that its state machine received.
    package private(set) var steps = 0

    fileprivate init(owner: TokenOwner) { self.owner = owner }

    package mutating func receive(_ input: ArbitrationInput, _ now: MonotonicTime) {
        guard !isDead else { return }
        steps += 1
        for action in machine.receive(input, now: now) {
            switch action {
            case .create, .destroy, .barrier: outbox.append(action)
            case .wake(let time): wake = time
            case .notify(let event, let session): notifications.append(.event(event, session))
            case .answer(let id, let failure): notifications.append(.answer(id, failure))
            }
        }
    }

    package mutating func isDue(_ now: MonotonicTime) -> Bool {
        guard !isStopped, !isDead, let time = wake, time <= now else { return false }
        wake = nil
        return true
    }
}
