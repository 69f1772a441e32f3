import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// PipeWire is stopped, as after SIGSTOP, and continued later.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct DeadlineTests {
    /// Longer than the default of 5 s, so a call that ends by the default ends too early. How late
    /// a call returns depends on the computer: `AudioSessionCLiveTests` limit that, in a process of
    /// its own.
    private static let timeout = Duration.seconds(6)

    private func expectTimeout(
        _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
        _ call: () async throws -> Void
    ) async {
        let begin = ContinuousClock.now
        do {
            try await call()
            Issue.record("no error: \(what)", sourceLocation: sourceLocation)
        } catch {
            #expect((error as? AudioSessionError)?.code == .timedOut, what, sourceLocation: sourceLocation)
        }
        #expect(ContinuousClock.now - begin >= Self.timeout, what, sourceLocation: sourceLocation)
    }

    @Test func aLateActivationIsReleasedWithNotify() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let music = try await MusicProgram(on: pipeWire)
        let manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote, timeout: Self.timeout))
        let session = try AudioSession(manager: manager, configuration: .init(.playback))
        try await music.session.activate()
        await pipeWire.suspendDaemon()
        await expectTimeout("activate") {
            try await session.activate()
        }
        #expect(session.state == .inactive)
        await pipeWire.resumeDaemon()
        try await music.received.wait(for: "advice to resume") {
            $0.contains {
                if case .interruptionEnded(let options, _) = $0 { options == .shouldResume } else { false }
            }
        }
        try await music.expectUnaffected(on: pipeWire, "after a late grant")
        try await session.activate()
        #expect(session.state == .active)
        try await music.received.wait(for: "another interruption") {
            $0.filter { if case .interruptionBegan = $0 { true } else { false } }.count == 2
        }
        try await session.deactivate()
        try await music.expectUnaffected(on: pipeWire, "in the end")
        await manager.close()
        await music.manager.close()
        await pipeWire.stop()
    }

    @Test func everyOtherCallThatWaitsTimesOut() async throws {
        let pipeWire = try await PrivatePipeWire()
        let music = try await MusicProgram(on: pipeWire)
        let configuration = AudioSessionManager.Configuration(remote: pipeWire.remote, timeout: Self.timeout)
        let manager = try await AudioSessionManager.connect(configuration)
        let session = try AudioSession(manager: manager, configuration: .init(.playback, options: .mixWithOthers))
        try await music.session.activate()
        try await session.activate()
        await pipeWire.suspendDaemon()
        await expectTimeout("configure") {
            try await session.configure(.init(.playback))
        }
        #expect(session.state == .active && session.configuration.options == .mixWithOthers)
        await expectTimeout("silent mode") {
            try await manager.setSilentMode(true)
        }
        await expectTimeout("connect") {
            _ = try await AudioSessionManager.connect(configuration)
        }
        await expectTimeout("deactivate") { _ = try await session.deactivate() }
        #expect(session.state == .inactive)
        await pipeWire.resumeDaemon()
        try await music.expectUnaffected(on: pipeWire, "after a late change")
        try await session.activate()
        try await manager.setSilentMode(false)
        try await session.configure(.init(.playback))
        #expect(session.state == .active)
        await manager.close()
        await music.manager.close()
        await pipeWire.stop()
    }

    /// The end of PipeWire answers waiting calls, not their deadline.
    @Test func theEndOfPipeWireAnswersAllThatWait() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote, timeout: .seconds(60)))
        let session = try AudioSession(manager: manager, configuration: .init(.playback))
        await pipeWire.suspendDaemon()
        async let activation = code { try await session.activate() }
        async let silence = code { try await manager.setSilentMode(true) }
        try await waitUntil("both wait") { await manager.waitingCallCount == 2 }
        await pipeWire.killDaemon()
        #expect(await activation == .mediaServicesFailed)
        #expect(await silence == .mediaServicesFailed)
        await manager.close()
        await pipeWire.stop()
    }

    private func code(
        of call: () async throws -> Void
    ) async -> AudioSessionError.Code? {
        do {
            try await call()
            return nil
        } catch {
            return (error as? AudioSessionError)?.code
        }
    }

    @Test func aMissingPipeWireIsWaitedForUpToTheTimeout() async throws {
        await expectTimeout("connect") {
            _ = try await AudioSessionManager.connect(
                .init(remote: "/nowhere/pipewire-0", timeout: Self.timeout, waitsForPipeWire: true))
        }
    }

    @Test func aTimedOutDeactivationIsSilent() async throws {
        try await Stage.with(.builtIn()) { stage in
            let speaker = try #require(stage.taps.first).sink
            try await stage.play(on: speaker)
            await stage.pipeWire.suspendDaemon()
            let error = await #expect(throws: AudioSessionError.self) {
                try await stage.player.session.deactivate()
            }
            #expect(error?.code == .timedOut)
            #expect(stage.player.session.state == .inactive && stage.player.state != .playing)
            await stage.pipeWire.resumeDaemon()
            // Frames that were on their way when the gate closed are played first.
            try await stage.tapSinks()
            await stage.resetTaps()
            try await stage.tapSinks()
            #expect(await stage.loudFrames() == [:])
            try await stage.play(on: speaker)
        }
    }
}
