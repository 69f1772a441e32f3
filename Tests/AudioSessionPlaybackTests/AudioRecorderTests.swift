import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import Dispatch
import Glibc
import PipeWireGraph
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AudioRecorderTests {
    private func frames(in path: String) throws -> Int { Int(try SoundFile(path: path).frameCount) }

    @Test func capturedFramesAreWrittenAndDelivered() async throws {
        let stage = try await RecorderStage(.init(format: .init(bitsPerSample: 24)))
        let scratch = try Scratch()
        let path = scratch.name("a.wav")
        let buffers = stage.recorder.buffers()
        try await stage.start(path)
        #expect(stage.session.state == .active)
        #expect(stage.session.silenceReasons.isEmpty)
        #expect(stage.recorder.input?.name == "Microphone")
        #expect(stage.input.state.withLock(\.gateTriggers) == [ObjectID(42)])
        #expect(await stage.recorder.currentLevels[0].peakPower == -6.0206003)
        let recording = try #require(await stage.recorder.stop())
        #expect(recording.path == path)
        #expect(recording.frameCount == 1000)
        #expect(try frames(in: path) == 1000)
        var heard: [Float] = []
        for await buffer in buffers {
            #expect(buffer.firstFrame == Int64(heard.count))
            heard += buffer.samples
            if heard.count == 1000 { break }
        }
        #expect(heard == counting(0..<1000, channels: 1))
        #expect(await stage.recorder.currentLevels == [.silence])
        await stage.recorder.close()
    }

    @Test func aFailureToCompleteTheFileReachesTheCaller() async throws {
        let stage = try await RecorderStage()
        let scratch = try Scratch()
        let path = scratch.name("a.flac")
        try await stage.start(path, frames: 5_000)
        try await waitUntil("a block is written") { (try? frames(in: path)) ?? 0 >= 4_096 }
        let descriptor = try #require(
            (Int32(3)..<65_536).first { descriptor in
                var (own, other) = (stat(), stat())
                return fstat(descriptor, &own) == 0 && stat(path, &other) == 0 && own.st_ino == other.st_ino
                    && own.st_dev == other.st_dev
            })
        let full = open("/dev/full", O_RDWR | O_CLOEXEC)
        #expect(full >= 0 && dup2(full, descriptor) == descriptor)
        close(full)
        _ = await stage.recorder.stop()
        #expect(await stage.end().reason == .failed)
        #expect(
            stage.events.contains { if case .failed(let error, _) = $0 { error.code == .cannotWrite } else { false } }
        )
        #expect(try frames(in: path) == 4_096)
        await stage.recorder.close()
    }

    @Test func aRecordingThatDoesNotBeginLeavesTheFile() async throws {
        let stage = try await RecorderStage()
        let scratch = try Scratch()
        let path = try scratch.write(Array("before".utf8), to: "a.wav")
        // The session is activated, and closed again before the file is opened.
        let isReady = stage.isReady
        let observation = stage.session.observe { event in
            if case .stateChanged = event { isReady.withLock { $0 = false } }
        }
        defer { _ = observation }
        await #expect(throws: AudioSessionError.self) { try await stage.recorder.record(to: path) }
        #expect(try scratch.bytes(of: path) == Array("before".utf8))
        await stage.recorder.close()
    }

    @Test func aRecordingWhoseStreamIsRefusedLeavesTheFile() async throws {
        let stage = try await RecorderStage()
        let scratch = try Scratch()
        let path = try scratch.write(Array("before".utf8), to: "a.wav")
        stage.input.refusal.withLock { $0 = AudioSessionError(.inputFailed, "made up") }
        try await stage.recorder.record(to: path)
        let end = await stage.end()
        #expect(end.reason == .failed && end.recording.path == nil)
        #expect(try scratch.bytes(of: path) == Array("before".utf8))
        try await stage.start(path)
        #expect(await stage.recorder.stop()?.path == path)
        #expect(try frames(in: path) == 1000)
        await stage.recorder.close()
    }

    @Test(arguments: [AudioSession.Configuration(.playback), .init(.ambient), .init(.soloAmbient)])
    func aCategoryThatDoesNotRecordIsRefusedWithTheFix(configuration: AudioSession.Configuration) async throws {
        let stage = try await RecorderStage(session: configuration)
        let scratch = try Scratch()
        let path = scratch.name("a.wav")
        let error = await #expect(throws: AudioSessionError.self) { try await stage.recorder.record(to: path) }
        #expect(error?.code == .incompatibleCategory)
        #expect(error?.message.contains("Use category playAndRecord") == true)
        #expect(stage.session.state == .inactive)
    }

    @Test(arguments: [AudioSession.Configuration(.record), .init(.playAndRecord), .init(.multiRoute)])
    func categoriesThatRecordAreAccepted(configuration: AudioSession.Configuration) async throws {
        let stage = try await RecorderStage(session: configuration)
        try await stage.recorder.record()
        #expect(stage.recorder.state == .recording)
        #expect(await stage.recorder.stop()?.path == nil)
        await stage.recorder.close()
    }

    @Test func aRecordingThatCannotBeginIsATypedError() async throws {
        let silent = try await RecorderStage(with: [])
        await expect(.noMicrophone) { try await silent.recorder.record() }
        let stage = try await RecorderStage()
        await expect(.notPaused) { try await stage.recorder.resume() }
        await expect(.cannotWrite) { try await stage.recorder.record(to: "/nowhere/a.wav") }
        #expect(stage.session.state == .inactive, "no other session was interrupted")
        #expect(await stage.recorder.stop() == nil)
        try await stage.recorder.record()
        await expect(.alreadyRecording) { try await stage.recorder.record() }
        await stage.recorder.close()
        await expect(.closed) { try await stage.recorder.record() }
        for format in [AudioRecorder.Format(channelCount: 9), .init(sampleRate: .max), .init(channelCount: .min)] {
            let odd = try await RecorderStage(.init(format: format))
            await expect(.unsupportedRecordingFormat) { try await odd.recorder.record(to: "/tmp/never.wav") }
            await expect(.unsupportedRecordingFormat) { try await odd.recorder.record() }
            #expect(await odd.recorder.currentLevels.count <= 8)
        }
    }

    /// Scenario S-115 of the behavior cases.
    @Test func aCategoryChangeEndsTheRecordingWithAnEvent() async throws {
        let stage = try await RecorderStage(session: .init(.playAndRecord))
        let scratch = try Scratch()
        let path = scratch.name("a.flac")
        try await stage.start(path)
        try await stage.session.setCategory(.playAndRecord, mode: .videoChat)
        #expect(stage.input.records)
        try await stage.session.setCategory(.playback)
        #expect(!stage.input.records)
        let end = await stage.end()
        #expect(end.reason == .categoryChanged)
        #expect(try frames(in: path) == 1000)
        #expect(stage.session.state == .active)
        await stage.recorder.close()
    }

    @Test func anInterruptedRecordingStopsCapturingBeforeAnyNotification() async throws {
        let stage = try await RecorderStage()
        let scratch = try Scratch()
        let path = scratch.name("a.wav")
        try await stage.start(path)
        let wasClosed = Locked<Bool?>(nil)
        let observation = stage.session.observe { [input = stage.input] event in
            if case .interruptionBegan = event { wasClosed.withLock { $0 = !input.records } }
        }
        defer { _ = observation }
        let other = try AudioSession(
            manager: try await stage.system.connect(.init(applicationName: "Other")), configuration: .init(.playback))
        try await other.activate()
        #expect(wasClosed.withLock(\.self) == true)
        stage.input.capture(counting(0..<500, channels: 1))
        let end = await stage.end()
        #expect(end.reason == .interrupted)
        #expect(end.recording.frameCount == 1000)
        #expect(try frames(in: path) == 1000)
        await expect(.sessionNotActive) { try await stage.recorder.record(to: path) }
        #expect(try frames(in: path) == 1000, "what was there was thrown away")
        try await other.deactivate()
        #expect(stage.recorder.state == .stopped)
        await stage.recorder.close()
    }

    @Test func anUnlinkedStreamIsReplacedAndTheFileContinues() async throws {
        let stage = try await RecorderStage()
        let scratch = try Scratch()
        let path = scratch.name("a.wav")
        try await stage.start(path)
        stage.system.send(.disappeared(ObjectID(1142)))
        #expect(!stage.input.records)
        // The checks follow each second, and none of them restarts the wait.
        for _ in 1...2 { stage.system.advance(by: .seconds(1)) }
        #expect(stage.input.opened.withLock(\.self) == 1)
        stage.system.advance(by: .seconds(1))
        #expect(stage.input.opened.withLock(\.self) == 2)
        stage.link()
        stage.input.capture(counting(1000..<1500, channels: 1))
        #expect(await stage.recorder.stop()?.frameCount == 1500)
        #expect(try frames(in: path) == 1500)
        await stage.recorder.close()
    }

    @Test func aRecorderThatFollowsAdviceContinuesInTheSameFile() async throws {
        let stage = try await RecorderStage(.init(continuesAfterInterruption: true))
        let scratch = try Scratch()
        let path = scratch.name("a.wav")
        try await stage.start(path)
        let other = try AudioSession(
            manager: try await stage.system.connect(.init(applicationName: "Other")), configuration: .init(.playback))
        try await other.activate()
        #expect(stage.recorder.state == .paused(reason: .interrupted))
        stage.input.capture(counting(0..<500, channels: 1))
        try await other.deactivate()
        while stage.recorder.state != .recording { await Task.yield() }
        stage.link()
        stage.input.capture(counting(0..<500, channels: 1))
        try await other.activate()
        try await other.deactivate([])
        let end = await stage.end()
        #expect(end.reason == .interrupted)
        #expect(end.recording.frameCount == 1500)
        #expect(try frames(in: path) == 1500)
        await stage.recorder.close()
    }

    @Test func deactivatingStopsTheRecordingAndReportsIt() async throws {
        let stage = try await RecorderStage()
        let scratch = try Scratch()
        let path = scratch.name("a.wav")
        try await stage.start(path)
        #expect(try await stage.session.deactivate().stoppedStreams == [path])
        #expect(await stage.end().reason == .sessionDeactivated)
        await stage.recorder.close()
    }

    @Test func aRemovedMicrophoneEndsTheRecording() async throws {
        let stage = try await RecorderStage()
        let scratch = try Scratch()
        let path = scratch.name("a.wav")
        try await stage.start(path)
        stage.system.send(.disappeared(ObjectID(42)))
        #expect(!stage.input.records)
        let end = await stage.end()
        #expect(end.reason == .microphoneLost)
        #expect(
            stage.events.contains {
                if case .microphoneLost(let port, _) = $0 { port.name == "Microphone" } else { false }
            })
        #expect(try frames(in: path) == 1000)
        await stage.recorder.close()
    }

    @Test func mutesAreNotifiedAndAreReasonsForSilence() async throws {
        let stage = try await RecorderStage()
        let scratch = try Scratch()
        await stage.manager.setInputMuted(true)
        #expect(stage.manager.isInputMuted)
        try await stage.start(scratch.name("a.wav"))
        #expect(stage.input.state.withLock(\.isMuted))
        #expect(stage.session.silenceReasons == [.inputMuted])
        await stage.manager.setInputMuted(false)
        #expect(!stage.input.state.withLock(\.isMuted))
        #expect(stage.session.silenceReasons.isEmpty)
        stage.system.setMuted(true, node: "mic")
        #expect(stage.session.silenceReasons == [.inputMuted])
        stage.system.setMuted(false, node: "mic")
        #expect(
            stage.events.filter { if case .microphoneMuted = $0 { true } else { $0.isUnmute } } == [
                .microphoneMuted(by: .program), .microphoneUnmuted(by: .program), .microphoneMuted(by: .user),
                .microphoneUnmuted(by: .user),
            ])
        await stage.recorder.close()
    }

    @Test func unexplainedSilenceIsNotified() async throws {
        let stage = try await RecorderStage()
        try await stage.recorder.record()
        stage.link()
        stage.input.capture([Float](repeating: 0, count: 100_000))
        while !stage.events.contains(.microphoneSilent(at: .never)) { await Task.yield() }
        await stage.recorder.close()
    }

    @Test func framesBeyondTheBufferAreCountedAndLeftOut() async throws {
        let stage = try await RecorderStage()
        let scratch = try Scratch()
        let path = scratch.name("a.wav")
        try await stage.recorder.record(to: path)
        stage.link()
        // The writer holds five seconds.
        stage.input.capture([Float](repeating: 0.1, count: 300_000))
        stage.system.advance(by: .seconds(1))
        #expect(stage.events.contains(.overrun(frames: 60_000)))
        #expect(await stage.recorder.stop()?.frameCount == 240_000)
        await stage.recorder.close()
    }

    @Test func losingPipeWireEndsTheRecording() async throws {
        let stage = try await RecorderStage()
        let scratch = try Scratch()
        let path = scratch.name("a.wav")
        try await stage.start(path)
        stage.system.fail()
        #expect(await stage.end().reason == .mediaServicesLost)
        #expect(try frames(in: path) == 1000)
        await stage.recorder.close()
    }

    @Test func pausingKeepsTheFileCompleteAndResumingContinues() async throws {
        let stage = try await RecorderStage()
        let scratch = try Scratch()
        let path = scratch.name("a.wav")
        try await stage.start(path)
        await stage.recorder.pause()
        #expect(stage.recorder.state == .paused(reason: .user))
        #expect(stage.session.silenceReasons == [.paused])
        while try frames(in: path) < 1000 { await Task.yield() }
        stage.input.capture(counting(0..<500, channels: 1))
        try await stage.recorder.resume()
        stage.link()
        stage.input.capture(counting(0..<500, channels: 1))
        #expect(await stage.recorder.stop()?.frameCount == 1500)
        await stage.recorder.close()
    }

    /// Programs that block in calls may occupy all threads of the pool.
    @Test(.blocking) func aRecordingNeedsNoThreadOfThePool() async throws {
        let stage = try await RecorderStage()
        let scratch = try Scratch()
        let path = scratch.name("a.wav")
        let recording = Locked<AudioRecorder.Recording?>(nil)
        let hasReturned = withOccupiedPool {
            try await stage.start(path)
            let stopped = await stage.recorder.stop()
            recording.withLock { $0 = stopped }
        }
        #expect(hasReturned)
        #expect(recording.withLock(\.self)?.frameCount == 1000)
        await stage.recorder.close()
    }

    /// Runs `body` on a thread of its own while as many tasks as there may be threads wait.
    /// - Returns: Whether it returned.
    private func withOccupiedPool(_ body: @escaping @Sendable () async throws -> Void) -> Bool {
        let (release, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let count = 4 * sysconf(Int32(_SC_NPROCESSORS_ONLN))
        for _ in 0..<count { Task.detached { block(on: release) } }
        Task.detached(executorPreference: OwnThread()) {
            try? await body()
            done.signal()
        }
        defer { for _ in 0..<count { release.signal() } }
        return done.wait(timeout: .now() + 20) == .success
    }

    @Test func aReleasedRecorderClosesItsFile() async throws {
        let scratch = try Scratch()
        let path = scratch.name("a.flac")
        var stage: RecorderStage? = try await RecorderStage()
        try await stage?.start(path)
        stage = nil
        while try frames(in: path) != 1000 { await Task.yield() }
    }
}

private func block(on semaphore: DispatchSemaphore) { semaphore.wait() }

extension AudioRecorder.Event {
    fileprivate var isUnmute: Bool { if case .microphoneUnmuted = self { true } else { false } }
}
