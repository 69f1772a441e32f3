import AudioSessionCore
import AudioSessionPlayback
import TestSupport
import Testing

/// Executes the actions of a player's state machine, and rejects impossible ones.
struct PlayerModel {
    private(set) var machine: PlayerStateMachine
    private(set) var stream: Stream?
    /// The generation of the ring, which outlives a closed stream.
    private(set) var format: AudioPlayer.Format?
    private(set) var queue: [AudioPlayer.Item] = []
    /// The limit of repetitions that the decoder knows.
    private(set) var repetitions = 0
    private(set) var order: Order?
    private(set) var keepsDecoding = false
    private(set) var streams: Set<ObjectID> = []
    private(set) var wakeUp: WakeUp?
    private(set) var received: [AudioPlayer.Event] = []
    private(set) var reports: [SessionInput.ParticipantChange] = []
    /// The requests to the manager, apart from the player's streams.
    private(set) var requests: [ParticipantRequest] = []
    /// The reasons for which activation was requested.
    private(set) var activations: [PlayerActivation] = []
    private(set) var shownName: String?
    private(set) var renewals = 0
    /// The actions of the last event.
    private(set) var actions: [PlayerAction] = []
    var counters = PlayerCounters()
    private var lastNode: UInt32 = 100

    typealias Stream = OutputModel.Stream

    struct Order: Equatable {
        var position: PlaybackTimeline.Position
        var generation: UInt64
    }

    init(pausesOnRouteLoss: Bool = true, resumesAfterInterruption: Bool = true) {
        machine = PlayerStateMachine(
            pausesOnRouteLoss: pausesOnRouteLoss, resumesAfterInterruption: resumesAfterInterruption)
    }

    var state: AudioPlayer.State { machine.state }
    var sounds: Bool { stream?.sounds == true }

    /// The events since the last call.
    mutating func takeNotifications() -> [AudioPlayer.Event] {
        defer { received = [] }
        return received
    }

    /// The last event since the last call.
    mutating func takeWakeUp() -> WakeUp? {
        defer { wakeUp = nil }
        return wakeUp
    }

    mutating func send(_ event: PlayerEvent) {
        actions = machine.receive(event, counters)
        for action in actions { perform(action) }
        if let stream {
            #expect(!stream.isActive || order != nil || stream.isDead, "nothing to read")
        }
        #expect(stream != nil || streams.isEmpty, "a removed stream still counts as ours")
    }

    mutating func send(_ event: PlaybackEvent) { send(.playback(event)) }

    mutating func wait(_ duration: Duration) { counters.now = counters.now + duration }

    private mutating func perform(_ action: PlayerAction) {
        switch action {
        case .openStream(let item):
            #expect(stream == nil && format == nil, "two streams")
            open(item)
            counters = PlayerCounters()
        case .renewStream(let item):
            #expect(stream?.isActive != true, "renewed while it runs")
            #expect(format != nil, "there is nothing to read")
            open(item)
            counters.cycles = 0
            renewals += 1
        case .releaseStream:
            #expect(stream?.isActive == false, "it still runs")
            stream = nil
        case .closeStream:
            #expect(format != nil, "closed twice")
            #expect(order == nil, "the decoder still fills its ring")
            stream = nil
            format = nil
        case .name(let item):
            #expect(stream != nil)
            shownName = item.path
        case .setActive(let isActive):
            #expect(stream?.isDead == false && stream?.isActive != isActive)
            stream?.isActive = isActive
        case .setGate(let isClosed):
            #expect(stream?.isDead == false && !(isClosed && stream?.isGateClosed == true))
            stream?.isGateClosed = isClosed
        case .setQueue(let items): queue = items
        case .setRepetitions(let count): repetitions = count
        case .decode(let position, let generation):
            #expect(format?.isCompatible(with: queue[position.item].format) == true, "a ring of another format")
            #expect(generation > order?.generation ?? 0)
            order = Order(position: position, generation: generation)
        case .keepDecoding(let keeps):
            #expect(order != nil && keeps != keepsDecoding)
            keepsDecoding = keeps
        case .endDecoding:
            #expect(order != nil)
            order = nil
            keepsDecoding = false
        case .wake(let wakeUp): self.wakeUp = wakeUp
        case .activate(let activation): activations.append(activation)
        case .notify(let event): received.append(event.timeless)
        case .send(.request(.setStreams(let streams))):
            #expect(self.streams != streams)
            self.streams = streams
        case .send(.report(let report)): reports.append(report)
        case .send(.request(let request)): requests.append(request)
        }
    }

