import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// The output as a program uses it, on a fake computer. Its ring holds 480 frames of one channel.
@Suite(.timeLimit(.minutes(10))) struct AudioOutputTests {
    private func counted(_ frames: Range<Int>) -> [Float] { counting(frames, channels: 1) }

    // MARK: Interruption, ducking and route

    @Test func writtenFramesArePlayed() async throws {
        let stage = try await OutputStage()
        try await stage.start()
        #expect(stage.output.state == .playing)
        #expect(stage.session.state == .active && stage.session.silenceReasons.isEmpty)
        try await stage.output.write(counted(0..<100))
        try await stage.output.write(counted(100..<200))
        #expect(await stage.output.latency == .init(frames: 200, rate: 48_000))
        #expect(stage.runCycle(150) == counted(0..<150))
        #expect(stage.output.position == 150)
        #expect(stage.output.missingFrameCount == 0)
        await stage.output.stop()
        #expect(stage.story.events == [.stateChanged(.playing), .stateChanged(.stopped)])
        #expect(stage.output.state == .stopped)
    }

    @Test func theStreamHasTheNamesThatMixersShow() async throws {
        let stage = try await OutputStage(.init(role: .game, title: "Chess", nodeName: "chess"))
        try await stage.output.setVolume(0.5)
        try await stage.start()
        let properties = stage.outputs.properties.withLock(\.self)
        #expect(properties["media.role"] == "Game" && properties["media.name"] == "Chess")
        #expect(properties["node.name"] == "chess" && properties["application.name"] == "Stage")
        #expect(stage.calls.contains(.volume(0.125)))
        await expectFailure(.badParam) { try await stage.output.setVolume(.nan) }
        try await stage.output.setVolume(7)
        #expect(stage.output.volume == 1 && stage.calls.last == .volume(1))
    }

    @Test func anInterruptionSilencesTheOutputFirstAndItResumesWithTheNextFrame() async throws {
        let stage = try await OutputStage()
        try await stage.start()
        try await stage.output.write(counted(0..<200))
        stage.runCycle(100)
        let other = try await stage.other(.init(.playback))
        let isGateClosed = Locked<Bool?>(nil)
        let observation = stage.output.observe { [outputs = stage.outputs] event in
            if event.timeless == .stateChanged(.paused(reason: .interrupted)) {
                isGateClosed.withLock { $0 = outputs.isGateClosed.withLock(\.self) }
            }
        }
        try await other.activate()
        #expect(isGateClosed.withLock(\.self) == true)
        #expect(stage.calls.last == .active(false))
        try await other.deactivate()
        try await stage.story.wait(for: "resuming") { $0.last == .stateChanged(.playing) }
        stage.run()
        #expect(stage.runCycle(100) == counted(100..<200))
        withExtendedLifetime(observation) {}
    }

    @Test func anotherSessionDucksTheOutputBeforeItsFirstSound() async throws {
        let stage = try await OutputStage()
        let other = try await stage.other(.init(.playback, options: .duckOthers))
        try await other.activate()
        try await stage.start()
        #expect(stage.calls.contains(.duck(stage.session.gain)) && stage.session.gain < 1)
        try await other.deactivate()
        #expect(stage.calls.last == .duck(1))
    }

    @Test func pulledHeadphonesCloseTheGateAndPauseTheOutput() async throws {
        let stage = try await OutputStage()
        try await stage.start()
        #expect(stage.outputs.gateTriggers.withLock(\.self) == [ObjectID(41)])
        stage.pullHeadphones()
        #expect(stage.output.state == .paused(reason: .routeLost))
        #expect(stage.calls.contains(.gate(closed: true)))
        #expect(stage.story.events.contains { if case .becameNoisy = $0 { true } else { false } })
        #expect(stage.output.route.outputs.map(\.type) == [.builtInSpeaker])
        #expect(stage.session.silenceReasons.contains { if case .routeLost = $0 { true } else { false } })
        try await stage.start()
        #expect(stage.output.state == .playing)
    }

    @Test func aPreferredOutputHasAnotherStreamWithTheSameRing() async throws {
        let stage = try await OutputStage()
        try await stage.start()
        try await stage.output.write(counted(0..<200))
        stage.runCycle(100)
        let headphones = try #require(stage.output.route.outputs.first)
        try await stage.session.setPreferredOutput(headphones)
        stage.run()
        #expect(stage.runCycle(100) == counted(100..<200))
    }

    @Test func aSessionThatDoesNotPlayIsRefused() async throws {
        let stage = try await OutputStage(session: .init(.record))
        await expectFailure(.incompatibleCategory) { try await stage.output.start() }
        await expectFailure(.stopped) { try await stage.output.write([0]) }
    }

    @Test func aCategoryThatDoesNotPlayPausesTheOutput() async throws {
        let stage = try await OutputStage(session: .init(.playAndRecord))
        try await stage.start()
        try await stage.session.setCategory(.playback)
        #expect(stage.output.state == .playing)
        try await stage.session.setCategory(.record)
        #expect(stage.output.state == .paused(reason: .sessionInactive))
        let isGateClosed = stage.outputs.isGateClosed.withLock(\.self)
        #expect(isGateClosed)
        #expect(stage.session.state == .active)
        await expectFailure(.incompatibleCategory) { try await stage.output.start() }
        try await stage.session.setCategory(.playback)
        try await stage.output.start()
        #expect(stage.output.state == .playing)
    }

    @Test func withoutPipeWireTheOutputDoesNotStart() async throws {
        let stage = try await OutputStage()
        stage.outputs.isReady.withLock { $0 = false }
        await expectFailure(.mediaServicesFailed) { try await stage.output.start() }
    }

    @Test func aRefusedStreamPausesTheOutputWithAReason() async throws {
        let stage = try await OutputStage()
        stage.outputs.refusal.withLock { $0 = AudioSessionError(.outputFailed, "made up") }
        try await stage.output.start()
        #expect(stage.output.state == .paused(reason: .outputFailed))
        try await stage.start()
        #expect(stage.output.state == .playing)
    }

    @Test func aClosedManagerSilencesTheOutput() async throws {
        let stage = try await OutputStage()
        try await stage.start()
        await stage.manager.close()
        #expect(stage.output.state == .paused(reason: .sessionInactive))
        #expect(stage.calls.contains(.gate(closed: true)))
    }

    // MARK: The format

    @Test func theDefaultFormatIsThatOfTheHardware() async throws {
        let stage = try await OutputStage(.init())
        #expect(stage.output.format == .init(sampleRate: 48_000, channelCount: 2))
    }

    @Test(arguments: [(0, 2), (48_000, 0), (48_000, 9), (768_001, 2), (.max, .max), (.min, 1)])
    func anImpossibleFormatIsAnError(rate: Int, channels: Int) async throws {
        let format = AudioOutput.Format(sampleRate: rate, channelCount: channels)
        let stage = try await OutputStage(.init(format: format))
        await expectFailure(.unsupportedFormat) { try await stage.output.start() }
        await expectFailure(.unsupportedFormat) { try await stage.output.write([]) }
        #expect(stage.output.state == .stopped)
    }

    // MARK: Writing

    /// Waits until a write waits for the ring.
    private func untilWaiting(_ stage: OutputStage) async {
        while await stage.output.counters.awaited == nil { await Task.yield() }
    }

    @Test func aWriteWaitsForTheRingAndLosesNoFrame() async throws {
        let stage = try await OutputStage()
        try await stage.start()
        let writing = Task { [output = stage.output] in try await output.write(counting(0..<1000, channels: 1)) }
        await untilWaiting(stage)
        #expect(try stage.output.writeAvailable(counted(0..<1).span) == 0, "a write waits")
        var heard: [Float] = []
        while heard.count < 1000 {
            let part = stage.runCycle(100)
            heard += part
            if part.isEmpty { await Task.yield() }
            stage.tick()
        }
        try await writing.value
        #expect(heard == counted(0..<1000))
    }

    @Test func concurrentWritesAreServedInOrder() async throws {
        let stage = try await OutputStage()
        try await stage.start()
        try await stage.output.write(counted(0..<480))
        let first = Task { [output = stage.output] in try await output.write(counting(480..<600, channels: 1)) }
        await untilWaiting(stage)
        let second = Task { [output = stage.output] in try await output.write(counting(600..<700, channels: 1)) }
        var heard: [Float] = []
        while heard.count < 700 {
            heard += stage.runCycle(100)
            stage.tick()
            await Task.yield()
        }
        try await first.value
        try await second.value
        #expect(heard == counted(0..<700))
    }

    @Test(arguments: [true, false]) func aStopEndsAWaitingWrite(closes: Bool) async throws {
        let stage = try await OutputStage()
        try await stage.start()
        let writing = Task { [output = stage.output] in try await output.write(counting(0..<1000, channels: 1)) }
        await untilWaiting(stage)
        if closes { await stage.output.close() } else { await stage.output.stop() }
        await expectFailure(closes ? .closed : .stopped) { try await writing.value }
        await expectFailure(closes ? .closed : .stopped) { try await stage.output.write([0]) }
        guard !closes else {
            await expectFailure(.closed) { try stage.output.writeAvailable([0].span) }
            return await expectFailure(.closed) { try await stage.output.start() }
        }
        try await stage.start()
        try await stage.output.write(counted(5..<10))
        #expect(stage.runCycle(100) == counted(5..<10), "what was written before the stop is dropped")
        #expect(stage.output.missingFrameCount == 95)
    }

    @Test(arguments: [true, false]) func aWriteEndsWithItsSessionOrManager(isManager: Bool) async throws {
        let stage = try await OutputStage()
        try await stage.start()
        let writing = Task { [output = stage.output] in try await output.write(counting(0..<1000, channels: 1)) }
        await untilWaiting(stage)
        if isManager { await stage.manager.close() } else { await stage.session.close() }
        await expectFailure(.stopped) { try await writing.value }
        await expectFailure(.stopped) { try await stage.output.write([0]) }
        // A start that fails does not accept writes that would never be played.
        await #expect(throws: AudioSessionError.self) { try await stage.output.start() }
        await expectFailure(.stopped) { try await stage.output.write([0]) }
    }

    @Test func aCancelledWriteEndsAndTheNextOneContinues() async throws {
        let stage = try await OutputStage()
        try await stage.start()
        let writing = Task { [output = stage.output] in try await output.write(counting(0..<1000, channels: 1)) }
        await untilWaiting(stage)
        writing.cancel()
        await expectFailure(.cancelled) { try await writing.value }
        #expect(await stage.output.counters.awaited == nil)
        #expect(stage.runCycle(480) == counted(0..<480))
        try await stage.output.write(counted(0..<10))
        #expect(stage.runCycle(10) == counted(0..<10))
    }

    @Test func aWaitingWriteSurvivesAnInterruption() async throws {
        let stage = try await OutputStage()
        try await stage.start()
        let writing = Task { [output = stage.output] in try await output.write(counting(0..<500, channels: 1)) }
        await untilWaiting(stage)
        let other = try await stage.other(.init(.playback))
        try await other.activate()
        stage.tick()
        #expect(await stage.output.counters.awaited != nil)
        try await other.deactivate()
        try await stage.story.wait(for: "resuming") { $0.last == .stateChanged(.playing) }
        stage.run()
        #expect(stage.runCycle(480) == counted(0..<480))
        stage.tick()
        try await writing.value
        #expect(stage.runCycle(20) == counted(480..<500))
    }

    @Test func aFlushMakesRoomForAWaitingWriteAlsoDuringAPause() async throws {
        let stage = try await OutputStage()
        try await stage.start()
        let writing = Task { [output = stage.output] in try await output.write(counting(0..<600, channels: 1)) }
        await untilWaiting(stage)
        let other = try await stage.other(.init(.playback))
        try await other.activate()
        stage.output.flush()
        #expect(await stage.output.counters.awaited == nil)
        await stage.output.close()
        _ = await writing.result
    }

    @Test func aWriteWithoutWaitingFillsTheRing() async throws {
        let stage = try await OutputStage()
        #expect(try stage.output.writeAvailable(counted(0..<1000).span) == 480, "also before the start")
        #expect(try stage.output.writeAvailable(counted(0..<1).span) == 0)
        try await stage.start()
        #expect(stage.runCycle(100) == counted(0..<100))
        #expect(try stage.output.writeAvailable(counted(480..<1000).span) == 100)
        stage.output.flush()
        #expect(stage.runCycle(100) == [])
        #expect(stage.output.missingFrameCount == 0, "waiting for the first frames is no underrun")
    }

    @Test func aStartThatFailsKeepsTheFramesForTheNextOne() async throws {
        let stage = try await OutputStage()
        stage.outputs.isReady.withLock { $0 = false }
        #expect(try stage.output.writeAvailable(counted(0..<10).span) == 10)
        await expectFailure(.mediaServicesFailed) { try await stage.output.start() }
        await expectFailure(.stopped) { try await stage.output.write([0]) }
        stage.outputs.isReady.withLock { $0 = true }
        try await stage.start()
        #expect(stage.runCycle(10) == counted(0..<10))
    }

    @Test func partsOfFramesAreRefused() async throws {
        let stage = try await OutputStage(.init(format: .init(channelCount: 2)))
        try await stage.start()
        await expectFailure(.badParam) { try await stage.output.write([1, 2, 3]) }
        await expectFailure(.badParam) { try stage.output.writeAvailable([1].span) }
        try await stage.output.write([])
        #expect(stage.runCycle(10) == [])
    }

    /// The last frame may still be in a resampler when it has left the ring.
    @Test func aDrainEndsTwoCyclesAfterTheLastFrameAndIsNoUnderrun() async throws {
        let stage = try await OutputStage()
        try await stage.start()
        try await stage.output.drain()
        try await stage.output.write(counted(0..<100))
        let draining = Task { [output = stage.output] in try await output.drain() }
        await untilWaiting(stage)
        stage.runCycle(99)
        stage.tick()
        #expect(await stage.output.counters.awaited == 1)
        stage.runCycle(200)
        for _ in 0..<2 {
            stage.tick()
            #expect(await stage.output.counters.drained != nil)
            stage.runCycle(100)
        }
        stage.tick()
        try await draining.value
        try await stage.output.drain()
        #expect(stage.output.missingFrameCount == 0)
        try await stage.output.write(counted(0..<1))
        stage.runCycle(100)
        #expect(stage.output.missingFrameCount == 99)
    }

    @Test func anEmptyRingIsReportedWithinASecond() async throws {
        let stage = try await OutputStage()
        try await stage.start()
        try await stage.output.write(counted(0..<50))
        stage.runCycle(80)
        stage.runCycle(20)
        stage.tick()
        #expect(stage.story.events == [.stateChanged(.playing), .underrun(frames: 50)])
    }

    // MARK: Callbacks

    @Test func anOutputWithACallbackCannotBeWrittenToAndDestroysItsContextOnce() async throws {
        let system = try FakeLaptop.system(with: .headphones)
        let manager = try await system.connect()
        for rate in [48_000, 0] {
            let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
            defer { count.deallocate() }
            count.initialize(to: 0)
            do {
                let output = AudioOutput(
                    session: try AudioSession(manager: manager, configuration: .init(.playback)),
                    configuration: .init(format: .init(sampleRate: rate)),
                    render: .init(
                        { _, _, _, _, _, _ in }, context: count,
                        destroyContext: { $0?.assumingMemoryBound(to: Int.self).pointee += 1 }))
                await expectFailure(rate > 0 ? .badParam : .unsupportedFormat) { try await output.write([0, 0]) }
                #expect(count.pointee == (rate > 0 ? 0 : 1))
                await output.close()
            }
            #expect(count.pointee == 1)
        }
        await manager.close()
    }
}

extension OutputStage {
    /// A session of another program.
    func other(_ configuration: AudioSession.Configuration) async throws -> AudioSession {
        let manager = try await system.connect(.init(applicationName: "Other"))
        return try AudioSession(manager: manager, configuration: configuration)
    }
}
