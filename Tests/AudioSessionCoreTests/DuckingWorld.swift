@testable import AudioSessionCore

/// A simulated PipeWire with programs that duck streams. Messages arrive in order and at any time.
struct DuckingWorld {
    private struct Stream {
        var volumes: [Float]
        /// `nil` means that its own volumes are in effect.
        var soft: [Float]?
    }

    private struct Program {
        var machine: UnmanagedStreams

        /// The third program has exceptions.
        init(_ index: Int) {
            let exceptions = UnmanagedAudioExceptions(names: index == DuckingWorld.selective ? ["exception"] : [])
            machine = UnmanagedStreams(.others(except: exceptions))
        }

        /// The orders that the program has sent, and the events that were sent to it.
        var outbox: [Order] = []
        var inbox: [(connection: Int, event: GraphEvent)] = []
        /// The program's current or next connection, and the one that the daemon sends events to.
        var connection = 0
        var watching: Int?
        var watchdogOrders: [UnmanagedStreams.RestoreOrder] = []
        /// The streams that it must mute, and their marks in the daemon, by serial.
        var muted: Set<ObjectID> = []
        var mutingMarks: [String: ObjectID] = [:]
        /// The serial of its mark in the daemon.
        var mark: ObjectID?
        var wantsTurn = false
    }

    private enum Order {
        case watch(Int), disconnect, show(DuckingMark), showMuted(String, Set<String>)
        case graph(GraphCommand)
    }

    private var random: BoardRandom
    private var programs: [Program]
    private var streams: [ObjectID: Stream] = [:]
    private var marks: [ObjectID: DuckingMark] = [:]
    private var mutingMarks: [ObjectID: MutingMark] = [:]
    /// The sink by which the session manager ducks streams by their roles; `nil` without one.
    private var roleSink: ObjectID?
    private var lastID: UInt32 = 100
    /// A program that only mutes.
    static let muter = 1
    /// A program that ducks, and has exceptions.
    static let selective = 2
    /// Two of the streams that exist at the beginning.
    static let (ordinary, exception) = (ObjectID(101), ObjectID(102))

    init(seed: UInt64, programs count: Int) {
        random = BoardRandom(seed: seed)
        programs = (0..<count).map { Program($0) }
        for _ in 0..<3 { addStream() }
    }

    // MARK: What happens

    mutating func step() {
        let program = programs.indices.randomElement(using: &random)!
        switch Int.random(in: 0..<101, using: &random) {
        case 0..<40: deliver(program)
        case 40..<80: executeOrder(of: program)
        case 80..<84: begin(program)
        case 84..<88: end(program)
        case 88..<90: kill(program)
        case 90..<94: setVolume()
        case 94..<96: addStream()
        case 96..<98: mute(program)
        case 98..<100: removeStream()
        default: toggleRoles()
        }
    }

    /// Runs until no program has anything to do.
    mutating func settle() {
        while let program = programs.indices.filter({ hasWork($0) }).randomElement(using: &random) {
            if random.chance(50) { deliver(program) } else { executeOrder(of: program) }
        }
    }

    /// Runs one program until it has nothing to do, while the others do nothing.
    mutating func run(_ program: Int) {
        while hasWork(program) {
            deliver(program)
            executeOrder(of: program)
        }
    }

    mutating func endAll() { for program in programs.indices { end(program) } }

    private func hasWork(_ program: Int) -> Bool {
        !programs[program].outbox.isEmpty || !programs[program].inbox.isEmpty
    }

    mutating func begin(_ program: Int) {
        programs[program].wantsTurn = true
        lastID += 1
        // Every second program only mutes.
        let gain = program % 2 == 1 ? TokenTraits.fullGain : UInt16([100, 200, 500].randomElement(using: &random)!)
        deliver(program, .turnBegan(DuckingMark(name: "mark \(lastID)", gain: gain)))
    }

    mutating func end(_ program: Int) {
        programs[program].wantsTurn = false
        programs[program].muted = []
        deliver(program, .turnEnded)
    }

    private mutating func mute(_ program: Int) {
        guard programs[program].wantsTurn, programs[program].machine.audible != nil else { return }
        let muted = Set(streams.keys.sorted().filter { _ in random.chance(50) })
        mute(program, muted)
    }

    /// Lets a program mute these streams, and no others.
    mutating func mute(_ program: Int, _ muted: Set<ObjectID>) {
        programs[program].muted = muted
        deliver(program, .mute(muted))
    }

