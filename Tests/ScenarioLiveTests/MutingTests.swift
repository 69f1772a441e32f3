import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// Silent mode, and mutes that a user sets in a mixer.
@Suite(.live, .serialized, .timeLimit(.minutes(10)))
struct MutingTests {
    private static let call = AudioSession.Configuration(.playAndRecord, mode: .voiceChat, group: "Phone")
    private static let prompt = AudioSession.Configuration(
        .playback, mode: .voicePrompt, options: .duckOthers, group: "Navigation")

    /// Another program's session: in this process, but with its own connection.
    private func program(
        _ configuration: AudioSession.Configuration, on stage: Stage
    ) async throws -> (manager: AudioSessionManager, session: AudioSession) {
        let manager = try await AudioSessionManager.connect(
            .init(remote: stage.pipeWire.remote, applicationName: configuration.group))
        return (manager, try AudioSession(manager: manager, configuration: configuration))
    }

    /// No frame that is rendered from now on is heard, after those under way.
    private func expectSilence(_ stage: Stage, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await stage.tapSinks(for: .milliseconds(500))
        await stage.resetTaps()
        try await stage.tapSinks()
        #expect(await stage.loudFrames() == [:], sourceLocation: sourceLocation)
        #expect(stage.player.state == .playing, sourceLocation: sourceLocation)
    }

    @Test func silentModeMutesAmbientSoundUntilItsEnd() async throws {
        try await Stage.with(.builtIn()) { stage in
            let session = stage.player.session
            let log = EventLog<AudioSession.Event>()
            let observation = session.observe { if !$0.isSilenceChange { log.append($0.timeless) } }
            defer { _ = observation }
            try await session.setCategory(.ambient)
            let other = try await AudioSessionManager.connect(.init(remote: stage.pipeWire.remote))
            try await stage.play(on: Sinks.analog)
            try await other.setSilentMode(true)
            try await log.wait(for: "the silence") { $0.contains(.ducking(gain: 0, by: [])) }
            #expect(stage.manager.isSilentMode)
            #expect(session.silenceReasons == [.silentMode])
            try await expectSilence(stage)

            // A stream that starts now is not heard for a single frame either.
            await stage.player.stop()
            await stage.resetTaps()
            stage.log.clear()
            try await stage.player.play()
            try await stage.log.wait(for: "the start") { $0.contains(.stateChanged(.playing)) }
            try await stage.tapSinks(for: .milliseconds(500))
            #expect(await stage.loudFrames() == [:])
            #expect(await stage.player.statistics.lastSoundTime != nil)

            log.clear()
            try await stage.manager.setSilentMode(false)
            try await log.wait(for: "the sound") { $0.contains(.ducking(gain: 1, by: [])) }
            try await stage.tap(at: Sinks.analog).waitUntilLoud()
            #expect(session.silenceReasons.isEmpty)
            await other.close()
        }
    }

