import AudioSessionTestKit
import AudioSessions
import TestSupport
import Testing

/// Sessions of several programs on one fake computer.
@Suite struct AudioSessionTests {
    /// A program with one session.
    private struct Program {
        let manager: AudioSessionManager
        let session: AudioSession
        let events: Journal

        init(
            _ name: String, on system: FakeAudioSystem, _ configuration: AudioSession.Configuration = .init(.playback)
        ) async throws {
            manager = try await system.connect(.init(applicationName: name))
            session = try AudioSession(manager: manager, configuration: configuration)
            events = Journal(session)
        }
    }

    private static let call = AudioSession.Configuration(.playAndRecord, mode: .voiceChat)
    private static let prompt = AudioSession.Configuration(.playback, mode: .voicePrompt, options: .duckOthers)

    @Test func anotherProgramInterruptsAndEndsWithAdvice() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system)
        let film = try await Program("Film", on: system)
        try await music.session.activate()
        #expect(music.events.take() == [.state(.active)])
        try await film.session.activate()
        #expect(music.events.take() == [.began(by: "Film"), .state(.interrupted)])
        #expect(music.session.silenceReasons == [.interrupted(by: [music.events.lastCause].compactMap(\.self))])
        #expect(film.session.isOtherAudioPlaying == false)
        try await film.session.deactivate()
        #expect(music.events.take() == [.ended(shouldResume: true), .state(.inactive)])
        #expect(music.session.silenceReasons == [.advised])
        try await music.session.activate()
        #expect(music.events.take() == [.state(.active)])
        #expect(music.session.silenceReasons.isEmpty)
    }

    /// The cause that was named in the event may end while others still interrupt.
    @Test func silenceReasonsNameThoseThatInterruptNow() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system)
        let film = try await Program("Film", on: system)
        let call = try await Program("Call", on: system, Self.call)
        for program in [music, film, call] { try await program.session.activate() }
        await film.session.close()
        let names = music.session.silenceReasons.flatMap { reason -> [String?] in
            if case .interrupted(let peers) = reason { peers.map(\.applicationName) } else { [] }
        }
        #expect(names == ["Call"])
    }

    @Test func aReleaseWithoutNotifyGivesNoAdvice() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system)
        let film = try await Program("Film", on: system)
        try await music.session.activate()
        try await film.session.activate()
        _ = music.events.take()
        try await film.session.deactivate([])
        #expect(music.events.take() == [.ended(shouldResume: false), .state(.inactive)])
        #expect(music.session.silenceReasons == [.inactive])
    }

    /// A program that renders by itself would continue on the speaker.
    @Test func aLossWhileInterruptedCancelsTheAdvice() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system)
        let call = try await Program("Call", on: system, Self.call)
        try await music.session.activate()
        try await call.session.activate()
        _ = music.events.take()
        system.remove(device: FakeLaptop.headset)
        try await call.session.deactivate()
        #expect(music.events.take().filter(\.isEnd) == [.ended(shouldResume: false)])
        // That applied to this interruption only.
        system.restore(device: FakeLaptop.headset)
        try await music.session.activate()
        try await call.session.activate()
        try await call.session.deactivate()
        #expect(music.events.take().filter(\.isEnd) == [.ended(shouldResume: true)])
    }

    /// A program that renders by itself may be about to resume.
    @Test func aLossWithinTheClaimIsReported() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system)
        let call = try await Program("Call", on: system, Self.call)
        try await music.session.activate()
        try await call.session.activate()
        try await call.session.deactivate()
        #expect(music.events.take().filter(\.isEnd) == [.ended(shouldResume: true)])
        system.remove(device: FakeLaptop.headset)
        #expect(music.events.take().contains(.noisy))
        try await call.session.activate()
        try await call.session.deactivate()
        #expect(music.events.take().filter(\.isEnd) == [.ended(shouldResume: false)], "it has not resumed")
        system.restore(device: FakeLaptop.headset)
        system.remove(device: FakeLaptop.headset)
        #expect(!music.events.take().contains(.noisy), "it holds no claim")
    }

    /// A program that renders by itself has paused at `becameNoisy`, until it activates again.
    @Test(arguments: [true, false]) func aLossBeforeAnInterruptionCancelsTheAdvice(playsAgain: Bool) async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system)
        let call = try await Program("Call", on: system, Self.call)
        try await music.session.activate()
        system.remove(device: FakeLaptop.headset)
        #expect(music.events.take().contains(.noisy))
        if playsAgain { try await music.session.activate() }
        try await call.session.activate()
        try await call.session.deactivate()
        #expect(music.events.take().filter(\.isEnd) == [.ended(shouldResume: playsAgain)])
        try await music.session.activate()
        try await call.session.activate()
        try await call.session.deactivate()
        #expect(music.events.take().filter(\.isEnd) == [.ended(shouldResume: true)], "one advice is cancelled")
    }

    /// Such a session is that of `audiosession with`, whose command a lost output does not stop.
    @Test func aSessionWithoutSoundOfItsOwnIgnoresALoss() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system)
        let call = try await Program("Call", on: system, Self.call)
        let observation = music.session.observe { [weak session = music.session] event in
            if case .becameNoisy = event { session?.ignoreLossOfOwnSound() }
        }
        defer { observation.cancel() }
        try await music.session.activate()
        system.remove(device: FakeLaptop.headset)
        try await call.session.activate()
        try await call.session.deactivate()
        #expect(music.events.take().filter(\.isEnd) == [.ended(shouldResume: true)])
    }

    @Test(arguments: [
        (AudioSession.Configuration(.playback), true), (.init(.ambient), false),
        (.init(.playback, options: .mixWithOthers), false), (AudioSessionTests.call, false),
    ])
    func onlyPausingSessionsReceiveBecameNoisy(_ configuration: AudioSession.Configuration, _ isReported: Bool)
        async throws
    {
        let system = try FakeLaptop.system(with: .headset)
        let program = try await Program("Program", on: system, configuration)
        try await program.session.activate()
        system.remove(device: FakeLaptop.headset)
        #expect(program.events.take().contains(.noisy) == isReported)
    }

    @Test func aClaimLapsesAfterThreeSeconds() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system)
        let film = try await Program("Film", on: system)
        try await music.session.activate()
        try await film.session.activate()
        try await film.session.deactivate()
        #expect(music.session.silenceReasons == [.advised])
        system.advance(by: .milliseconds(2999))
        #expect(music.session.silenceReasons == [.advised])
        system.advance(by: .milliseconds(2))
        #expect(music.session.silenceReasons == [.inactive])
    }

    @Test func musicDuringACallIsRefusedAndLeavesNoTrace() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let call = try await Program("Phone", on: system, Self.call)
        let music = try await Program("Music", on: system)
        try await call.session.activate()
        _ = call.events.take()
        await #expect {
            try await music.session.activate()
        } throws: {
            let error = $0 as? AudioSessionError
            return error?.code == .insufficientPriority && error?.message.contains("Phone") == true
        }
        #expect(music.session.state == .inactive)
        #expect(call.events.take().isEmpty)
        #expect(music.events.take().isEmpty)
    }

    @Test func aPromptDucksAndTheGainIsRestored() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system)
        let prompt = try await Program("Navigation", on: system, Self.prompt)
        try await music.session.activate()
        _ = music.events.take()
        try await prompt.session.activate()
        #expect(music.events.take() == [.ducking(0.2, by: "Navigation")])
        #expect(music.session.gain == 0.2)
        #expect(music.session.state == .active)
        try await prompt.session.deactivate()
        #expect(music.events.take() == [.ducking(1, by: nil)])
        #expect(music.session.gain == 1)
        #expect(music.session.silenceReasons.isEmpty)
    }

    @Test func theEndOfAProgramEndsItsInterruption() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system)
        try await music.session.activate()
        do {
            let call = try await Program("Phone", on: system, Self.call)
            try await call.session.activate()
            #expect(music.session.state == .interrupted)
            await call.manager.close()
        }
        #expect(music.events.take().suffix(2) == [.ended(shouldResume: true), .state(.inactive)])
    }

    @Test func sessionsOfOneProgramLeaveEachOtherAlone() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let program = try await Program("Game", on: system)
        let other = try AudioSession(manager: program.manager, configuration: .init(.playback))
        try await program.session.activate()
        try await other.activate()
        #expect(program.session.state == .active)
        #expect(other.state == .active)
    }

    @Test func anIllegalConfigurationKeepsTheOldOne() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let program = try await Program("Game", on: system)
        let before = program.session.configuration
        await #expect {
            try await program.session.setCategory(.ambient, options: .defaultToSpeaker)
        } throws: {
            ($0 as? AudioSessionError)?.code.status == -50
        }
        #expect(program.session.configuration == before)
        try await program.session.setCategory(.playback, options: .mixWithOthers)
        try await program.session.setCategory(.playback)
        #expect(program.session.configuration.options == [])
        let error = #expect(throws: AudioSessionError.self) {
            try AudioSession(manager: program.manager, configuration: .init(.record, options: .mixWithOthers))
        }
        #expect(error?.code.status == -50)
    }

    @Test func anotherConfigurationWhileActiveIsAnActivation() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system)
        let game = try await Program("Game", on: system, .init(.playback, options: .mixWithOthers))
        try await music.session.activate()
        try await game.session.activate()
        _ = music.events.take()
        try await game.session.setCategory(.playback)
        #expect(music.events.take() == [.began(by: "Game"), .state(.interrupted)])
        #expect(game.session.state == .active)
        #expect(
            game.events.take() == [.state(.active), .hint(.begin), .hint(.end), .other],
            "the last is the change of category")
    }

    @Test func hintsFollowTheSessionsOfOthers() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let game = try await Program("Game", on: system, .init(.ambient))
        let music = try await Program("Music", on: system)
        try await game.session.activate()
        _ = game.events.take()
        try await music.session.activate()
        #expect(game.events.take() == [.hint(.begin)])
        #expect(game.session.isOtherAudioPlaying)
        #expect(game.session.secondaryAudioShouldBeSilencedHint)
        try await music.session.deactivate()
        #expect(game.events.take() == [.hint(.end)])
        #expect(!game.session.isOtherAudioPlaying)
    }

    @Test func anInactiveSessionCanReadOtherAudio() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let game = try await Program("Game", on: system, .init(.ambient))
        let music = try await Program("Music", on: system)
        try await game.session.activate()
        try await game.session.deactivate()
        _ = game.events.take()
        try await music.session.activate()
        #expect(game.session.isOtherAudioPlaying)
        #expect(game.session.secondaryAudioShouldBeSilencedHint)
        try await music.session.deactivate()
        #expect(!game.session.isOtherAudioPlaying)
        #expect(game.events.take().isEmpty)
    }

    @Test func aSessionReceivesEventsAndReadsOtherAudioBeforeItsFirstCall() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        let session = try AudioSession(manager: manager, configuration: .init(.ambient))
        let events = session.events()
        // Jobs of the manager's executor run in order.
        await session.updateSilence()
        let music = try await Program("Music", on: system)
        try await music.session.activate()
        #expect(session.isOtherAudioPlaying)
        system.fail()
        system.restart()
        await manager.close()
        var received: [AudioSession.Event] = []
        for await event in events { received.append(event.timeless) }
        #expect(received.starts(with: [.mediaServicesLost(at: .never)]))
        #expect(received.contains(.mediaServicesReset(at: .never)))
        let late = try AudioSession(manager: manager)
        for await _ in late.events() { Issue.record("a session of a closed manager sends no event") }
    }

    @Test func holdsAreCounted() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let program = try await Program("Game", on: system)
        let first = try await program.session.hold()
        try await program.session.withActiveSession {
            #expect(program.session.state == .active)
        }
        #expect(program.session.state == .active)
        await first.end()
        await first.end()
        #expect(program.session.state == .inactive)
    }

    @Test func misuseIsATypedError() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let program = try await Program("Game", on: system)
        try await program.session.deactivate()
        let error = await #expect(throws: AudioSessionError.self) {
            try await program.session.deactivate(DeactivationOptions(rawValue: 2))
        }
        #expect(error?.code == .badParam)
        await program.session.close()
        await program.session.close()
        await #expect { try await program.session.activate() } throws: {
            ($0 as? AudioSessionError)?.code == .expiredSession
        }
        let late = try AudioSession(manager: program.manager)
        await program.manager.close()
        await #expect { try await late.activate() } throws: {
            ($0 as? AudioSessionError)?.code == .mediaServicesFailed
        }
    }
}

extension Journal.Entry {
    fileprivate var isEnd: Bool { if case .ended = self { true } else { false } }
}
