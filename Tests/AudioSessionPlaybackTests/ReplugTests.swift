import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// The headphones are pulled, and plugged in again.
@Suite(.timeLimit(.minutes(10))) struct ReplugTests {
    private struct Scene {
        let scratch: Scratch
        let stage: PlayerStage
        let other: AudioSession
        let delivered = Received()

        init(
            session: AudioSession.Configuration = .init(.playback),
            _ policies: (inout AudioSession.Configuration) -> Void = { _ in },
            other: AudioSession.Configuration = .init(.playback)
        ) async throws {
            scratch = try Scratch()
            stage = try await PlayerStage()
            let manager = try await stage.system.connect(.init(applicationName: "Other"))
            self.other = try AudioSession(manager: manager, configuration: other)
            var session = session
            session.resumesOnReplug = true
            policies(&session)
            try await stage.session.configure(session)
            try await stage.start([try scratch.sound(counting(0..<30000), as: "a.wav")])
            delivered.listen(to: stage.session, stage.player)
        }

        var player: AudioPlayer { stage.player }
        var session: AudioSession { stage.session }
    }

    /// The session's events and the states of the player, in short.
    private final class Received: Sendable {
        private let words = Locked<[String]>([])
        private let observations = Locked<[EventObservation]>([])

        func listen(to session: AudioSession, _ player: AudioPlayer? = nil) {
            let words = words
            let first = session.observe { event in
                if !event.isSilenceChange { words.withLock { $0.append(Self.word(event)) } }
            }
            let second = player?.observe { event in
                guard case .stateChanged(let state, _) = event else { return }
                words.withLock { $0.append("\(state)") }
            }
            observations.withLock { $0 = [first] + [second].compactMap(\.self) }
        }

        func take() -> [String] {
            words.withLock { words in
                defer { words = [] }
                return words
            }
        }

        private static func word(_ event: AudioSession.Event) -> String {
            switch event {
            case .becameNoisy(let port, _): "lost \(port.type)"
            case .routeChanged(let change): "to \(change.current.outputs.map(\.type.rawValue).joined())"
            case .resumeAdvice(let reason, _): "advice: \(reason)"
            case .interruptionBegan: "began"
            case .interruptionEnded(let options, _): options.contains(.shouldResume) ? "ended, resume" : "ended"
            case .stateChanged(let state, _): "\(state)"
            case .ducking(let gain, _, _): "gain \(gain)"
            case .silenceSecondaryAudioHint: "hint"
            case .outputVolumeChanged, .inputGainChanged, .hardwareFormatChanged: "numbers"
            case .mediaServicesLost: "services lost"
            case .mediaServicesReset: "services reset"
            case .silenceReasonsChanged: "silence"
            }
        }
    }

    @Test func withoutTheOptInNothingResumes() async throws {
        let scene = try await Scene { $0.resumesOnReplug = false }
        scene.stage.pullWithoutBounce()
        scene.stage.plugWithoutBounce()
        #expect(!scene.delivered.take().contains("advice: routeRestored"))
        #expect(scene.player.state == .paused(reason: .routeLost))
    }

    @Test func replugResumesWithTheNextFrame() async throws {
        let scene = try await Scene()
        #expect(scene.stage.runCycles(100) == counting(0..<100))
        scene.stage.pullWithoutBounce()
        #expect(scene.player.state == .paused(reason: .routeLost))
        #expect(scene.delivered.take().suffix(2) == ["lost headphones", "to builtInSpeaker"])
        scene.stage.plugWithoutBounce()
        try await scene.stage.untilActive()
        #expect(scene.delivered.take() == ["to headphones", "advice: routeRestored", "playing"])
        #expect(scene.session.silenceReasons.isEmpty)
        #expect(scene.stage.runCycles(100) == counting(100..<200))
        // The same once more.
        scene.stage.pullWithoutBounce()
        scene.stage.plugWithoutBounce()
        #expect(scene.player.state == .playing)
    }

    @Test func afterTheLimitThePlayerStaysSilent() async throws {
        let scene = try await Scene()
        try await scene.session.change { $0.replugTimeout = .seconds(60) }
        scene.stage.pullWithoutBounce()
        scene.stage.system.advance(by: .seconds(59))
        scene.stage.plugWithoutBounce()
        #expect(scene.player.state == .playing)
        scene.stage.pullWithoutBounce()
        scene.stage.system.advance(by: .seconds(60))
        scene.stage.plugWithoutBounce()
        #expect(scene.player.state == .paused(reason: .routeLost))
        let error = await #expect(throws: AudioSessionError.self) {
            try await scene.session.change { $0.replugTimeout = .seconds(-1) }
        }
        #expect(error?.violations.map(\.subject) == [.replugTimeout])
        #expect(scene.session.configuration.replugTimeout == .seconds(60))
    }

    @Test func aPlayerThatFollowsNoAdviceIsOnlyNotified() async throws {
        let scene = try await Scene { $0.resumesAfterInterruption = false }
        scene.stage.pullWithoutBounce()
        scene.stage.plugWithoutBounce()
        #expect(scene.delivered.take().last == "advice: routeRestored")
        #expect(scene.player.state == .paused(reason: .routeLost))
    }

    enum UserAction: CaseIterable { case pause, stop, play, playAndPause, deactivate, activateAnew, no }

    @Test(arguments: UserAction.allCases) func aUserActionMeanwhileCancelsTheAdvice(action: UserAction) async throws {
        let scene = try await Scene()
        scene.stage.pullWithoutBounce()
        switch action {
        case .pause: await scene.player.pause()
        case .stop: await scene.player.stop()
        case .play: try await scene.player.play()
        case .playAndPause:
            try await scene.player.play()
            await scene.player.pause()
        case .deactivate: try await scene.session.deactivate()
        case .activateAnew:
            try await scene.session.deactivate()
            try await scene.session.activate()
        case .no: try await scene.session.change { $0.resumesOnReplug = false }
        }
        let state = scene.player.state
        _ = scene.delivered.take()
        scene.stage.plugWithoutBounce()
        #expect(scene.delivered.take() == ["to headphones"])
        #expect(scene.player.state == state)
    }

    @Test func playingAnotherPlayerOfTheSessionCancelsTheAdvice() async throws {
        let scene = try await Scene()
        let executor = try #require(scene.stage.system.environment.executor as? InlineExecutor)
        let outputs = FakeOutputs(executor)
        let second = AudioPlayer(
            scene.session,
            in: PlayerEnvironment(
                isReady: { _ in true },
                open: { (_, request, receive) throws(AudioSessionError) in try outputs.open(request, receive) }))
        scene.stage.pullWithoutBounce()
        try await second.load([try scene.scratch.sound(counting(0..<100), as: "b.wav")])
        try await second.play()
        scene.stage.plugWithoutBounce()
        #expect(!scene.delivered.take().contains("advice: routeRestored"))
        #expect(scene.player.state == .paused(reason: .routeLost))
        await second.close()
    }

    // MARK: Interruptions

    @Test(arguments: [true, false]) func aReplugAfterAnInterruptionResumesIfItNotified(withNotice: Bool) async throws
    {
        let scene = try await Scene()
        scene.stage.pullWithoutBounce()
        try await scene.other.activate()
        try await scene.other.deactivate(withNotice ? .notifyOthersOnDeactivation : [])
        #expect(scene.delivered.take().suffix(3) == ["interrupted", "ended", "inactive"])
        scene.stage.plugWithoutBounce()
        if withNotice { try await scene.stage.untilActive() }
        #expect(scene.player.state == (withNotice ? .playing : .paused(reason: .routeLost)))
        #expect(scene.session.state == (withNotice ? .active : .inactive))
    }

    /// The advice waits for the end of the interruption, which itself advises nothing, because the
    /// loss is older.
    @Test func aReplugDuringAnInterruptionAdvisesAtItsEnd() async throws {
        let scene = try await Scene()
        scene.stage.pullWithoutBounce()
        try await scene.other.activate()
        _ = scene.delivered.take()
        scene.stage.plugWithoutBounce()
        #expect(scene.delivered.take() == ["to headphones"])
        try await scene.other.deactivate()
        try await scene.stage.untilActive()
        #expect(scene.delivered.take() == ["ended", "inactive", "advice: routeRestored", "active", "playing"])
    }

    @Test(arguments: [true, false]) func aLossDuringAnInterruptionIsNotAdvised(withNotice: Bool) async throws {
        let scene = try await Scene()
        try await scene.other.activate()
        scene.stage.pullWithoutBounce()
        #expect(scene.player.state == .paused(reason: .routeLost))
        try await scene.other.deactivate(withNotice ? .notifyOthersOnDeactivation : [])
        #expect(scene.delivered.take().suffix(2) == ["ended", "inactive"])
        #expect(scene.player.state == .paused(reason: .routeLost))
        scene.stage.plugWithoutBounce()
        if withNotice { try await scene.stage.untilActive() }
        #expect(scene.player.state == (withNotice ? .playing : .paused(reason: .routeLost)))
    }

    /// Scenario S-151 of the behavior cases.
    @Test func aPlugDuringAnInterruptionAddsNoAdvice() async throws {
        let scene = try await Scene()
        scene.stage.pullWithoutBounce()
        try await scene.player.play()
        try await scene.stage.untilActive()
        try await scene.other.activate()
        _ = scene.delivered.take()
        scene.stage.plugWithoutBounce()
        #expect(scene.delivered.take() == ["to headphones"])
        #expect(scene.session.state == .interrupted)
        try await scene.other.deactivate()
        try await scene.stage.untilActive()
        #expect(!scene.delivered.take().contains("advice: routeRestored"))
    }

    /// The player's session lost its place to one of which it never received an event.
    @Test func aSessionActivatedAfterTheInterruptionIsNotInterrupted() async throws {
        let scene = try await Scene()
        scene.stage.pullWithoutBounce()
        try await scene.other.activate()
        try await scene.other.deactivate()
        let film = try await scene.stage.system.connect(.init(applicationName: "Film"))
        let session = try AudioSession(manager: film, configuration: .init(.playback))
        try await session.activate()
        _ = scene.delivered.take()
        scene.stage.plugWithoutBounce()
        #expect(scene.delivered.take() == ["to headphones"])
        #expect(session.state == .active)
    }

    @Test func aLossWhileDuckedResumesAtTheCurrentGain() async throws {
        let scene = try await Scene(other: .init(.playback, mode: .voicePrompt, options: .duckOthers))
        try await scene.other.activate()
        scene.stage.pullWithoutBounce()
        #expect(scene.player.state == .paused(reason: .routeLost))
        #expect(scene.session.gain == 0.2)
        try await scene.other.deactivate()
        #expect(scene.session.gain == 1)
        scene.stage.plugWithoutBounce()
        #expect(scene.player.state == .playing)
        #expect(scene.stage.calls.last { if case .duck = $0 { true } else { false } } == .duck(1))
    }

    // MARK: Sessions that do not stop

    @Test(arguments: [
        AudioSession.Configuration(.playback, options: .mixWithOthers), .init(.ambient),
        .init(.playAndRecord, mode: .voiceChat),
    ])
    func mixingSessionsAndCallsGetOnlyTheRouteChange(configuration: AudioSession.Configuration) async throws {
        let scene = try await Scene(session: configuration)
        scene.stage.pullWithoutBounce()
        #expect(scene.player.state == .playing)
        scene.stage.plugWithoutBounce()
        #expect(scene.delivered.take() == ["to builtInSpeaker", "to headphones"])
        #expect(scene.player.state == .playing)
    }

    @Test func aSessionThatIgnoresTheLossContinuesAndIsNotAdvised() async throws {
        let scene = try await Scene { $0.pausesOnRouteLoss = false }
        scene.stage.pullWithoutBounce()
        #expect(scene.player.state == .playing)
        scene.stage.plugWithoutBounce()
        #expect(scene.delivered.take() == ["lost headphones", "to builtInSpeaker", "to headphones"])
    }

    /// A program that renders by itself is known only to have been active.
    @Test func aSessionWithoutAPlayerIsAdvisedIfItWasActive() async throws {
        let stage = try await PlayerStage()
        var configuration = AudioSession.Configuration(.playback)
        configuration.resumesOnReplug = true
        let session = try AudioSession(manager: stage.manager, configuration: configuration)
        let delivered = Received()
        delivered.listen(to: session)
        try await session.activate()
        stage.pullWithoutBounce()
        stage.plugWithoutBounce()
        #expect(
            delivered.take() == [
                "active", "lost headphones", "to builtInSpeaker", "to headphones", "advice: routeRestored",
            ])
        try await session.deactivate()
        stage.pullWithoutBounce()
        stage.plugWithoutBounce()
        #expect(delivered.take() == ["inactive", "to builtInSpeaker", "to headphones"])
    }

    // MARK: PipeWire

    @Test func afterALossOfPipeWireNothingStartsByItself() async throws {
        let scene = try await Scene()
        scene.stage.pullWithoutBounce()
        scene.stage.system.fail()
        scene.stage.system.restart()
        scene.stage.system.advance(by: .seconds(2))
        #expect(scene.delivered.take().last == "services reset")
        scene.stage.plugWithoutBounce()
        #expect(scene.delivered.take() == ["to headphones"])
        #expect(scene.player.state == .paused(reason: .routeLost))
    }
}

extension PlayerStage {
    /// A jack that opens and closes within half a second is taken to bounce.
    fileprivate func pullWithoutBounce() {
        system.advance(by: .seconds(1))
        pullHeadphones()
    }

    fileprivate func plugWithoutBounce() {
        system.advance(by: .seconds(1))
        plugHeadphones()
    }
}
