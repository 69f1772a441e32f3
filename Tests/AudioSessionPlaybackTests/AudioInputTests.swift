import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// The input as a program uses it, on a fake computer with a microphone.
@Suite(.timeLimit(.minutes(10))) struct AudioInputTests {
    /// The input on its computer, with a stream whose samples the test gives.
    private final class Scene: Sendable {
        let system: FakeAudioSystem
        let manager: AudioSessionManager
        let session: AudioSession
        let input: AudioInput
        let stream: FakeInput
        let isReady = Locked(true)
        /// Whether the system has timers for this process.
        let hasTimers = Locked(true)
        let story = EventLog<AudioInput.Event>()
        private let observation: EventObservation

        init(
            _ configuration: AudioInput.Configuration = .init(format: .init(channelCount: 1)),
            session: AudioSession.Configuration = .init(.playAndRecord),
            with accessories: FakeLaptop.Accessories = .microphone
        ) async throws {
            let system = try FakeLaptop.system(with: accessories)
            let stream = FakeInput(try #require(system.environment.executor as? InlineExecutor))
            (self.system, self.stream) = (system, stream)
            var environment = system.environment
            environment.makeTimer = { [hasTimers, makeTimer = environment.makeTimer] fired in
                hasTimers.withLock(\.self) ? makeTimer(fired) : nil
            }
            manager = try await AudioSessionManager.connect(.init(applicationName: "Stage"), in: environment)
            self.session = try AudioSession(manager: manager, configuration: session)
            input = AudioInput(
                self.session, configuration,
                in: RecorderEnvironment(
                    isReady: { [isReady] _ in isReady.withLock(\.self) },
                    open: { (_, request, receive) throws(AudioSessionError) in try stream.open(request, receive) }))
            observation = input.observe { [story] in story.append($0.timeless) }
        }

        /// PipeWire creates the stream's node, and the session manager links it.
        func link(to source: UInt32 = 42) {
            let node = ObjectID(100)
            let properties: Properties = [.nodeName: "stage", .mediaClass: MediaClass.captureStream.rawValue]
            system.send(
                .nodeProperties(node, properties),
                .linkAppeared(Link(id: ObjectID(1100 + source), outputNode: ObjectID(source), inputNode: node)))
            stream.notify(.init(state: .streaming, node: node))
        }

        func start() async throws {
            try await input.start()
            link()
        }

        /// Captures one cycle, and then the input reads its ring.
        func capture(_ frames: Range<Int>) {
            stream.capture(counting(frames, channels: 1))
            system.advance(by: .milliseconds(20))
        }
    }

    private func samples(_ count: Int, of buffers: EventSequence<AudioInput.Buffer>) async -> [Float] {
        var heard: [Float] = []
        for await buffer in buffers {
            #expect(buffer.firstFrame == Int64(heard.count))
            heard += buffer.samples
            if heard.count >= count { break }
        }
        return heard
    }

    /// Without a timer, an input would capture, and deliver nothing.
    @Test func anInputWithoutATimerFails() async throws {
        let scene = try await Scene()
        scene.hasTimers.withLock { $0 = false }
        try await scene.input.start()
        #expect(scene.input.state == .stopped)
        let codes = scene.story.events.compactMap { event -> AudioSessionError.Code? in
            if case .failed(let error, _) = event { error.code } else { nil }
        }
        #expect(codes == [.resourcesExhausted])
        scene.hasTimers.withLock { $0 = true }
        try await scene.start()
        #expect(scene.input.state == .recording)
    }

    @Test func aDeactivationReportsTheInputByItsName() async throws {
        let scene = try await Scene(.init(format: .init(channelCount: 1), title: "Microphone"))
        try await scene.start()
        #expect(try await scene.session.deactivate().stoppedStreams == ["Microphone"])
    }

    @Test func capturedFramesAreDelivered() async throws {
        let scene = try await Scene()
        let buffers = scene.input.buffers()
        try await scene.start()
        #expect(scene.session.state == .active)
        #expect(scene.input.state == .recording && scene.input.input?.name == "Microphone")
        #expect(scene.stream.state.withLock(\.gateTriggers) == [ObjectID(42)])
        #expect(scene.stream.state.withLock(\.properties)["media.name"] == "Input")
        #expect(await scene.input.currentLevels[0].peakPower == -6.0206003)
        scene.capture(0..<500)
        scene.capture(500..<1000)
        scene.stream.capture(counting(1000..<1100, channels: 1))
        await scene.input.stop()
        #expect(await samples(1100, of: buffers) == counting(0..<1100, channels: 1))
        #expect(scene.input.state == .stopped)
        guard case .finished(let recording, reason: .stopped, at: _) = scene.story.events.last else {
            Issue.record("\(scene.story.events)")
            return
        }
        #expect(recording.frameCount == 1100 && recording.path == nil)
        // Frames are counted from each start.
        let more = scene.input.buffers()
        try await scene.start()
        scene.capture(0..<10)
        #expect(await samples(10, of: more).count == 10)
        await scene.input.close()
        await expect(.closed) { try await scene.input.start() }
    }

    @Test func samplesThatAreNoNumbersAreSilence() async throws {
        let scene = try await Scene()
        let buffers = scene.input.buffers()
        try await scene.start()
        scene.stream.capture([.nan, .infinity, 0.5])
        await scene.input.stop()
        #expect(await samples(3, of: buffers) == [0, 0, 0.5])
    }

    @Test func aSlowListenerLosesTheOldestBuffers() async throws {
        let scene = try await Scene()
        let buffers = scene.input.buffers(bufferingNewest: 2)
        try await scene.start()
        for place in 0..<5 { scene.capture(place * 10..<place * 10 + 10) }
        #expect(buffers.droppedCount == 3)
        var iterator = buffers.makeAsyncIterator()
        #expect(await iterator.next()?.firstFrame == 30)
    }

    @Test func aMuteGivesZerosAndIsReported() async throws {
        let scene = try await Scene()
        let buffers = scene.input.buffers()
        try await scene.start()
        await scene.manager.setInputMuted(true)
        #expect(scene.story.events.last == .microphoneMuted(by: .program))
        #expect(scene.session.silenceReasons.contains(.inputMuted))
        scene.capture(1..<11)
        #expect(await samples(10, of: buffers) == [Float](repeating: 0, count: 10))
    }

    @Test func anInputThatOptsOutDuringTheInterruptionStops() async throws {
        let scene = try await Scene()
        try await scene.start()
        let manager = try await scene.system.connect(.init(applicationName: "Phone"))
        let call = try AudioSession(manager: manager, configuration: .init(.playAndRecord, mode: .voiceChat))
        try await call.activate()
        try await scene.session.change { $0.resumesAfterInterruption = false }
        try await call.deactivate()
        #expect(scene.input.state == .stopped && !scene.stream.records)
        #expect(scene.session.state == .inactive)
        await call.close()
    }

    @Test(arguments: [true, false]) func anInterruptionPausesOrStopsTheInput(resumes: Bool) async throws {
        let scene = try await Scene()
        try await scene.session.change { $0.resumesAfterInterruption = resumes }
        try await scene.start()
        let manager = try await scene.system.connect(.init(applicationName: "Phone"))
        let call = try AudioSession(manager: manager, configuration: .init(.playAndRecord, mode: .voiceChat))
        try await call.activate()
        #expect(!scene.stream.records)
        #expect(scene.input.state == (resumes ? .paused(reason: .interrupted) : .stopped))
        try await call.deactivate()
        guard resumes else { return }
        try await scene.story.wait(for: "resuming") { $0.last == .stateChanged(.recording) }
        scene.link()
        #expect(scene.stream.records)
        // The program may also take back.
        try await call.activate()
        await expect(.insufficientPriority) { try await scene.input.start() }
        await call.close()
    }

    @Test func anInputAndAnOutputShareASession() async throws {
        let scene = try await Scene(session: .init(.playAndRecord, mode: .voiceChat))
        let outputs = FakeOutputs(try #require(scene.system.environment.executor as? InlineExecutor))
        let output = AudioOutput(
            scene.session, .init(format: .init(channelCount: 1)),
            in: PlayerEnvironment(
                isReady: { _ in true },
                open: { (_, request, receive) throws(AudioSessionError) in try outputs.open(request, receive) }))
        let buffers = scene.input.buffers()
        try await scene.start()
        try await output.start()
        scene.capture(0..<100)
        try await output.write(await samples(100, of: buffers))
        var heard = [Float](repeating: 0, count: 100)
        var span = heard.mutableSpan
        #expect(outputs.ring.withLock(\.self)?.take(into: &span) == 100)
        #expect(heard == counting(0..<100, channels: 1))
        try await scene.session.deactivate()
        #expect(scene.input.state == .stopped && output.state == .paused(reason: .sessionInactive))
    }

    @Test func anImpossibleFormatIsAnErrorBeforeTheActivation() async throws {
        var scene = try await Scene(session: .init(.playback))
        await expect(.incompatibleCategory) { try await scene.input.start() }
        scene = try await Scene(.init(format: .init(sampleRate: 0)))
        await expect(.unsupportedRecordingFormat) { try await scene.input.start() }
        scene = try await Scene(with: [])
        await expect(.noMicrophone) { try await scene.input.start() }
        #expect(scene.session.state == .inactive)
        scene = try await Scene()
        scene.isReady.withLock { $0 = false }
        await expect(.mediaServicesFailed) { try await scene.input.start() }
    }

    @Test func theDefaultFormatIsThatOfTheMicrophone() async throws {
        let scene = try await Scene(.init())
        #expect(scene.input.format.sampleRate == 48_000)
        #expect(scene.input.format.channelCount == max(1, scene.session.inputNumberOfChannels))
        try await scene.start()
        #expect(await scene.input.currentLevels.count == 1, "the fake stream has one")
        await scene.input.close()
    }
}