    private mutating func open(_ item: AudioPlayer.Item) {
        lastNode += 1
        format = item.format
        stream = Stream(node: ObjectID(lastNode))
        shownName = item.path
    }

    // MARK: The environment

    /// The decoder executes its last command: everything up to `end` (an item's number) is in the
    /// ring.
    mutating func decode(from start: UInt64? = nil) {
        guard let order else { return }
        let generation = order.generation
        var frame = start ?? counters.read
        var position = order.position
        send(
            .decoder(.began(generation: generation, .init(start: frame, item: position.item, frame: position.frame))))
        send(.decoder(.primed(generation: generation)))
        while true {
            frame += UInt64(queue[position.item].frameCount - position.frame)
            position = .init(item: position.item + 1, frame: 0)
            guard position.item < queue.count else {
                return send(.decoder(.ended(generation: generation, frame: frame, itemCount: queue.count)))
            }
            guard queue[position.item].format.isCompatible(with: queue[position.item - 1].format) else {
                return send(
                    .decoder(.needsOtherFormat(generation: generation, frame: frame, next: position.item)))
            }
            send(.decoder(.began(generation: generation, .init(start: frame, item: position.item, frame: 0))))
        }
    }

    /// Advances the stream as far as it can.
    mutating func run() {
        guard let stream, !stream.isRunning, !stream.isDead else { return }
        send(.streamPaused(stream.node))
        guard self.stream?.isActive == true else { return }
        self.stream?.isRunning = true
        send(.streamRuns(stream.node))
    }

    /// The player's sink was removed, or its stream was paused.
    mutating func halt() {
        guard let stream, !stream.isDead else { return }
        self.stream?.isRunning = false
        send(.streamPaused(stream.node))
    }

    /// PipeWire's callback closes the gate, because a gate trigger was removed.
    mutating func closeGate() { stream?.isGateClosed = true }

    /// The server ends the stream.
    mutating func fail(_ error: AudioSessionError) {
        stream?.isDead = true
        stream?.isRunning = false
        send(.streamFailed(error))
    }

    /// The real-time thread reads, if it may, and the timer fires.
    mutating func advance(to read: UInt64) {
        if sounds { counters.read = read }
        if stream?.isRunning == true { counters.cycles += 1 }
        send(.timer)
    }

    /// Plays from here until the state machine has no more actions.
    mutating func playOut() {
        for _ in 0..<10 {
            advance(to: counters.read + 1_000_000)
            if state != .playing { return }
        }
    }

    mutating func start(_ items: [AudioPlayer.Item]) {
        send(.load(items))
        send(.play(in: .active))
        decode()
        run()
        received = []
    }
}

extension AudioPlayer.Item {
    static func made(_ path: String, frames: Int64 = 1000, rate: Int = 48000, channels: Int = 2) -> Self {
        AudioPlayer.Item(
            path: path, title: nil, artist: nil,
            format: .init(sampleRate: rate, channelCount: channels, encoding: "WAV"), frameCount: frames)
    }
}

let headphones = PortDescription(type: .headphones, name: "Headphones", uid: "h", direction: .output)
let speaker = PortDescription(type: .builtInSpeaker, name: "Speaker", uid: "s", direction: .output)

let pulled = RouteChange(
    reason: .oldDeviceUnavailable, previous: RouteDescription(outputs: [headphones]),
    current: RouteDescription(outputs: [speaker]), time: MonotonicTime(nanoseconds: 1))