    /// PipeWire removes permissions of a program that a sandbox would not give it.
    @Test(arguments: [("0x140", "did not let"), ("0", "hides its settings")])
    func aProgramWithoutPermissionForSettingsGetsTheFix(permissions: String, words: String) async throws {
        try await Stage.with(.builtIn()) { stage in
            let client = try #require(await stage.manager.client)
            let settings = try #require(await stage.manager.graph.settings)
            let result = try await stage.pipeWire.run(
                "pw-cli", ["permissions", "\(client)", "\(settings)", permissions])
            #expect(result.status == 0, "\(result.output)")
            // PipeWire removes the object asynchronously.
            if permissions == "0" {
                try await waitUntil("PipeWire hides its settings") { await stage.manager.graph.settings == nil }
            }
            await #expect {
                try await stage.manager.setSilentMode(true)
            } throws: {
                let error = $0 as? AudioSessionError
                return error?.code == .notPermitted && error?.message.contains(words) == true
            }
            #expect(!stage.manager.isSilentMode)
        }
    }

    /// Scenario S-037: a stream that the user mutes during a duck or an interruption stays muted
    /// afterwards.
    @Test func aUsersMuteSurvivesADuckAndAnInterruption() async throws {
        try await Stage.with(.builtIn()) { stage in
            let session = stage.player.session
            let log = EventLog<AudioSession.Event>()
            let observation = session.observe { if !$0.isSilenceChange { log.append($0.timeless) } }
            defer { _ = observation }
            let navigation = try await program(Self.prompt, on: stage)
            let phone = try await program(Self.call, on: stage)
            try await stage.play(on: Sinks.analog)
            let stream = try #require(await stage.manager.ownStream)
            try await navigation.session.activate()
            try await stage.pipeWire.mix(.node(stream), isMuted: true)
            try await waitUntil("the mute is known") { session.silenceReasons.first == .muted }
            try await navigation.session.deactivate()
            try await log.wait(for: "the end of the duck") { $0.contains(.ducking(gain: 1, by: [])) }
            #expect(session.silenceReasons == [.muted])
            try await expectSilence(stage)

            stage.log.clear()
            try await phone.session.activate()
            try await stage.log.wait(for: "the pause") { $0.states == [.paused(reason: .interrupted)] }
            try await phone.session.deactivate()
            try await stage.log.wait(for: "the music") { $0.states.last == .playing }
            try await waitUntil("the mute is known again") { session.silenceReasons == [.muted] }
            try await expectSilence(stage)
            try await stage.pipeWire.mix(.node(stream), isMuted: false)
            try await stage.tap(at: Sinks.analog).waitUntilLoud()
            try await waitUntil("the end of the mute is known") { session.silenceReasons.isEmpty }
            await navigation.manager.close()
            await phone.manager.close()
        }
    }

    /// Scenario S-040: a mute takes precedence over a duck; then it is ducked again, then full.
    @Test func aMuteTakesPrecedenceOverADuckAndKeepsIt() async throws {
        try await Stage.with(.builtIn()) { stage in
            let session = stage.player.session
            let log = EventLog<AudioSession.Event>()
            let observation = session.observe { if !$0.isSilenceChange { log.append($0.timeless) } }
            defer { _ = observation }
            try await session.setCategory(.ambient)
            let navigation = try await program(Self.prompt, on: stage)
            // The file's samples are at 0.24, and ducked ones at 0.05: a threshold between them
            // finds frames that are not ducked.
            let loud = try await SinkTap(sink: Sinks.analog, remote: stage.pipeWire.remote, threshold: 0.1)
            try await stage.play(on: Sinks.analog)
            try await navigation.session.activate()
            try await navigation.manager.setSilentMode(true)
            try await log.wait(for: "the silence") { $0.gains == [0.2, 0] }
            try await expectSilence(stage)
            await loud.reset()
            try await navigation.manager.setSilentMode(false)
            try await log.wait(for: "the duck") { $0.gains == [0.2, 0, 0.2] }
            try await stage.tap(at: Sinks.analog).waitUntilLoud()
            try await stage.tapSinks(for: .milliseconds(500))
            #expect(await loud.report.loudFrames == 0)
            try await navigation.session.deactivate()
            try await log.wait(for: "full sound") { $0.gains == [0.2, 0, 0.2, 1] }
            try await loud.waitUntilLoud()
            await loud.close()
            await navigation.manager.close()
        }
    }

    @Test func aMutedCardIsASilenceReasonOfAllItsSessions() async throws {
        try await Stage.with(.builtIn(), .usb()) { stage in
            let session = stage.player.session
            let other = try await program(Self.prompt, on: stage)
            let sink = Sinks.usb
            try await stage.play(on: sink)
            let node = try #require(await stage.manager.graph.nodes.known(as: sink).first?.id)
            try await stage.pipeWire.mix(.node(node), isMuted: true)
            try await waitUntil("the mute is known") { session.silenceReasons == [.muted] }
            // A mixer mutes the card, not the node.
            #expect(await stage.cards[1].state.nodes.first { $0.name == sink }?.isMuted == true)
            try await other.session.activate()
            #expect(other.session.silenceReasons == [.muted])
            let overview = await other.manager.overview
            #expect(overview.sessions.map(\.isMuted) == [true, true])
            try await stage.pipeWire.mix(.node(node), isMuted: false)
            try await waitUntil("the end of the mute is known") { other.session.silenceReasons.isEmpty }
            await other.manager.close()
        }
    }
}

extension AudioSessionManager {
    /// The name under which PipeWire knows it.
    fileprivate var client: ObjectID? { connection?.identity.client }

    /// The stream that this process plays.
    fileprivate var ownStream: ObjectID? {
        graph.nodes.values.first { $0.mediaClass == .playbackStream && graph.runningNodes.contains($0.id) }?.id
    }
}
