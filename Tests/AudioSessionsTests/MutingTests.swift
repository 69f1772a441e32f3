import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// Silent mode and mutes on a fake computer.
@Suite struct MutingTests {
    private struct Program {
        let manager: AudioSessionManager
        let session: AudioSession
        let events: Journal
        let modes = Locked<[Bool]>([])
        private let observation: EventObservation

        init(
            _ name: String, on system: FakeAudioSystem, _ configuration: AudioSession.Configuration
        ) async throws {
            manager = try await system.connect(.init(applicationName: name))
            session = try AudioSession(manager: manager, configuration: configuration)
            events = Journal(session)
            observation = manager.observe { [modes] event in
                if case .silentModeChanged(let isOn, _) = event { modes.withLock { $0.append(isOn) } }
            }
        }
    }

    @Test func silentModeSilencesTheCategoriesThatFollowIt() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let game = try await Program("Game", on: system, .init(.ambient))
        let music = try await Program("Music", on: system, .init(.playback))
        try await game.session.activate()
        try await music.session.activate()
        _ = (game.events.take(), music.events.take())
        try await music.manager.setSilentMode(true)
        for program in [game, music] {
            #expect(program.manager.isSilentMode)
            #expect(program.modes.withLock(\.self) == [true])
        }
        #expect(game.events.take() == [.ducking(0, by: nil)])
        #expect(game.session.gain == 0)
        #expect(game.session.silenceReasons == [.silentMode])
        #expect(music.events.take().isEmpty)
        #expect(music.session.gain == 1)
        #expect(music.session.silenceReasons.isEmpty)
        let overview = await music.manager.overview
        #expect(overview.isSilentMode)
        #expect(overview.sessions.map(\.silenceReasons) == [[.silentMode], []])
        #expect(overview.sessions.map(\.gain) == [0, 1])

        try await game.manager.setSilentMode(false)
        #expect(game.events.take() == [.ducking(1, by: nil)])
        #expect(game.session.silenceReasons.isEmpty)
        #expect(music.modes.withLock(\.self) == [true, false])
        #expect(await music.manager.overview.sessions.map(\.silenceReasons) == [[], []])
    }

    @Test func aProgramThatStartsLaterIsInSilentModeToo() async throws {
        let system = try FakeLaptop.system(with: .headset)
        system.setSilentMode(true)
        let game = try await Program("Game", on: system, .init(.soloAmbient))
        #expect(game.manager.isSilentMode)
        let seen = Locked<[Float]>([])
        let observation = game.session.observe { [session = game.session] event in
            if case .stateChanged(.active, _) = event { seen.withLock { $0.append(session.gain) } }
        }
        defer { _ = observation }
        try await game.session.activate()
        #expect(seen.withLock(\.self) == [0])
        #expect(game.events.take() == [.state(.active), .ducking(0, by: nil)])
        try await game.manager.setSilentMode(true)
        #expect(game.modes.withLock(\.self).isEmpty)
        // Another category is not silenced.
        try await game.session.setCategory(.playback)
        #expect(game.session.gain == 1)
        #expect(game.session.silenceReasons.isEmpty)
    }

    /// Scenario S-040: the strongest reason counts, and after its end the other one.
    @Test func aMuteTakesPrecedenceOverADuck() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let game = try await Program("Game", on: system, .init(.ambient))
        let navigation = try await Program(
            "Navigation", on: system, .init(.playback, mode: .voicePrompt, options: .duckOthers))
        try await game.session.activate()
        _ = game.events.take()
        try await navigation.session.activate()
        try await navigation.manager.setSilentMode(true)
        #expect(game.events.take() == [.ducking(0.2, by: "Navigation"), .ducking(0, by: nil)])
        #expect(game.session.silenceReasons.first == .silentMode)
        guard case .ducked(let gain, let by) = game.session.silenceReasons.last else {
            Issue.record("silent for other reasons: \(game.session.silenceReasons)")
            return
        }
        #expect(gain == 0.2 && by.map(\.applicationName) == ["Navigation"])
        try await navigation.manager.setSilentMode(false)
        #expect(game.events.take() == [.ducking(0.2, by: "Navigation")])
        try await navigation.session.deactivate()
        #expect(game.events.take() == [.ducking(1, by: nil)])
    }

    @Test func aRefusalNamesTheFix() async throws {
        let system = try FakeLaptop.system(with: .headset)
        system.refuseSettings()
        let game = try await Program("Game", on: system, .init(.ambient))
        await #expect {
            try await game.manager.setSilentMode(true)
        } throws: {
            let error = $0 as? AudioSessionError
            return error?.code == .notPermitted && error?.fix?.contains("audiosession silent") == true
        }
        #expect(!game.manager.isSilentMode)
        // A request for the current state cannot be refused.
        try await game.manager.setSilentMode(false)
        system.fail()
        await #expect {
            try await game.manager.setSilentMode(true)
        } throws: {
            ($0 as? AudioSessionError)?.code == .mediaServicesFailed
        }
    }

    @Test func aMutedOutputIsAReasonForSilence() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system, .init(.playback))
        try await music.session.activate()
        system.setMuted(true, node: FakeLaptop.headsetSink)
        #expect(music.session.silenceReasons == [.muted])
        #expect(music.session.gain == 1)
        #expect(await music.manager.overview.sessions.map(\.silenceReasons) == [[.muted]])
        // The stream moves to another output, which is not muted.
        system.remove(device: FakeLaptop.headset)
        #expect(music.session.silenceReasons.isEmpty)
        system.restore(device: FakeLaptop.headset)
        system.setMuted(false, node: FakeLaptop.headsetSink)
        #expect(music.session.silenceReasons.isEmpty)
        try await music.session.deactivate()
        system.setMuted(true, node: FakeLaptop.headsetSink)
        #expect(music.session.silenceReasons == [.inactive])
    }

    /// A default that is chosen is notified at once, and its listener must not read the mute of the
    /// previous output.
    @Test func theMuteIsThatOfTheNotifiedRoute() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system, .init(.playback))
        try await music.session.activate()
        system.setMuted(true, node: FakeLaptop.headsetSink)
        let seen = Locked<[[AudioSession.SilenceReason]]>([])
        let observation = music.manager.observe { [session = music.session] event in
            if case .routeChanged = event { seen.withLock { $0.append(session.silenceReasons) } }
        }
        system.setDefault(.output, node: FakeLaptop.sink)
        system.setDefault(.output, node: FakeLaptop.headsetSink)
        #expect(seen.withLock(\.self) == [[], [.muted]])
        observation.cancel()
    }
}
