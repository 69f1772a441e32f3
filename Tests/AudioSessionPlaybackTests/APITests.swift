import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import FoundationEssentials
import PipeWireGraph
import TestSupport
import Testing

/// What CONTRIBUTING promises of errors, events and values.
@Suite(.timeLimit(.minutes(10))) struct APITests {
    @Test func anErrorKeepsTheErrorOfTheSystem() async throws {
        let stage = try await PlayerStage()
        let error = await #expect(throws: AudioSessionError.self) {
            try await stage.player.load(["/nonexistent/a.wav"])
        }
        #expect(error?.code == .fileNotFound)
        #expect(error?.path == "/nonexistent/a.wav")
        #expect((error?.underlying as? SystemError)?.code == 2)
        let other = AudioSessionError(.fileNotFound, error?.message ?? "", path: error?.path)
        #expect(error != other, "what led to it makes a difference")
    }

    @Test func eventsHaveTheirTime() async throws {
        let (scratch, stage) = (try Scratch(), try await PlayerStage())
        let times = Locked<[MonotonicTime]>([])
        let observation = stage.player.observe { event in
            if case .stateChanged(_, let time) = event { times.withLock { $0.append(time) } }
        }
        try await stage.start([try scratch.sound(counting(0..<30000), as: "a.wav")])
        let start = try #require(times.withLock(\.last))
        stage.system.advance(by: .seconds(2))
        await stage.player.pause()
        let pause = try #require(times.withLock(\.last))
        #expect(pause.since(start) == .seconds(2))
        withExtendedLifetime(observation) {}
    }

    @Test func anIDIsStoredAsItsText() throws {
        let id = try #require(AudioSession.ID("3b1c7a52-8f0e-4d6a-9b57-2f4f5d0c9e11"))
        let data = try JSONEncoder().encode([id])
        #expect(String(decoding: data, as: UTF8.self) == #"["3b1c7a52-8f0e-4d6a-9b57-2f4f5d0c9e11"]"#)
        #expect(try JSONDecoder().decode([AudioSession.ID].self, from: data) == [id])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([AudioSession.ID].self, from: Data(#"["music"]"#.utf8))
        }
    }

    @Test func anotherPolicyActivatesNothing() async throws {
        let stage = try await PlayerStage()
        let events = Locked<[AudioSession.Event]>([])
        try await stage.session.activate()
        let observation = stage.session.observe { event in events.withLock { $0.append(event) } }
        let place = await stage.manager.overview.sessions
        try await stage.session.change {
            $0.pausesOnRouteLoss = false
            $0.unmanagedAudioPolicy = .leave
        }
        #expect(stage.session.configuration.unmanagedAudioPolicy == .leave)
        #expect(events.withLock(\.isEmpty))
        #expect(await stage.manager.overview.sessions == place)
        // Another category keeps it.
        try await stage.session.setCategory(.ambient)
        #expect(stage.session.configuration.pausesOnRouteLoss == false)
        withExtendedLifetime(observation) {}
    }
}
