import AudioSessionCore
import AudioSessionDesktop
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// Streams of this process that the library does not render, as those of an SDL program.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct AttachedStreamsTests {
    /// Returns whether a sink receives this level now.
    private func hears(_ level: Float, _ tap: SinkTap) async throws -> Bool {
        await tap.reset()
        return abs(try await tap.waitUntilHeard(frames: 4800).peak - level) < 0.01
    }

    @Test func aStreamOfOtherCodeFollowsItsSession() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let tap = try await SinkTap(sink: Sinks.analog, remote: pipeWire.remote)
        let manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote, applicationName: "Game"))
        let session = try AudioSession(manager: manager, configuration: .init(.playback))
        let tone = try await ForeignTone(remote: pipeWire.remote)
        try await waitUntil("the tone is heard") { try await hears(1, tap) }
        let attached = try AttachedStreams(session: session)
        try await session.activate()

        let prompt = try await MusicProgram("Prompt", on: pipeWire)
        try await prompt.session.setCategory(.playback, options: .duckOthers)
        try await prompt.session.activate()
        try await waitUntil("it is ducked") { try await hears(0.2, tap) }
        try await prompt.session.deactivate()
        try await waitUntil("it is restored") { try await hears(1, tap) }

        // The library's own stream is heard in an interruption by another session of this process.
        let film = try await MusicProgram("Film", on: pipeWire)
        let file = pipeWire.directory + "/square.wav"
        try writeSquareWave(seconds: 10, to: file)
        let player = AudioPlayer(session: film.session)
        try await player.load([String](repeating: file, count: 200))
        try await player.play()
        try await waitUntil("only the player is heard") { try await hears(8000 / 32_768, tap) }
        #expect(session.state == .interrupted)
        await player.close()
        try await film.session.deactivate()
        try await waitUntil("it is restored after the interruption") { try await hears(1, tap) }

        try await session.activate()
        try await film.session.activate()
        try await waitUntil("it is muted") { try await hears(0, tap) }
        await attached.close()
        try await waitUntil("it is restored at the end") { try await hears(1, tap) }

        await tone.close()
        for manager in [manager, prompt.manager, film.manager] { await manager.close() }
        await tap.close()
        await card.close()
        await pipeWire.stop()
    }
}

/// A tone at full scale, by a stream of PipeWire's own API.
private actor ForeignTone {
    private let executor: LoopExecutor
    private var tone: ToneNode?
    private var connection: Connection?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(remote: String) async throws {
        executor = try LoopExecutor()
        let connection = try Connection(Connection.Options(remote: remote, applicationName: "SDL"), on: executor)
        let properties = [
            ("node.name", "tone"), ("media.type", "Audio"), ("media.category", "Playback"),
            ("media.class", "Stream/Output/Audio"), ("node.autoconnect", "true"),
        ]
        tone = try ToneNode(properties: properties, channels: 2, over: connection) { _ in }
        self.connection = connection
    }

    isolated deinit { close() }

    func close() {
        tone = nil
        connection = nil
    }
}
