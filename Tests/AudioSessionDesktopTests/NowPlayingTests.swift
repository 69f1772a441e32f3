import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import DesktopBus
import Glibc
import PipeWireGraph
import Testing

@testable import AudioSessionDesktop

/// A player on a fake machine, commanded over a bus of its own.
@Suite(.timeLimit(.minutes(10))) struct NowPlayingTests {
    private struct Stage {
        let bus: PrivateBus
        let player: AudioPlayer
        let nowPlaying: NowPlaying
        let remote: Remote
        let other: AudioSession

        /// With two files loaded, and shown on the bus.
        init() async throws {
            bus = try await PrivateBus()
            let system = FakeAudioSystem(graph: AudioGraph())
            let session = try AudioSession(manager: try await system.connect(), configuration: .init(.playback))
            other = try AudioSession(
                manager: try await system.connect(), configuration: .init(.playAndRecord, mode: .voiceChat))
            player = AudioPlayer(
                session, in: PlayerEnvironment(isReady: { _ in true }, open: { _, _, _ in SilentOutput() }))
            let files = [try Self.silence("one"), try Self.silence("two")]
            try await player.load(files)
            for file in files { unlink(file) }
            remote = try await Remote(at: bus.address)
            nowPlaying = try NowPlaying(player, .init(name: "1 Tune"), at: { [bus] in bus.address })
            await remote.appeared(NowPlaying.busName("1 Tune"))
        }

        /// A second of nothing.
        private static func silence(_ name: String) throws -> String {
            let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
            let path = "\(folder)/now-playing.\(getpid()).\(UInt32.random(in: 0...UInt32.max)).\(name).wav"
            let size = UInt32(8000)
            func bytes(_ value: UInt32, _ count: Int = 4) -> [UInt8] {
                (0..<count).map { UInt8(value >> (8 * $0) & 255) }
            }
            var file = Array("RIFF".utf8) + bytes(36 + size) + Array("WAVEfmt ".utf8) + bytes(16)
            file += bytes(1, 2) + bytes(1, 2) + bytes(8000) + bytes(8000) + bytes(1, 2) + bytes(8, 2)
            file += Array("data".utf8) + bytes(size) + [UInt8](repeating: 128, count: Int(size))
            let stream = try #require(fopen(path, "w"))
            defer { fclose(stream) }
            try #require(fwrite(file, 1, file.count, stream) == file.count)
            return path
        }
    }

    @Test func mediaKeysCommandThePlayer() async throws {
        let stage = try await Stage()
        #expect(await stage.remote.status() == "Stopped")
        await stage.remote.command("PlayPause")
        #expect(await stage.remote.changed() == "Playing")
        #expect(stage.player.state == .playing)
        await stage.remote.command("PlayPause")
        #expect(await stage.remote.changed() == "Paused")
        #expect(stage.player.state == .paused(reason: .user))
        await stage.remote.command("Play")
        #expect(await stage.remote.changed() == "Playing")
        await stage.remote.command("Stop")
        #expect(await stage.remote.changed() == "Stopped")
        #expect(stage.nowPlaying.unavailability == nil)
    }

    @Test(arguments: [false, true])
    func whatIsCommandedDuringAnInterruptionIsTheUsersWish(endsWithPlay: Bool) async throws {
        let stage = try await Stage()
        await stage.remote.command("Play")
        #expect(await stage.remote.changed() == "Playing")
        try await stage.other.activate()
        #expect(await stage.remote.changed() == "Paused")
        await stage.remote.command("Pause")
        while stage.player.state != .paused(reason: .user) { await Task.yield() }
        if endsWithPlay { await stage.remote.command("Play") }
        try await stage.other.deactivate()
        if endsWithPlay {
            #expect(await stage.remote.changed() == "Playing")
        } else {
            #expect(stage.player.state == .paused(reason: .user))
        }
    }

    @Test func withoutABusThePlayerPlays() async throws {
        let system = FakeAudioSystem(graph: AudioGraph())
        let player = AudioPlayer(manager: try await system.connect())
        let nowPlaying = try NowPlaying(player, .init(name: "Tunes"), at: { "unix:path=/nonexistent/bus" })
        while nowPlaying.unavailability == nil { await Task.yield() }
        #expect(nowPlaying.unavailability?.contains("/nonexistent/bus") == true)
    }

    @Test func namesAndPathsAreMadeFitForTheBus() {
        #expect(NowPlaying.busName("1 Tüne") == "org.mpris.MediaPlayer2._1_T_ne.instance\(getpid())")
        #expect(NowPlaying.url("/a b/ü%.wav") == "file:///a%20b/%C3%BC%25.wav")
        #expect(Duration.milliseconds(1500).microseconds == 1_500_000)
        #expect(Duration.seconds(Int64.max).microseconds > 0)
    }
}

private final class SilentOutput: PlaybackOutput {
    func setActive(_ active: Bool) {}
    func setGate(closed: Bool) {}
    func setGuard(_ nodes: [ObjectID]) {}
    func setVolume(_ volume: Float) {}
    func setDuck(_ gain: Float) {}
    func setProperties(_ properties: [(String, String)]) {}
    var report: PlaybackStream.Report { PlaybackStream.Report() }
}

/// What a desktop does with players.
private actor Remote {
    private let executor: LoopExecutor
    private var bus: DesktopBus?
    private var player = ""
    private nonisolated let signals: AsyncStream<DesktopBus.Signal>
    private let continuation: AsyncStream<DesktopBus.Signal>.Continuation

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(at address: String) async throws {
        executor = try LoopExecutor()
        (signals, continuation) = AsyncStream.makeStream(of: DesktopBus.Signal.self)
        try await connect(to: address)
    }

    isolated deinit { bus = nil }

    private func connect(to address: String) async throws {
        let continuation = continuation
        let bus = try DesktopBus(
            address: address, on: executor, receive: { continuation.yield($0) }, failed: { _ in })
        self.bus = bus
        bus.watchPlayers(true)
        // What was asked before this is answered has been done.
        await withCheckedContinuation { continuation in bus.names { _ in continuation.resume() } }
    }

    /// Waits for a player, which is meant from now on.
    func appeared(_ name: String) async {
        player = name
        for await case .ownerChanged(name, _, _?) in signals { return }
    }

    /// The next change of its status.
    func changed() async -> String? {
        for await case .statusChanged(_, let status) in signals { return status }
        return nil
    }

    func status() async -> String? {
        guard let bus else { return nil }
        return await withCheckedContinuation { continuation in
            bus.status(ofPlayer: player) { continuation.resume(returning: $0) }
        }
    }

    /// Returns when it is answered.
    func command(_ member: String) async {
        guard let bus else { return }
        await withCheckedContinuation { continuation in
            bus.command(member, toPlayer: player) { _ in continuation.resume() }
        }
    }
}
