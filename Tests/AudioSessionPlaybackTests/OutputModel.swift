import AudioSessionCore
import AudioSessionPlayback
import TestSupport
import Testing

/// Executes the actions of an output's state machine, and rejects impossible ones.
struct OutputModel {
    private(set) var machine: OutputStateMachine
    private(set) var stream: Stream?
    private(set) var streams: Set<ObjectID> = []
    private(set) var wakeUp: WakeUp?
    private(set) var received: [AudioOutput.Event] = []
    private(set) var reports: [SessionInput.ParticipantChange] = []
    private(set) var activations: [PlayerActivation] = []
    private(set) var renewals = 0
    /// How often waiting writes continued, and how often they ended.
    private(set) var served = 0
    private(set) var ended = 0
    private(set) var drained = 0
    /// The actions of the last event.
    private(set) var actions: [OutputAction] = []
    var counters = OutputCounters()
    private var lastNode: UInt32 = 100

    struct Stream {
        var isActive = false
        var isGateClosed = false
        var node: ObjectID
        var isRunning = false
        var isDead = false

        /// Whether a frame can be heard.
        var sounds: Bool { isActive && isRunning && !isGateClosed && !isDead }
    }

    init(
        _ source: OutputStateMachine.Source = .ring(rate: 48_000), pausesOnRouteLoss: Bool = true,
        resumesAfterInterruption: Bool = true
    ) {
        machine = OutputStateMachine(
            source, title: "Synth", pausesOnRouteLoss: pausesOnRouteLoss,
            resumesAfterInterruption: resumesAfterInterruption)
    }

    var state: AudioOutput.State { machine.state }
    var sounds: Bool { stream?.sounds == true }

    /// The events since the last call.
    mutating func takeNotifications() -> [AudioOutput.Event] {
        defer { received = [] }
        return received
    }

    mutating func send(_ event: PlaybackEvent) { send(.playback(event)) }

    mutating func send(_ event: OutputEvent) {
        actions = machine.receive(event, counters)
        for action in actions { perform(action) }
        #expect(stream != nil || streams.isEmpty, "a removed stream still counts as ours")
        if state == .playing { #expect(stream != nil, "it plays without a stream") }
    }

    private mutating func perform(_ action: OutputAction) {
        switch action {
        case .openStream:
            #expect(stream == nil, "two streams")
            open()
        case .renewStream:
            #expect(stream?.isActive != true, "renewed while it runs")
            open()
            renewals += 1
        case .releaseStream:
            #expect(stream?.isActive == false, "it still runs")
            stream = nil
        case .closeStream: stream = nil
        case .setActive(let isActive):
            #expect(stream?.isDead == false && stream?.isActive != isActive)
            stream?.isActive = isActive
        case .setGate(let isClosed):
            #expect(stream?.isDead == false && !(isClosed && stream?.isGateClosed == true))
            stream?.isGateClosed = isClosed
        case .serveWriters: served += 1
        case .endDrain: drained += 1
        case .endWriting: ended += 1
        case .wake(let wakeUp): self.wakeUp = wakeUp
        case .activate(let activation): activations.append(activation)
        case .notify(let event): received.append(event.timeless)
        case .send(.request(.setStreams(let streams))):
            #expect(self.streams != streams)
            self.streams = streams
        case .send(.report(let report)): reports.append(report)
        case .send: break
        }
    }

    private mutating func open() {
        lastNode += 1
        stream = Stream(node: ObjectID(lastNode))
    }

    // MARK: The environment

    /// Advances the stream as far as it can.
    mutating func run() {
        guard let stream, !stream.isRunning, !stream.isDead else { return }
        send(.streamPaused(stream.node))
        guard self.stream?.isActive == true else { return }
        self.stream?.isRunning = true
        send(.streamRuns(stream.node))
    }

    /// The output's sink was removed, or its stream was made inactive.
    mutating func halt() {
        guard let stream, !stream.isDead else { return }
        self.stream?.isRunning = false
        send(.streamPaused(stream.node))
    }

    /// The server ends the stream.
    mutating func fail(_ error: AudioSessionError) {
        stream?.isDead = true
        stream?.isRunning = false
        send(.streamFailed(error))
    }

    mutating func start() {
        send(.play(in: .active))
        run()
        received = []
    }
}
