import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import TestSupport
import Testing

/// PipeWire and its session manager restart beneath programs that play.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct RestartTests {
    @Test func playersAreReadyButSilentWhenPipeWireIsBack() async throws {
        try await Stage.with(.builtIn()) { stage in
            try await stage.play(on: Sinks.analog)
            await stage.pipeWire.killDaemon()
            try await stage.managerLog.wait(for: "the loss") { $0.contains(.mediaServicesLost(at: .never)) }
            #expect(stage.player.state == .paused(reason: .mediaServicesLost))
            try await stage.pipeWire.startDaemon()
            try await stage.managerLog.wait(for: "the reset") { $0.contains(.mediaServicesReset(at: .never)) }
            #expect(stage.player.session.state == .active)
            #expect(stage.player.state == .paused(reason: .mediaServicesLost))
            try await stage.card.reconnect()
            try await stage.managerLog.wait(for: "the speaker") { _ in
                stage.manager.currentRoute.outputs.contains { $0.type == .builtInSpeaker }
            }
            let tap = try await SinkTap(sink: Sinks.analog, remote: stage.pipeWire.remote)
            try await stage.player.play()
            try await tap.waitUntilLoud()
            await tap.close()
        }
    }

    @Test func fiveRestartsKeepTheStatesOfAllSessions() async throws {
        let pipeWire = try await PrivatePipeWire()
        let music = try await program("Music", pipeWire)
        let film = try await program("Film", pipeWire)
        try await music.session.activate()
        try await film.session.activate()
        for round in 1...5 {
            await pipeWire.killDaemon()
            try await pipeWire.startDaemon()
            for program in [music, film] {
                try await program.received.wait(for: "reset \(round)") { received in
                    received.count { $0 == .mediaServicesReset(at: .never) } == round
                }
            }
        }
        try await film.session.deactivate()
        try await music.received.wait(for: "the end of the interruption") { received in
            received.contains { if case .interruptionEnded = $0 { true } else { false } }
        }
        let services = music.received.events.filter {
            $0 == .mediaServicesLost(at: .never) || $0 == .mediaServicesReset(at: .never)
        }
        #expect(
            services
                == Array(repeating: [.mediaServicesLost(at: .never), .mediaServicesReset(at: .never)], count: 5)
                .flatMap(\.self))
        #expect(music.received.events.count { if case .interruptionBegan = $0 { true } else { false } } == 1)
        try await music.session.activate()
        #expect(music.session.state == .active)
        for program in [music, film] { await program.session.manager.close() }
        await pipeWire.stop()
    }

    @Test func aProgramThatStartsBeforePipeWireWaitsForIt() async throws {
        let pipeWire = try await PrivatePipeWire()
        await pipeWire.killDaemon()
        let error = await #expect(throws: AudioSessionError.self) {
            try await AudioSessionManager.connect(.init(remote: pipeWire.remote))
        }
        #expect(error?.code == .mediaServicesFailed)
        async let manager = AudioSessionManager.connect(
            .init(remote: pipeWire.remote, timeout: .seconds(60), waitsForPipeWire: true))
        try await pipeWire.startDaemon()
        await (try await manager).close()
        await pipeWire.stop()
    }

    private func program(_ name: String, _ pipeWire: PrivatePipeWire) async throws -> (
        session: AudioSession, received: EventLog<AudioSession.Event>, observation: EventObservation
    ) {
        let manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote, applicationName: name))
        let session = try AudioSession(manager: manager, configuration: .init(.playback, group: name))
        let received = EventLog<AudioSession.Event>()
        return (session, received, session.observe { if !$0.isSilenceChange { received.append($0.timeless) } })
    }
}
