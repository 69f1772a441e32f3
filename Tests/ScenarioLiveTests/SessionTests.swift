import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import TestSupport
import Testing

/// How soon an interrupted player is silent.
@Suite(.liveAlone, .timeLimit(.minutes(10)))
struct InterruptionDelayTests {
    @Test func aCallSilencesTheMusicWhichResumes() async throws {
        try await Stage.with(.builtIn()) { stage in
            let phone = try await SessionTests.Program("Phone", SessionTests.call, on: stage)
            try await stage.play(on: Sinks.analog)
            try await stage.clearHistory(whileLoudAt: Sinks.analog)
            try await phone.session.activate()
            try await stage.log.wait(for: "the pause") { $0.states == [.paused(reason: .interrupted)] }
            try await stage.tapSinks()
            let late = try await stage.framesAfterGate(at: Sinks.analog)
            #expect(late <= 1024, "at most one cycle, but \(late) frames")
            await stage.clearHistory()
            try await phone.session.deactivate()
            try await stage.log.wait(for: "the music") { $0.states == [.playing] }
            try await stage.tap(at: Sinks.analog).waitUntilLoud()
            await phone.manager.close()
        }
    }
}

/// Several programs on one PipeWire interrupt one another.
@Suite(.live, .serialized, .timeLimit(.minutes(10)))
struct SessionTests {
    /// A program: its own connection, and a session with its own group, because all programs are
    /// one process here.
    fileprivate struct Program {
        let manager: AudioSessionManager
        let session: AudioSession
        let log = EventLog<AudioSession.Event>()
        private let observation: EventObservation

        init(_ name: String, _ configuration: AudioSession.Configuration, on stage: Stage) async throws {
            var configuration = configuration
            configuration.group = name
            manager = try await AudioSessionManager.connect(
                .init(remote: stage.pipeWire.remote, applicationName: name))
            session = try AudioSession(manager: manager, configuration: configuration)
            observation = session.observe { [log] in if !$0.isSilenceChange { log.append($0.timeless) } }
        }
    }

    fileprivate static let call = AudioSession.Configuration(.playAndRecord, mode: .voiceChat)
    private static let prompt = AudioSession.Configuration(.playback, mode: .voicePrompt, options: .duckOthers)

    @Test func aPlayerPausedBeforeTheCallCanPlayAfterIt() async throws {
        try await Stage.with(.builtIn()) { stage in
            let phone = try await Program("Phone", Self.call, on: stage)
            try await stage.play(on: Sinks.analog)
            await stage.player.pause()
            let session = EventLog<AudioSession.Event>()
            let observation = stage.player.session.observe { if !$0.isSilenceChange { session.append($0.timeless) } }
            defer { _ = observation }
            try await phone.session.activate()
            try await session.wait(for: "the call") { $0.contains(.stateChanged(.interrupted)) }
            try await phone.session.deactivate()
            try await session.wait(for: "its end") { $0.contains(.stateChanged(.inactive)) }
            await stage.resetTaps()
            try await stage.play(on: Sinks.analog)
            await phone.manager.close()
        }
    }

    /// The second call begins before the program has followed the first one's advice, or while it
    /// does.
    @Test func musicResumesAfterTheSecondOfTwoCalls() async throws {
        try await Stage.with(.builtIn()) { stage in
            let first = try await Program("Phone", Self.call, on: stage)
            let second = try await Program("Intercom", Self.call, on: stage)
            let slow = try await Program("Slow", .init(.playback), on: stage)
            try await slow.session.activate()
            try await first.session.activate()
            try await slow.log.wait(for: "the first call") { $0.contains(.stateChanged(.interrupted)) }
            try await first.session.deactivate()
            try await slow.log.wait(for: "the advice") { $0.contains(.stateChanged(.inactive)) }
            slow.log.clear()
            try await second.session.activate()
            try await slow.log.wait(for: "the second call") { $0.contains(.stateChanged(.interrupted)) }
            try await second.session.deactivate()
            try await slow.log.wait(for: "advice again") { events in
                events.contains { if case .interruptionEnded(.shouldResume, _) = $0 { true } else { false } }
            }
            try await stage.play(on: Sinks.analog)
            try await first.session.activate()
            try await stage.log.wait(for: "the pause") { $0.states.last == .paused(reason: .interrupted) }
            async let hangsUp = first.session.deactivate()
            try await second.session.activate()
            _ = try await hangsUp
            await stage.clearHistory()
            try await second.session.deactivate()
            try await stage.log.wait(for: "the music") { $0.states.last == .playing }
            try await stage.tap(at: Sinks.analog).waitUntilLoud()
            for program in [first, second, slow] { await program.manager.close() }
        }
    }

    @Test func theEndOfAProgramEndsItsInterruption() async throws {
        try await Stage.with(.builtIn()) { stage in
            let phone = try await Program("Phone", Self.call, on: stage)
            let navigation = try await Program("Navigation", Self.prompt, on: stage)
            try await stage.play(on: Sinks.analog)
            let session = EventLog<AudioSession.Event>()
            let observation = stage.player.session.observe { if !$0.isSilenceChange { session.append($0.timeless) } }
            defer { _ = observation }
            try await navigation.session.activate()
            try await session.wait(for: "the ducking") { $0.contains { $0.isDucking(0.2) } }
            #expect(stage.player.session.gain == 0.2)
            await navigation.manager.close()
            try await session.wait(for: "the end of the ducking") { $0.contains { $0.isDucking(1) } }
            try await phone.session.activate()
            try await session.wait(for: "the interruption") { $0.contains(.stateChanged(.interrupted)) }
            guard case .interrupted(let by) = stage.player.session.silenceReasons.first else {
                Issue.record("silent for another reason: \(stage.player.session.silenceReasons)")
                return
            }
            #expect(by.map(\.applicationName) == ["Phone"])
            await phone.manager.close()
            try await session.wait(for: "the end") { events in
                events.contains { if case .interruptionEnded(.shouldResume, _) = $0 { true } else { false } }
            }
            try await stage.log.wait(for: "the music") { $0.states.last == .playing }
        }
    }

    @Test func musicIsRefusedDuringACall() async throws {
        try await Stage.with(.builtIn()) { stage in
            let phone = try await Program("Phone", Self.call, on: stage)
            try await phone.session.activate()
            phone.log.clear()
            await #expect {
                try await stage.player.play()
            } throws: {
                ($0 as? AudioSessionError)?.code == .insufficientPriority
            }
            #expect(phone.log.events == [])
            #expect(phone.session.state == .active)
            await phone.manager.close()
        }
    }

    /// A stream that starts while another program speaks is ducked from its first frame on.
    @Test func aStreamThatStartsDuringAPromptStartsDucked() async throws {
        try await Stage.with(.builtIn()) { stage in
            let navigation = try await Program("Navigation", Self.prompt, on: stage)
            try await navigation.session.activate()
            // The file's samples are at 0.24, and ducked ones at 0.05: a threshold between them
            // finds frames that must not be heard.
            let loud = try await SinkTap(sink: Sinks.analog, remote: stage.pipeWire.remote, threshold: 0.1)
            try await stage.play(on: Sinks.analog)
            try await stage.tapSinks()
            #expect(stage.player.session.gain == 0.2)
            #expect(await loud.report.loudFrames == 0)
            await navigation.manager.close()
            try await loud.waitUntilLoud()
            await loud.close()
        }
    }
}

extension AudioSession.Event {
    fileprivate func isDucking(_ gain: Float) -> Bool {
        if case .ducking(gain, _, _) = self { true } else { false }
    }
}
