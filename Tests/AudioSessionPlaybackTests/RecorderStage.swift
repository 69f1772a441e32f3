import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// A recorder on a fake computer, with an input whose samples the test gives.
final class RecorderStage: Sendable {
    let system: FakeAudioSystem
    let manager: AudioSessionManager
    let session: AudioSession
    let recorder: AudioRecorder
    let input: FakeInput
    let isReady = Locked(true)
    let story = Locked<[AudioRecorder.Event]>([])
    private let observation: EventObservation

    init(
        _ configuration: AudioRecorder.Configuration = .init(), session: AudioSession.Configuration = .init(.record),
        with accessories: FakeLaptop.Accessories = .microphone, isMuted: Bool = false
    ) async throws {
        let system = try FakeLaptop.system(with: accessories)
        guard let executor = system.environment.executor as? InlineExecutor else { throw Scratch.Failure() }
        let input = FakeInput(executor)
        self.system = system
        self.input = input
        manager = try await system.connect(.init(applicationName: "Stage"))
        await manager.setInputMuted(isMuted)
        self.session = try AudioSession(manager: manager, configuration: session)
        recorder = AudioRecorder(
            self.session, configuration,
            in: RecorderEnvironment(
                isReady: { [isReady] _ in isReady.withLock(\.self) },
                open: { (_, request, receive) throws(AudioSessionError) in try input.open(request, receive) }))
        observation = recorder.observe { [story] event in story.withLock { $0.append(event.timeless) } }
    }

    var events: [AudioRecorder.Event] { story.withLock(\.self) }

    /// PipeWire creates the stream's node, and the session manager links it.
    func link(to source: UInt32 = 42) {
        let node = ObjectID(100)
        let properties: Properties = [.nodeName: "stage", .mediaClass: MediaClass.captureStream.rawValue]
        system.send(
            .nodeProperties(node, properties),
            .linkAppeared(Link(id: ObjectID(1100 + source), outputNode: ObjectID(source), inputNode: node)))
        input.notify(.init(state: .streaming, node: node))
    }

    /// Records, and captures so many frames.
    func start(_ path: String, frames: Int = 1000) async throws {
        try await recorder.record(to: path)
        link()
        input.capture(counting(0..<frames, channels: recorder.configuration.format.channelCount))
    }

    /// Waits for the writer, which has a thread of its own.
    func end() async -> (recording: AudioRecorder.Recording, reason: AudioRecorder.FinishReason) {
        while true {
            for case .finished(let recording, let reason, _) in events { return (recording, reason) }
            await Task.yield()
        }
    }
}

/// The stream that a stage's recorder opens.
final class FakeInput: Sendable {
    struct State {
        var ring: FrameRing?
        var isGateClosed = false
        var isMuted = false
        var gateTriggers: [ObjectID] = []
        var frames: UInt64 = 0
        var dropped: UInt64 = 0
        var properties: [String: String] = [:]
        var echoReference: [String: String]?
        var outputLatency = Duration.zero
        weak var stream: Stream?
    }

    let state = Locked(State())
    /// The number of streams so far.
    let opened = Locked(0)
    /// The error with which the next stream is refused.
    let refusal = Locked<AudioSessionError?>(nil)
    private let executor: InlineExecutor

    init(_ executor: InlineExecutor) { self.executor = executor }

    /// Whether captured frames would be recorded.
    var records: Bool { state.withLock { !$0.isGateClosed && $0.stream != nil } }

    /// Delivers a status of PipeWire to the current stream.
    func notify(_ status: CaptureStream.Status) {
        executor.run { [self] in state.withLock(\.stream)?.receive(status) }
    }

    /// The samples of one cycle, as the real-time thread delivers them.
    func capture(_ samples: [Float]) {
        state.withLock { state in
            guard let ring = state.ring, !state.isGateClosed, state.stream != nil else { return }
            let frames = samples.count / ring.channels
            let taken = ring.write((state.isMuted ? samples.map { _ in 0 } : samples).span)
            state.frames += UInt64(frames)
            state.dropped += UInt64(frames - taken)
        }
    }

    func open(
        _ request: StreamRequest, _ receive: @escaping (CaptureStream.Status) -> Void
    ) throws(AudioSessionError) -> any RecordingInput {
        if let error = refusal.withLock({ refusal in
            defer { refusal = nil }
            return refusal
        }) {
            throw error
        }
        let stream = Stream(self, receive)
        opened.withLock { $0 += 1 }
        state.withLock { state in
            state = State()
            state.ring = request.exchange.ring
            state.properties = Dictionary(request.properties) { _, last in last }
            state.echoReference = request.echoReference.map { Dictionary($0) { _, last in last } }
            state.stream = stream
        }
        return stream
    }

    final class Stream: RecordingInput {
        let input: FakeInput
        let receive: (CaptureStream.Status) -> Void

        init(_ input: FakeInput, _ receive: @escaping (CaptureStream.Status) -> Void) {
            self.input = input
            self.receive = receive
        }

        func setGate(closed: Bool) { input.state.withLock { $0.isGateClosed = closed } }
        func setMuted(_ isMuted: Bool) { input.state.withLock { $0.isMuted = isMuted } }
        func setProperties(_ properties: [(String, String)]) {
            input.state.withLock { $0.properties.merge(properties) { _, new in new } }
        }
        func setGateTriggers(_ nodes: [ObjectID]) { input.state.withLock { $0.gateTriggers = nodes } }
        func setEchoReference(_ properties: [(String, String)]) {
            input.state.withLock { $0.echoReference = Dictionary(properties) { _, last in last } }
        }
        func setOutputLatency(_ latency: Duration) { input.state.withLock { $0.outputLatency = latency } }
        var cancelsEcho: Bool { input.state.withLock { $0.echoReference != nil } }
        var report: CaptureStream.Report {
            input.state.withLock { state in
                var report = CaptureStream.Report()
                report.frames = state.frames
                report.dropped = state.dropped
                report.levels = [CaptureStream.Level(peak: 0.5, meanSquare: 0.125)]
                return report
            }
        }
    }
}

func expect(
    _ code: AudioSessionError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    let error = await #expect(throws: AudioSessionError.self, sourceLocation: sourceLocation) { try await body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
}
