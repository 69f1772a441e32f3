import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// A player beside other programs' sessions.
@Suite(.timeLimit(.minutes(10))) struct SessionPlayerTests {
    private struct Scene {
        let scratch: Scratch
        let stage: PlayerStage
        let other: AudioSession

        init(
            _ configuration: AudioPlayer.Configuration = .init(),
            other: AudioSession.Configuration = .init(.playback)
        ) async throws {
            scratch = try Scratch()
            stage = try await PlayerStage(configuration)
            let manager = try await stage.system.connect(.init(applicationName: "Other"))
            self.other = try AudioSession(manager: manager, configuration: other)
            try await stage.start([try scratch.sound(counting(0..<30000), as: "a.wav")])
        }

        var player: AudioPlayer { stage.player }
    }

    @Test func playingActivatesTheSession() async throws {
        let scene = try await Scene()
        #expect(scene.stage.session.state == .active)
        #expect(scene.stage.session.silenceReasons.isEmpty)
    }

    @Test func anInterruptedPlayerIsSilentFirstAndContinuesWithTheNextFrame() async throws {
        let scene = try await Scene()
        #expect(scene.stage.runCycles(100) == counting(0..<100))
        let calls = scene.stage.calls.count
        let stateSeen = Seen()
        let observation = scene.stage.session.observe { [player = scene.player] event in
            if case .interruptionBegan = event { stateSeen.note(player.state) }
        }
        defer { _ = observation }
        try await scene.other.activate()
        #expect(stateSeen.states == [.paused(reason: .interrupted)])
        #expect(scene.stage.calls[calls] == .gate(closed: true))
        #expect(scene.stage.calls.last == .active(false))
        try await scene.other.deactivate()
        try await scene.stage.untilActive()
        #expect(scene.player.state == .playing)
        #expect(scene.stage.runCycles(100) == counting(100..<200))
    }

    /// The player's listeners are notified before those of the session.
    @Test func theSessionHasTheReasonWhenThePlayerReportsItsPause() async throws {
        let scene = try await Scene()
        let session = scene.stage.session
        let found = Locked<[(AudioSession.State, [AudioSession.SilenceReason])]>([])
        let observation = scene.player.observe { event in
            guard case .stateChanged = event else { return }
            found.withLock { $0.append((session.state, session.silenceReasons)) }
        }
        try await scene.other.activate()
        let (state, silence) = try #require(found.withLock(\.first))
        #expect(state == .interrupted)
        guard case .interrupted(let by) = silence.first else {
            Issue.record("silent for another reason: \(silence)")
            return
        }
        #expect(by.map(\.applicationName) == ["Other"])
        withExtendedLifetime(observation) {}
    }

    @Test func aSessionThatIsClosedWhileItPlaysNoLongerSounds() async throws {
        let scene = try await Scene()
        let changes = Locked<[Bool]>([])
        let observation = scene.stage.manager.soundingChanges.observe { isSounding in
            changes.withLock { $0.append(isSounding) }
        }
        await scene.stage.session.close()
        #expect(scene.player.state == .paused(reason: .sessionInactive))
        #expect(changes.withLock(\.self) == [false])
        withExtendedLifetime(observation) {}
    }

    @Test func aClosedManagerStopsAllPlayers() async throws {
        let scene = try await Scene()
        await scene.other.manager.close()
        #expect(scene.player.state == .playing, "that is another's")
        await scene.stage.manager.close()
        #expect(scene.player.state == .paused(reason: .sessionInactive))
        #expect(scene.stage.session.state == .inactive)
        #expect(scene.stage.calls.contains(.gate(closed: true)))
        await #expect(throws: AudioSessionError.self) { try await scene.player.play() }
        #expect(scene.player.state != .playing && scene.stage.runCycles(100) == [])
    }

    @Test(arguments: [false, true]) func aPlayerPausedDuringAnInterruptionPlaysAgain(deactivates: Bool) async throws {
        let scene = try await Scene()
        #expect(scene.stage.runCycles(100) == counting(0..<100))
        await scene.player.pause()
        if deactivates {
            try await scene.stage.session.deactivate()
        } else {
            try await scene.other.activate()
            try await scene.other.deactivate()
        }
        try await scene.player.play()
        try await scene.stage.untilActive()
        #expect(scene.stage.runCycles(100) == counting(100..<200))
    }

    @Test func aStopDuringTheActivationKeepsThePlayerSilent() async throws {
        let scene = try await Scene()
        await scene.player.stop()
        try await scene.stage.session.deactivate()
        let observation = scene.stage.session.observe { [player = scene.player] event in
            if event.timeless == .stateChanged(.active) { player.assumeIsolated { $0.stop() } }
        }
        defer { _ = observation }
        try await scene.player.play()
        #expect(scene.player.state == .stopped)
    }

    /// A stream that never ran reports no time of its sound.
    @Test func soundTimesOutliveStreams() async throws {
        let scene = try await Scene()
        let time = MonotonicTime(nanoseconds: 7)
        scene.stage.sound(at: time)
        await scene.player.pause()
        let node = try #require(scene.stage.node)
        scene.stage.system.send(
            .disappeared(ObjectID(node.rawValue + 1000)),
            .linkAppeared(Link(id: ObjectID(node.rawValue + 2000), outputNode: node, inputNode: ObjectID(41))))
        try await scene.player.play()
        await scene.player.pause()
        #expect(await scene.player.statistics.lastSoundTime == time)
    }

    /// The request is granted, and the session interrupted again before the player receives that.
    @Test(arguments: [false, true]) func anInterruptionRightAfterTheGrantPlaysNothing(byAdvice: Bool) async throws {
        let scene = try await Scene()
        if byAdvice {
            try await scene.other.activate()
        } else {
            await scene.player.pause()
            try await scene.stage.session.deactivate()
        }
        let (other, session) = (scene.other, scene.stage.session)
        let heard = Locked<[AudioSession.State]>([])
        let listening = scene.player.observe { event in
            if event.timeless == .stateChanged(.playing) { heard.withLock { $0.append(session.state) } }
        }
        defer { _ = listening }
        let observation = session.observe { event in
            if event.timeless == .stateChanged(.active) { Task.immediate { try await other.activate() } }
        }
        scene.stage.executor.answerLate()
        if byAdvice { try await other.deactivate() } else { try await scene.player.play() }
        await scene.stage.until { other.state == .active }
        observation.cancel()
        #expect(scene.player.state == .paused(reason: .interrupted))
        try await other.deactivate()
        await scene.stage.until { scene.player.state == .playing }
        #expect(heard.withLock(\.self).allSatisfy { $0 == .active })
    }

    /// The player's own activation is refused because of an older call.
    @Test func aSecondCallDoesNotCancelTheResumption() async throws {
        let call = AudioSession.Configuration(.playAndRecord, mode: .voiceChat)
        let scene = try await Scene(other: call)
        let manager = try await scene.stage.system.connect(.init(applicationName: "Second"))
        let second = try AudioSession(manager: manager, configuration: call)
        try await scene.other.activate()
        let observation = scene.stage.session.observe { event in
            if case .interruptionEnded = event { Task { try await second.activate() } }
        }
        try await scene.other.deactivate()
        await scene.stage.until { second.state == .active }
        observation.cancel()
        await scene.stage.until { scene.stage.session.state == .interrupted }
        #expect(scene.player.state == .paused(reason: .interrupted))
        try await second.deactivate()
        try await scene.stage.untilActive()
        #expect(scene.player.state == .playing)
        await manager.close()
    }

    @Test func withoutAdviceThePlayerStaysPaused() async throws {
        let scene = try await Scene()
        try await scene.other.activate()
        try await scene.other.deactivate([])
        #expect(scene.player.state == .paused(reason: .interrupted))
        #expect(scene.stage.session.state == .inactive)
    }

    @Test func aPlayerThatOptedOutIsNotResumed() async throws {
        let scene = try await Scene()
        try await scene.stage.session.change { $0.resumesAfterInterruption = false }
        try await scene.other.activate()
        try await scene.other.deactivate()
        #expect(scene.player.state == .paused(reason: .interrupted))
        try await scene.player.play()
        #expect(scene.player.state == .playing)
    }

    @Test func theLastCommandOfTheUserApplies() async throws {
        let scene = try await Scene()
        try await scene.other.activate()
        try await scene.player.play()
        #expect(scene.player.state == .paused(reason: .interrupted))
        await scene.player.pause()
        try await scene.other.deactivate()
        #expect(scene.player.state == .paused(reason: .user))
        #expect(scene.stage.session.state == .inactive)

        try await scene.player.play()
        #expect(scene.player.state == .playing)
        await scene.player.pause()
        try await scene.other.activate()
        try await scene.player.play()
        try await scene.other.deactivate()
        try await scene.stage.untilActive()
        #expect(scene.player.state == .playing)
    }

    @Test func takingBackPlaysIfPlayingWasRequested() async throws {
        let scene = try await Scene()
        try await scene.stage.session.change { $0.resumesAfterInterruption = false }
        try await scene.other.activate()
        try await scene.player.play()
        try await scene.stage.session.activate()
        #expect(scene.player.state == .playing)
        #expect(scene.other.state == .interrupted)
    }

    @Test func aPromptDucksAndAStreamThatStartsMeanwhileStartsDucked() async throws {
        let scene = try await Scene(other: .init(.playback, mode: .voicePrompt, options: .duckOthers))
        try await scene.other.activate()
        #expect(scene.stage.calls.last == .duck(0.2))
        await scene.player.stop()
        let calls = scene.stage.calls.count
        try await scene.player.play()
        await scene.stage.until { scene.stage.calls[calls...].contains(.active(true)) }
        #expect(scene.stage.calls[calls...].contains(.duck(0.2)))
        try await scene.other.deactivate()
        #expect(scene.stage.calls.last == .duck(1))
    }

    @Test func silentModeMutesThePlayerAndKeepsTheVolume() async throws {
        let scene = try await Scene()
        try await scene.stage.session.setCategory(.ambient)
        try await scene.player.setVolume(0.5)
        let before = scene.stage.calls.count
        scene.stage.system.setSilentMode(true)
        #expect(scene.stage.calls[before...] == [.duck(0)])
        #expect(scene.player.state == .playing)
        #expect(scene.stage.session.silenceReasons == [.silentMode])
        await scene.player.stop()
        let calls = scene.stage.calls.count
        try await scene.player.play()
        await scene.stage.until { scene.stage.calls[calls...].contains(.active(true)) }
        let started = scene.stage.calls[calls...]
        #expect(started.contains(.volume(0.125)))
        let duck = try #require(started.firstIndex(of: .duck(0)))
        #expect(duck < (try #require(started.firstIndex(of: .active(true)))))
        scene.stage.system.setSilentMode(false)
        #expect(scene.stage.calls.last == .duck(1))
        #expect(scene.player.volume == 0.5)
    }

    @Test func aTakeBackInSilentModeMutesBeforePlaying() async throws {
        let scene = try await Scene()
        try await scene.stage.session.setCategory(.soloAmbient)
        scene.stage.system.setSilentMode(true)
        try await scene.other.activate()
        let calls = scene.stage.calls.count
        try await scene.other.deactivate()
        try await scene.stage.untilActive()
        let taken = scene.stage.calls[calls...]
        let duck = try #require(taken.firstIndex(of: .duck(0)))
        #expect(
            duck < (try #require(taken.firstIndex(of: .gate(closed: false)) ?? taken.firstIndex(of: .active(true)))))
    }

    /// Scenario S-037, as far as its facts are known.
    @Test func aMuteOfTheStreamSurvivesDucksAndInterruptions() async throws {
        let scene = try await Scene(other: .init(.playback, mode: .voicePrompt, options: .duckOthers))
        let stream = try #require(scene.stage.node)
        scene.stage.system.send(
            .nodeProperties(stream, [.mediaClass: "Stream/Output/Audio"]), .nodeMuted(stream, true))
        #expect(scene.stage.session.silenceReasons == [.muted])
        try await scene.other.activate()
        #expect(scene.stage.session.silenceReasons.count == 2)
        #expect(scene.stage.session.silenceReasons.first == .muted)
        try await scene.other.deactivate()
        #expect(scene.stage.session.silenceReasons == [.muted])
        scene.stage.system.send(.nodeMuted(stream, false))
        #expect(scene.stage.session.silenceReasons.isEmpty)
    }

    @Test func duringACallPlayingIsRefused() async throws {
        let scene = try await Scene(other: .init(.playAndRecord, mode: .voiceChat))
        await scene.player.stop()
        try await scene.stage.session.deactivate()
        try await scene.other.activate()
        await #expect {
            try await scene.player.play()
        } throws: {
            ($0 as? AudioSessionError)?.code == .insufficientPriority
        }
        #expect(scene.player.state == .stopped)
        #expect(scene.other.state == .active)
    }

    @Test func deactivatingStopsPlayersAndReportsThem() async throws {
        let scene = try await Scene()
        let report = try await scene.stage.session.deactivate()
        #expect(report.stoppedStreams == [scene.player.currentItem?.path])
        #expect(scene.player.state == .paused(reason: .sessionInactive))
        try await scene.player.play()
        #expect(scene.player.state == .playing)
    }

    @Test func headphonesPulledMeanwhileCancelTheResumption() async throws {
        let scene = try await Scene()
        try await scene.other.activate()
        scene.stage.pullHeadphones()
        #expect(scene.player.state == .paused(reason: .routeLost))
        try await scene.other.deactivate()
        #expect(scene.player.state == .paused(reason: .routeLost))
        #expect(scene.stage.session.state == .inactive)
    }

    /// The program does not resume by itself, but its user asked to play during the interruption.
    @Test func headphonesPulledWithinTheClaimCancelTheRequestToPlay() async throws {
        let scene = try await Scene()
        try await scene.stage.session.change { $0.resumesAfterInterruption = false }
        try await scene.other.activate()
        try await scene.player.play()
        try await scene.other.deactivate()
        scene.stage.pullHeadphones()
        #expect(scene.player.state == .paused(reason: .routeLost))
        try await scene.stage.session.activate()
        #expect(scene.player.state == .paused(reason: .routeLost))
    }

    @Test func aLostRouteIsTheReasonForSilence() async throws {
        let scene = try await Scene()
        scene.stage.pullHeadphones()
        #expect(scene.stage.session.state == .active)
        #expect(scene.stage.session.silenceReasons == [.routeLost])
        try await scene.player.play()
        #expect(scene.stage.session.silenceReasons.isEmpty)
        await scene.player.pause()
        #expect(scene.stage.session.silenceReasons == [.paused])
    }

    @Test func aMixableSessionContinuesOnTheNextOutput() async throws {
        let scene = try await Scene()
        try await scene.stage.session.setCategory(.playback, options: .mixWithOthers)
        scene.stage.pullHeadphones()
        #expect(scene.player.state == .playing)
    }
}