    /// Ends a program while it begins or ends to duck. It has read everything before, because its
    /// watchdog knows nothing of a stream or volume that appears at that moment.
    private mutating func kill(_ program: Int) {
        while hasWork(program) { random.chance(50) ? deliver(program) : executeOrder(of: program) }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: begin(program)
        case 1: end(program)
        default: break
        }
        let sent = Int.random(in: 0...programs[program].outbox.count, using: &random)
        let orders = programs[program].outbox.prefix(sent)
        programs[program].outbox = []
        for order in orders { execute(order, program) }
        execute(.disconnect, program)
        let watchdogOrders = programs[program].watchdogOrders
        programs[program] = Program(program)
        guard marks.values.allSatisfy({ $0.gain == TokenTraits.fullGain }) else { return }
        let muted = Set(mutingMarks.values.map(\.serial))
        for order in watchdogOrders where !muted.contains(order.serial) { streams[order.id]?.soft = order.volumes }
    }

    private mutating func setVolume() {
        guard let id = streams.keys.sorted().randomElement(using: &random) else { return }
        let volume = Float.random(in: 0.1...1, using: &random)
        setVolume(of: id, to: volume)
    }

    /// Sets a stream's volume, as its user does.
    mutating func setVolume(of id: ObjectID, to volume: Float) {
        streams[id] = Stream(volumes: [volume])
        broadcast(.nodeVolumes(id, [volume]))
    }

    private mutating func addStream() {
        lastID += 1
        let id = ObjectID(lastID)
        streams[id] = Stream(volumes: [Float.random(in: 0.1...1, using: &random)])
        broadcast(.nodeAppeared(Node(id: id, properties: Self.properties(id))))
    }

    private mutating func removeStream() {
        guard let id = streams.keys.sorted().randomElement(using: &random) else { return }
        streams[id] = nil
        broadcast(.disappeared(id))
    }

    /// Lets the session manager begin to duck streams by their roles, or end that.
    private mutating func toggleRoles() {
        if let sink = roleSink {
            roleSink = nil
            broadcast(.disappeared(sink))
        } else {
            lastID += 1
            roleSink = ObjectID(lastID)
            broadcast(.nodeAppeared(Node(id: ObjectID(lastID), properties: Self.propertiesOfRoleSink)))
        }
    }

    private static let propertiesOfRoleSink: Properties = [.mediaClass: "Audio/Sink", .roleTarget: "true"]

    private static func properties(_ id: ObjectID) -> Properties {
        [
            .mediaClass: "Stream/Output/Audio", .clientID: "1", .objectSerial: "\(id)",
            .applicationName: isException(id) ? "exception" : "player",
        ]
    }

    private static func isException(_ id: ObjectID) -> Bool { id.rawValue % 3 == 0 }

    // MARK: The programs

    /// Lets a program receive one event.
    mutating func deliver(_ program: Int) {
        guard !programs[program].inbox.isEmpty else { return }
        let message = programs[program].inbox.removeFirst()
        if message.connection == programs[program].connection { deliver(program, .graph(message.event)) }
    }

    private mutating func deliver(_ program: Int, _ event: UnmanagedStreams.Event) {
        for action in programs[program].machine.receive(event) {
            switch action {
            case .open: programs[program].outbox.append(.watch(programs[program].connection))
            case .close:
                programs[program].outbox.append(.disconnect)
                programs[program].connection += 1
            case .show(let mark): programs[program].outbox.append(.show(mark))
            case .showMuted(let serials):
                let name = programs[program].machine.mark?.name ?? ""
                programs[program].outbox.append(.showMuted(name, serials))
            case .graph(let command): programs[program].outbox.append(.graph(command))
            case .restoreAtExit(let orders): programs[program].watchdogOrders = orders
            case .identify, .showHosting: preconditionFailure("these streams have no processes")
            case .wait, .notify, .awaitOthers, .reportRemoval, .overruled, .restoreByWatchdog: break
            }
        }
    }

    // MARK: The daemon

    /// Lets the daemon execute one order of a program.
    mutating func executeOrder(of program: Int) {
        guard !programs[program].outbox.isEmpty else { return }
        execute(programs[program].outbox.removeFirst(), program)
    }

    private mutating func execute(_ order: Order, _ program: Int) {
        switch order {
        case .watch(let connection):
            programs[program].watching = connection
            for id in streams.keys.sorted() {
                send(.nodeAppeared(Node(id: id, properties: Self.properties(id))), to: program)
            }
            if let roleSink {
                send(.nodeAppeared(Node(id: roleSink, properties: Self.propertiesOfRoleSink)), to: program)
            }
            for (id, mark) in marks { send(.deviceAppeared(id, mark.announcement.properties()), to: program) }
            for (id, mark) in mutingMarks { send(.deviceAppeared(id, mark.announcement.properties()), to: program) }
        case .show(let mark):
            lastID += 1
            let id = ObjectID(lastID)
            marks[id] = mark
            broadcast(.deviceAppeared(id, mark.announcement.properties()))
            withdrawMark(of: program)
            programs[program].mark = id
        case .showMuted(let name, let serials):
            for serial in programs[program].mutingMarks.keys.sorted() where !serials.contains(serial) {
                withdrawMutingMark(serial, of: program)
            }
            for serial in serials.sorted() where programs[program].mutingMarks[serial] == nil {
                lastID += 1
                let mark = MutingMark(name: name, serial: serial)
                mutingMarks[ObjectID(lastID)] = mark
                programs[program].mutingMarks[serial] = ObjectID(lastID)
                broadcast(.deviceAppeared(ObjectID(lastID), mark.announcement.properties()))
            }
        case .disconnect:
            programs[program].watching = nil
            for serial in programs[program].mutingMarks.keys.sorted() { withdrawMutingMark(serial, of: program) }
            withdrawMark(of: program)
        case .graph(.bind(let id, _)):
            if streams[id] != nil { send(.nodeProperties(id, Self.properties(id)), to: program) }
            if id == roleSink { send(.nodeProperties(id, Self.propertiesOfRoleSink), to: program) }
        case .graph(.watchMute(let id)):
            if let stream = streams[id] { send(.nodeVolumes(id, stream.volumes), to: program) }
        case .graph(.setSoftVolumes(let id, let volumes, _)): streams[id]?.soft = volumes
        case .graph(.barrier(let barrier)): send(.barrier(barrier), to: program)
        case .graph: break
        }
    }

    private mutating func withdrawMark(of program: Int) {
        guard let mark = programs[program].mark else { return }
        programs[program].mark = nil
        marks[mark] = nil
        broadcast(.disappeared(mark))
    }

    private mutating func withdrawMutingMark(_ serial: String, of program: Int) {
        guard let mark = programs[program].mutingMarks.removeValue(forKey: serial) else { return }
        mutingMarks[mark] = nil
        broadcast(.disappeared(mark))
    }

    private mutating func broadcast(_ event: GraphEvent) {
        for program in programs.indices { send(event, to: program) }
    }

    private mutating func send(_ event: GraphEvent, to program: Int) {
        guard let connection = programs[program].watching else { return }
        programs[program].inbox.append((connection, event))
    }

    // MARK: Invariants of an idle state

    /// The violations that are found.
    var complaints: [String] {
        var complaints: [String] = []
        for (program, state) in programs.enumerated() where state.wantsTurn != (state.mark != nil) {
            complaints.append("program \(program) \(state.wantsTurn ? "shows no mark" : "still shows its mark")")
        }
        for (id, stream) in streams {
            let isMuted = programs.enumerated().contains { index, program in
                program.muted.contains(id) && !(index == Self.selective && Self.isException(id))
            }
            let wanted = gains(of: id).map { gain in
                stream.volumes.map { isMuted ? 0 : $0 * Float(gain) / Float(TokenTraits.fullGain) }
            }
            let heard = stream.soft ?? stream.volumes
            let isRight = wanted.contains { zip($0, heard).allSatisfy { abs($0 - $1) < 0.0001 } }
            if !isRight { complaints.append("stream \(id) plays at \(heard) instead of \(wanted)") }
        }
        return complaints
    }

    /// The gains that a stream may have. A program with an exception for a stream ducks it only as
    /// far as others do. These do not know the exceptions, so they use the deepest gain of all. No
    /// program ducks streams while the session manager does.
    private func gains(of id: ObjectID) -> [UInt16] {
        guard roleSink == nil else { return [TokenTraits.fullGain] }
        let all = marks.values.map(\.gain).min() ?? TokenTraits.fullGain
        guard Self.isException(id),
            let mark = programs.indices.contains(Self.selective)
                ? programs[Self.selective].mark : nil
        else { return [all] }
        let others = marks.filter { $0.key != mark }.values.map(\.gain).min() ?? TokenTraits.fullGain
        return others < TokenTraits.fullGain ? [all, others] : [others]
    }
}
