@_spi(Compatibility) import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// A recorder that continues, or waits for its session's activation.
@Suite(.timeLimit(.minutes(10))) struct RecorderTurnTests {
    @Test(arguments: [true, false]) func aMicrophoneMutedDuringThePauseIsMutedAfterIt(isMuted: Bool) async throws {
        let stage = try await RecorderStage()
        let scratch = try Scratch()
        await stage.manager.setInputMuted(!isMuted)
        try await stage.start(scratch.name("a.wav"))
        #expect(stage.input.state.withLock(\.isMuted) == !isMuted)
        await stage.recorder.pause()
        await stage.manager.setInputMuted(isMuted)
        let reasons = Locked<[[AudioSession.SilenceReason]]>([])
        let observation = stage.session.observe { event in
            if case .silenceReasonsChanged(let now, _) = event { reasons.withLock { $0.append(now) } }
        }
        defer { observation.cancel() }
        try await stage.recorder.resume()
        stage.link()
        #expect(reasons.withLock(\.self) == [isMuted ? [.inputMuted] : []])
        #expect(stage.input.state.withLock(\.isMuted) == isMuted)
        #expect(stage.session.silenceReasons.contains(.inputMuted) == isMuted)
        await stage.recorder.close()
    }

    @Test func aMuteThatEndedBeforeTheRecordingIsNotNotified() async throws {
        let stage = try await RecorderStage(isMuted: true)
        await stage.manager.setInputMuted(false)
        let scratch = try Scratch()
        try await stage.start(scratch.name("a.wav"))
        let isMuteNotified = stage.events.contains { event in
            switch event {
            case .microphoneMuted, .microphoneUnmuted: true
            default: false
            }
        }
        #expect(stage.events.first == .stateChanged(.recording) && !isMuteNotified)
        await stage.recorder.close()
    }

    /// The request is granted, and the session interrupted again before the recorder receives that.
    @Test(arguments: [true, false]) func anInterruptionRightAfterTheGrantRecordsNothing(isPaused: Bool) async throws {
        let stage = try await RecorderStage()
        let scratch = try Scratch()
        let (old, new) = (scratch.name("a.wav"), scratch.name("b.wav"))
        let other = try AudioSession(
            manager: try await stage.system.connect(.init(applicationName: "Other")), configuration: .init(.playback))
        if isPaused {
            try await stage.start(old)
            await stage.recorder.pause()
            try await other.activate()
            try await other.deactivate()
        }
        let session = stage.session
        let observation = session.observe { event in
            if event.timeless == .stateChanged(.active) { Task.immediate { try await other.activate() } }
        }
        let executor = try #require(stage.system.environment.executor as? InlineExecutor)
        executor.answerLate()
        await expect(.sessionNotActive) {
            if isPaused { try await stage.recorder.resume() } else { try await stage.recorder.record(to: new) }
        }
        observation.cancel()
        #expect(stage.recorder.state != .recording && !stage.input.records)
        try await other.deactivate()
        await stage.recorder.stop()
        try await stage.recorder.record()
        stage.link()
        stage.input.capture(counting(0..<500, channels: 1))
        #expect(await stage.recorder.stop()?.path == nil, "what could not begin has no file of another recording")
        await stage.recorder.close()
    }

    @Test func aPauseDuringTheActivationRecordsNothing() async throws {
        let stage = try await RecorderStage()
        let observation = stage.session.observe { [recorder = stage.recorder] event in
            if event.timeless == .stateChanged(.active) { recorder.assumeIsolated { $0.pause() } }
        }
        defer { _ = observation }
        try await stage.recorder.record()
        #expect(stage.recorder.state == .stopped && !stage.input.records)
        await stage.recorder.close()
    }

    /// The recording before is not returned.
    @Test func aStopDuringTheActivationReturnsNothing() async throws {
        let stage = try await RecorderStage()
        let scratch = try Scratch()
        try await stage.start(scratch.name("a.wav"))
        await stage.recorder.stop()
        try await stage.session.deactivate()
        let stop = Locked<Task<AudioRecorder.Recording?, Never>?>(nil)
        let observation = stage.session.observe { [recorder = stage.recorder] event in
            guard event.timeless == .stateChanged(.active) else { return }
            stop.withLock { $0 = Task.immediate { await recorder.stop() } }
        }
        defer { _ = observation }
        try await stage.recorder.record()
        let stopped = try #require(stop.withLock { $0 })
        #expect(await stopped.value == nil)
        await stage.recorder.close()
    }

    @Test func withoutPipeWireAPausedRecordingStaysPaused() async throws {
        let stage = try await RecorderStage()
        let scratch = try Scratch()
        try await stage.start(scratch.name("a.wav"))
        await stage.recorder.pause()
        stage.isReady.withLock { $0 = false }
        await expect(.mediaServicesFailed) { try await stage.recorder.resume() }
        #expect(stage.recorder.state == .paused(reason: .user))
        stage.isReady.withLock { $0 = true }
        try await stage.recorder.resume()
        #expect(stage.recorder.state == .recording)
        await stage.recorder.close()
    }

    @Test func aClosedManagerEndsTheRecording() async throws {
        let stage = try await RecorderStage()
        let scratch = try Scratch()
        try await stage.start(scratch.name("a.wav"), frames: 700)
        await stage.manager.close()
        #expect(stage.recorder.state == .stopped && !stage.input.records)
        let (recording, reason) = await stage.end()
        #expect(recording.frameCount == 700 && reason == .sessionDeactivated)
    }

    @Test func aClosedManagerEndsARecordingThatStaysPaused() async throws {
        var configuration = AudioRecorder.Configuration(continuesAfterInterruption: true)
        configuration.keepsPausedRecordings = true
        let stage = try await RecorderStage(configuration)
        let scratch = try Scratch()
        try await stage.start(scratch.name("a.wav"), frames: 700)
        await stage.recorder.pause()
        try await stage.session.deactivate()
        #expect(stage.recorder.state == .paused(reason: .user))
        await stage.manager.close()
        #expect(stage.recorder.state == .stopped)
        #expect(await stage.end().recording.frameCount == 700)
    }

    /// The stream already records from it, so there is no gap. It stays there when the default
    /// changes.
    @Test func aPreferredMicrophoneInUseStaysInUse() async throws {
        // For any other microphone, streams request the default by its name.
        let stage = try await RecorderStage(session: .init(.record, options: .allowBluetoothHFP))
        try await stage.recorder.record()
        stage.link()
        let own = try #require(stage.manager.availableInputs.first)
        try await stage.session.setPreferredInput(own)
        #expect(stage.input.opened.withLock(\.self) == 1)
        let other = Node(id: ObjectID(70), properties: [.nodeName: "array", .mediaClass: "Audio/Source"])
        stage.system.send(
            .nodeProperties(other.id, other.properties),
            .disappeared(ObjectID(1142)),
            .linkAppeared(Link(id: ObjectID(1170), outputNode: other.id, inputNode: ObjectID(100))))
        #expect(stage.input.opened.withLock(\.self) == 2)
        #expect(stage.input.state.withLock(\.properties)["target.object"] == own.nodeName)
        // The preference ends with the choice.
        stage.system.send(.disappeared(ObjectID(1170)))
        stage.link()
        try await stage.session.setPreferredInput(nil)
        #expect(stage.input.opened.withLock(\.self) == 2)
        stage.system.send(.defaultChanged(.input, "array"))
        #expect(stage.input.opened.withLock(\.self) == 3)
        #expect(stage.input.state.withLock(\.properties)["target.object"] == nil)
        await stage.recorder.close()
    }

    @Test func aClosedSessionRecordsNothing() async throws {
        let stage = try await RecorderStage()
        try await stage.session.activate()
        await stage.session.close()
        #expect(stage.session.state == .inactive && stage.session.silenceReasons == [.inactive])
        await expect(.expiredSession) { try await stage.recorder.record() }
        await stage.recorder.close()
    }
}
