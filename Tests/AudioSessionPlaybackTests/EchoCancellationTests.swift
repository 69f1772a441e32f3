import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// The requests of inputs and recorders for echo cancellation, on a fake computer. `EchoLiveTests`
/// measure its effect.
@Suite(.timeLimit(.minutes(10))) struct EchoCancellationTests {
    private struct Scene {
        let system: FakeAudioSystem
        let session: AudioSession
        let stream: FakeInput
        let environment: RecorderEnvironment

        init(hasCanceller: Bool = true, load: RecorderEnvironment.LoadEchoCanceller? = nil) async throws {
            system = try FakeLaptop.system(with: [.microphone, .headset])
            let stream = FakeInput(try #require(system.environment.executor as? InlineExecutor))
            self.stream = stream
            let manager = try await system.connect(.init(applicationName: "Call"))
            session = try AudioSession(manager: manager, configuration: .init(.playAndRecord))
            environment = RecorderEnvironment(
                isReady: { _ in true }, loadEchoCanceller: load ?? { $0(hasCanceller) },
                open: { (_, request, receive) throws(AudioSessionError) in try stream.open(request, receive) })
        }

        func input(_ configuration: AudioInput.Configuration) -> AudioInput {
            AudioInput(session, configuration, in: environment)
        }

        var reference: [String: String]? { stream.state.withLock(\.echoReference) }
    }

    @Test func withoutThePreferenceNothingIsCompared() async throws {
        let scene = try await Scene(hasCanceller: false)
        let input = scene.input(.init())
        try await input.start()
        #expect(scene.reference == nil)
        #expect(await !input.isEchoCancelledInputEnabled)
    }

    @Test func theSessionsOutputIsCompared() async throws {
        let scene = try await Scene()
        let input = scene.input(.init(prefersEchoCancelledInput: true))
        #expect(input.format == .init(sampleRate: 48_000, channelCount: 1))
        #expect(await !input.isEchoCancelledInputEnabled)
        try await input.start()
        #expect(await input.isEchoCancelledInputEnabled)
        let first = try #require(scene.reference)
        #expect(first["target.object"] == FakeLaptop.headsetSink)
        #expect(first["application.name"] == "Call")
        let port = try #require(scene.session.manager.availableOutputs.first { $0.type == .builtInSpeaker })
        try await scene.session.setPreferredOutput(port)
        #expect(scene.reference?["target.object"] == port.nodeName)
        try await scene.session.setPreferredOutput(nil)
        #expect(scene.reference?["target.object"] == FakeLaptop.headsetSink)
        await input.close()
        #expect(await !input.isEchoCancelledInputEnabled)
    }

    @Test func theLatencyOfTheSessionsOutputIsFollowed() async throws {
        let scene = try await Scene()
        let outputs = FakeOutputs(try #require(scene.system.environment.executor as? InlineExecutor))
        outputs.timing.withLock { $0.delay = .milliseconds(70) }
        let output = AudioOutput(
            scene.session, .init(format: .init(channelCount: 1)),
            in: PlayerEnvironment(
                isReady: { _ in true },
                open: { (_, request, receive) throws(AudioSessionError) in try outputs.open(request, receive) }))
        let input = scene.input(.init(prefersEchoCancelledInput: true))
        try await input.start()
        #expect(scene.stream.state.withLock(\.outputLatency) == .zero)
        try await output.start()
        outputs.notify(.init(state: .streaming, node: ObjectID(outputs.node.withLock(\.self))))
        scene.system.advance(by: .seconds(2))
        #expect(scene.stream.state.withLock(\.outputLatency) == .milliseconds(70))
    }

    @Test func aMissingPluginIsAnErrorBeforeOthersAreInterrupted() async throws {
        let scene = try await Scene(hasCanceller: false)
        let input = scene.input(.init(prefersEchoCancelledInput: true))
        await expect(.echoCancellerMissing) { try await input.start() }
        let recorder = AudioRecorder(scene.session, .init(prefersEchoCancelledInput: true), in: scene.environment)
        await expect(.echoCancellerMissing) { try await recorder.record() }
        #expect(scene.session.state == .inactive)
    }

    /// The canceller is loaded on another thread, so that the session receives calls meanwhile.
    @Test func aStopWhileTheCancellerIsLoadedStartsNothing() async throws {
        let loading = Locked<[@Sendable (Bool) -> Void]>([])
        let scene = try await Scene(load: { answer in loading.withLock { $0.append(answer) } })
        let input = scene.input(.init(prefersEchoCancelledInput: true))
        let recorder = AudioRecorder(scene.session, .init(prefersEchoCancelledInput: true), in: scene.environment)
        let start = Task { try await input.start() }
        let record = Task { try await recorder.record() }
        while loading.withLock(\.count) < 2 { await Task.yield() }
        await input.stop()
        _ = await recorder.stop()
        for answer in loading.withLock({ $0 }) { answer(true) }
        try await start.value
        try await record.value
        #expect(input.state == .stopped)
        #expect(recorder.state == .stopped)
        #expect(scene.reference == nil)
        #expect(scene.session.state == .inactive)
    }

    @Test(arguments: [8_000, 22_050, 44_100, 96_000]) func otherRatesAreAnError(rate: Int) async throws {
        let scene = try await Scene()
        let input = scene.input(
            .init(format: .init(sampleRate: rate, channelCount: 1), prefersEchoCancelledInput: true))
        await expect(.unsupportedRecordingFormat) { try await input.start() }
        #expect(scene.session.state == .inactive)
    }

    @Test func aRecorderCancelsToo() async throws {
        let scene = try await Scene()
        let recorder = AudioRecorder(scene.session, .init(prefersEchoCancelledInput: true), in: scene.environment)
        try await recorder.record()
        #expect(await recorder.isEchoCancelledInputEnabled)
        #expect(scene.reference != nil)
        await recorder.close()
    }
}
