import BenchmarkSupport
import EventLedger

/// One peer, alone with PipeWire, and a number of events of one kind.
struct Block {
    let stage: Stage
    let kind: Kind
    let observer: Observer
    var random: Random
    private(set) var ledger: EventLedger
    private var peer: Program
    private var actor: Program
    private let patience: UInt64 = 2_000_000_000

    /// Starts the peer; `nil` if it is unavailable.
    init?(_ stage: Stage, _ kind: Kind, _ observer: Observer, seed: UInt64) {
        self.stage = stage
        self.kind = kind
        self.observer = observer
        random = Random(seed: seed)
        ledger = EventLedger(levels: observer.levels(for: kind))
        // Objects that existed before are no events, but some peers report them.
        for name in Stage.sinks { ledger.cause(Event("appears", name), at: 0, measure: nil) }
        if kind == .volume { stage.chooseVolumeSink() }
        guard let peer = stage.start(observer.program, [kind.argument] + observer.options, as: observer.label)
        else { return nil }
        self.peer = peer
        actor = stage.cause
        guard kind == .session else { return }
        let overBus = observer.program == "peer-dbus"
        let program = overBus ? observer.program : "peer-audiosessions"
        guard let actor = stage.start(program, overBus ? ["emit"] : ["session", "cause"], as: observer.label)
        else { return nil }
        self.actor = actor
    }

    mutating func run(_ count: Int) async throws {
        pause(milliseconds: 100)
        for number in 0..<count { try await step(number) }
        ledger.conclude()
        // A sighting that arrives now has no cause.
        drain(by: now() + 20_000_000)
        peer.stop()
        if actor !== stage.cause { actor.stop() }
    }

    private mutating func step(_ number: Int) async throws {
        switch kind {
        case .nodes:
            let name = random.name()
            send("appear \(name)", Event("appears", name), "sink appears")
            send("go \(name)", Event("goes", name), "sink goes")
        case .kill:
            let name = random.name()
            send("victim \(name)", Event("appears", name), nil)
            send("kill \(name)", Event("goes", name), "process killed")
        case .volume:
            let volume = "0.\(10 + number % 2 * 40 + Int(random.next() % 40))"
            send("volume \(Stage.volumeSink) \(volume)", Event("volume", volume), "volume")
        case .default:
            let name = stage.chooseDefault()
            collect(Event("default", name), "default output")
        case .jack:
            let (isPlugged, time) = try await stage.turnJack()
            collect(Event("jack", isPlugged ? "yes" : "no"), isPlugged ? "jack plugged" : "jack pulled", at: time)
        case .session:
            send("activate", Event("began"), "activate to began")
            send("deactivate", Event("ended"), "deactivate to ended")
        }
    }

    private mutating func send(_ command: String, _ event: Event, _ measure: String?) {
        actor.send(command)
        collect(event, measure)
    }

    /// Sleeps during the event, and reads the sightings afterwards.
    private mutating func collect(_ event: Event, _ measure: String?, at time: UInt64? = nil) {
        pause(milliseconds: random.between(kind.gap))
        let time = time ?? askForTime()
        drain(by: 0)
        ledger.cause(event, at: time, measure: measure)
        for sighting in held { ledger.receive(sighting) }
        held = []
        let end = now() + patience
        while !ledger.isComplete, let line = peer.nextLine(by: end) {
            if let sighting = reader.read(line) { ledger.receive(sighting) }
        }
        if kind == .kill, measure == nil { pause(milliseconds: random.between(kind.gap)) }
    }

    private var reader = SightingReader()
    private var held: [Sighting] = []

    private mutating func drain(by deadline: UInt64) {
        while let line = peer.nextLine(by: deadline) {
            if let sighting = reader.read(line) { held.append(sighting) }
        }
        guard deadline > 0 else { return }
        for sighting in held { ledger.receive(sighting) }
        held = []
    }

    private func askForTime() -> UInt64 {
        actor.send("time")
        while let line = actor.nextLine(by: now() + patience) {
            let words = line.split(separator: " ")
            if words.count == 2, words[0] == "caused", let time = UInt64(words[1]) { return time }
        }
        return 0
    }
}

/// The same numbers for the same seed (SplitMix64).
struct Random {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }

    mutating func between(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) / Double(1 << 53)
    }

    /// A random name of a sink, which a peer cannot guess.
    mutating func name() -> String { "bench-" + String(next(), radix: 16) }
}
