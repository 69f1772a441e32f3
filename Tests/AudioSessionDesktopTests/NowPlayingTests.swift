import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import CSystemd
import DesktopBus
import Glibc
import MediaPlayers
import PipeWireGraph
import TestSupport
import Testing

@_spi(Compatibility) @testable import AudioSessionDesktop

/// A player on a fake computer, commanded over a private bus.
@Suite(.timeLimit(.minutes(10))) struct NowPlayingTests {
    private struct Stage {
        let bus: PrivateBus
        let player: AudioPlayer
        let nowPlaying: NowPlaying
        let remote: Remote
        let other: AudioSession

        /// A player with two files loaded, published on the bus.
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

        func widget() throws -> Widget { try Widget(of: NowPlaying.busName("1 Tune"), at: bus.address) }

        /// The bytes of a second of silence.
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
    func commandsDuringAnInterruptionAreThoseOfTheUser(endsWithPlay: Bool) async throws {
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

    @Test func aSeekIsAnnounced() async throws {
        let stage = try await Stage()
        let widget = try stage.widget()
        try await widget.subscribe()
        try await stage.player.seek(to: .milliseconds(250))
        // The first change may precede the announcement, the second one follows it. So the test
        // ends also without one.
        try await stage.player.play()
        var positions = try await widget.positionsBeforeNextChange()
        await stage.player.pause()
        positions += try await widget.positionsBeforeNextChange()
        #expect(positions == [250_000])
        #expect(stage.nowPlaying.unavailability == nil)
    }

    /// MPRIS requires the next item. The last item has none, so its end becomes the position.
    @Test func aSeekBeyondTheEndGoesToTheNextItem() async throws {
        let stage = try await Stage()
        let widget = try stage.widget()
        let events = stage.player.events()
        func nextPosition() async -> Duration? {
            for await case .positionChanged(let position, _) in events { return position }
            return nil
        }
        try await widget.seek(by: 20_000_000)
        #expect(await nextPosition() == .zero)
        #expect(stage.player.currentIndex == 1)
        try await widget.seek(by: 20_000_000)
        #expect(await nextPosition() == .seconds(1))
        #expect(stage.player.currentIndex == 1)
    }

    @Test func volumesThatAreNotFiniteAreIgnored() async throws {
        let bus = try await PrivateBus()
        let player = try await FakePlayer("tunes", "Playing", on: bus.address)
        let widget = try Widget(of: DesktopBus.playerPrefix + "tunes", at: bus.address)
        for volume in [Double.infinity, -.infinity, .nan, 0.25] { try await widget.setVolume(volume) }
        #expect(player.commands == [.setVolume(0.25)])
    }

    /// What the package in Compatibility shows for programs that play by other means.
    @Test func aPlayerOfTheProgramsOwnIsShownAndCommanded() async throws {
        let bus = try await PrivateBus()
        let remote = try await Remote(at: bus.address)
        let (commands, continuation) = AsyncStream.makeStream(of: DesktopPlayer.Command.self)
        var state = DesktopPlayer.State(name: "Radio")
        state.canPlay = true
        let player = try DesktopPlayer(state, at: bus.address, position: { .seconds(3) }) { continuation.yield($0) }
        await remote.appeared(NowPlaying.busName("Radio"))
        #expect(await remote.status() == "Stopped")
        state.status = .playing
        await player.update(state)
        #expect(await remote.changed() == "Playing")
        var received = commands.makeAsyncIterator()
        let sent: [(String, DesktopPlayer.Command)] = [
            ("PlayPause", .playPause), ("Pause", .pause), ("Play", .play), ("Stop", .stop), ("Next", .next),
            ("Previous", .previous),
        ]
        state.canPause = true
        state.canGoNext = true
        state.canGoPrevious = true
        await player.update(state)
        for (member, command) in sent {
            await remote.command(member)
            #expect(await received.next() == command)
        }
        let widget = try Widget(of: NowPlaying.busName("Radio"), at: bus.address)
        state.canSeek = true
        await player.update(state)
        try await widget.seek(by: -2_000_000)
        #expect(await received.next() == .seek(by: .seconds(-2)))
        try await widget.subscribe()
        await player.update(state, hasJumped: true)
        state.title = "News"
        await player.update(state)
        #expect(try await widget.positionsBeforeNextChange() == [3_000_000])
        #expect(player.unavailability == nil)
        await player.close()
    }

    @Test func withoutABusAPlayerOfTheProgramsOwnSaysWhy() async throws {
        let player = try DesktopPlayer(
            .init(name: "Radio"), at: "unix:path=/nonexistent/bus", position: { .zero }, receive: { _ in })
        while player.unavailability == nil { await Task.yield() }
        #expect(player.unavailability?.contains("/nonexistent/bus") == true)
    }

    @Test func withoutABusThePlayerPlays() async throws {
        let system = FakeAudioSystem(graph: AudioGraph())
        let player = AudioPlayer(manager: try await system.connect())
        let nowPlaying = try NowPlaying(player, .init(name: "Tunes"), at: { "unix:path=/nonexistent/bus" })
        while nowPlaying.unavailability == nil { await Task.yield() }
        #expect(nowPlaying.unavailability?.contains("/nonexistent/bus") == true)
    }

    @Test func namesAndPathsAreEscapedForTheBus() {
        #expect(NowPlaying.busName("1 Tüne") == "org.mpris.MediaPlayer2._1_T_ne.instance\(getpid())")
        #expect(NowPlaying.url("/a b/ü%.wav") == "file:///a%20b/%C3%BC%25.wav")
        #expect(Duration.milliseconds(1500).microseconds == 1_500_000)
        #expect(Duration.seconds(Int64.max).microseconds > 0)
    }
}

private final class SilentOutput: PlaybackOutput {
    func setActive(_ active: Bool) {}
    func setGate(closed: Bool) {}
    func setGateTriggers(_ nodes: [ObjectID]) {}
    func setVolume(_ volume: Float) {}
    func setDuck(_ gain: Float) {}
    func setProperties(_ properties: [(String, String)]) {}
    var report: PlaybackStream.Report { PlaybackStream.Report() }
}

/// A desktop that controls players.
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
        // All earlier calls have been handled when this is answered.
        await withCheckedContinuation { continuation in bus.names { _ in continuation.resume() } }
    }

    /// Waits for a player, which later calls control.
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

/// A desktop's widget. It sends and receives what ``DesktopBus`` does not: methods and properties
/// with numbers, and `Seeked`. It blocks its own thread until it has an answer.
private actor Widget {
    private static let path = "/org/mpris/MediaPlayer2"
    private static let interface = "org.mpris.MediaPlayer2.Player"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let busName = "org.freedesktop.DBus"

    private let executor: LoopExecutor
    private let player: String
    private let bus: OpaquePointer

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Connects to the player with this name on the bus.
    init(of player: String, at address: String) throws {
        executor = try LoopExecutor()
        self.player = player
        var opened: OpaquePointer?
        try #require(sd_bus_new(&opened) >= 0)
        let bus = try #require(opened)
        self.bus = bus
        try #require(sd_bus_set_address(bus, address) >= 0)
        try #require(sd_bus_set_bus_client(bus, 1) >= 0)
        try #require(sd_bus_start(bus) >= 0)
    }

    isolated deinit { sd_bus_close_unref(bus) }

    /// Subscribes to the signals of players.
    func subscribe() throws {
        try call("AddMatch", of: Self.busName, on: Self.busName, at: "/org/freedesktop/DBus") { message in
            try append("type='signal',path='\(Self.path)'", to: message)
        }
    }

    /// Calls `Seek` with an offset in microseconds.
    func seek(by offset: Int64) throws {
        try call("Seek", of: Self.interface, on: player, at: Self.path) { message in
            var offset = offset
            try #require(sd_bus_message_append_basic(message, Self.type("x"), &offset) >= 0)
        }
    }

    func setVolume(_ volume: Double) throws {
        try call("Set", of: Self.properties, on: player, at: Self.path) { message in
            var volume = volume
            try append(Self.interface, to: message)
            try append("Volume", to: message)
            try #require(sd_bus_message_open_container(message, Self.type("v"), "d") >= 0)
            try #require(sd_bus_message_append_basic(message, Self.type("d"), &volume) >= 0)
            try #require(sd_bus_message_close_container(message) >= 0)
        }
    }

    /// The positions, in microseconds, that players announce before the next change of a property.
    func positionsBeforeNextChange() throws -> [Int64] {
        var positions: [Int64] = []
        while true {
            let message = try nextMessage()
            defer { sd_bus_message_unref(message) }
            if sd_bus_message_is_signal(message, Self.properties, "PropertiesChanged") > 0 { return positions }
            guard sd_bus_message_is_signal(message, Self.interface, "Seeked") > 0 else { continue }
            var position: Int64 = 0
            try #require(sd_bus_message_read_basic(message, Self.type("x"), &position) > 0)
            positions.append(position)
        }
    }

    private func nextMessage() throws -> OpaquePointer {
        while true {
            var message: OpaquePointer?
            let result = sd_bus_process(bus, &message)
            try #require(result >= 0)
            if let message { return message }
            if result == 0 { sd_bus_wait(bus, .max) }
        }
    }

    private func call(
        _ member: String, of interface: String, on name: String, at path: String,
        _ appendArguments: (OpaquePointer) throws -> Void
    ) throws {
        var created: OpaquePointer?
        try #require(sd_bus_message_new_method_call(bus, &created, name, path, interface, member) >= 0)
        let message = try #require(created)
        defer { sd_bus_message_unref(message) }
        try appendArguments(message)
        try #require(sd_bus_call(bus, message, 0, nil, nil) >= 0)
    }

    private func append(_ text: String, to message: OpaquePointer) throws {
        try #require(text.withCString { sd_bus_message_append_basic(message, Self.type("s"), $0) } >= 0)
    }

    private static func type(_ letter: Unicode.Scalar) -> CChar { CChar(UInt8(ascii: letter)) }
}
