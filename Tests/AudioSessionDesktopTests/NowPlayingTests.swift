import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
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
        let system: FakeAudioSystem
        let player: AudioPlayer
        let nowPlaying: NowPlaying
        let remote: Remote
        let other: AudioSession

        /// A player with files loaded, published on the bus. By default these are two files of one
        /// second. The session manager is the given process.
        init(
            files: [String]? = nil, output: any PlaybackOutput & Sendable = SilentOutput(),
            raise: (@Sendable () -> Void)? = nil, sessionManager: Int? = nil
        ) async throws {
            bus = try await PrivateBus()
            system = FakeAudioSystem(graph: Self.graph(sessionManager: sessionManager))
            let session = try AudioSession(manager: try await system.connect(), configuration: .init(.playback))
            other = try AudioSession(
                manager: try await system.connect(), configuration: .init(.playAndRecord, mode: .voiceChat))
            player = AudioPlayer(
                session, in: PlayerEnvironment(isReady: { _ in true }, open: { _, _, _ in output }))
            let silence = try files == nil ? [Self.silence("one"), Self.silence("two")] : []
            try await player.load(files ?? silence)
            for file in silence { unlink(file) }
            remote = try await Remote(at: bus.address)
            nowPlaying = try NowPlaying(player, .init(name: "1 Tune", raise: raise), at: { [bus] in bus.address })
            await remote.appeared(NowPlaying.busName("1 Tune"))
        }

        /// A computer whose session manager is the given process.
        static func graph(sessionManager: Int?) -> AudioGraph {
            let client = Client(id: ObjectID(31), processID: sessionManager)
            var graph = AudioGraph()
            graph.clients[client.id] = client
            graph.sessionManager = client.id
            return graph
        }

        func widget() throws -> Widget { try Widget(of: NowPlaying.busName("1 Tune"), at: bus.address) }

        /// The bytes of a second of silence.
        static func silence(_ name: String) throws -> String {
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

    /// A FLAC file that an encoder wrote to a pipe does not state its number of samples.
    @Test func aSeekInAFileWithoutALengthStaysInTheFile() async throws {
        let scratch = try Scratch()
        let samples = counting(0..<8000, channels: 1)
        let whole = try scratch.sound(samples, .flac, rate: 8000, channels: 1, as: "whole.flac")
        var bytes = try scratch.bytes(of: whole)
        // The number has 36 bits.
        bytes[21] &= 0xF0
        for index in 22..<26 { bytes[index] = 0 }
        let file = try scratch.write(bytes, to: "stream.flac")
        let stage = try await Stage(files: [file, file])
        #expect(stage.player.duration == .zero)
        let widget = try stage.widget()
        let events = stage.player.events()
        func nextPosition() async -> Duration? {
            for await case .positionChanged(let position, _) in events { return position }
            return nil
        }
        try await widget.seek(by: 500_000)
        #expect(await nextPosition() == .milliseconds(500))
        try await widget.seek(by: -200_000)
        #expect(await nextPosition() == .milliseconds(300))
        try await widget.setPosition(400_000, of: "/org/AudioSessions/track/0")
        #expect(await nextPosition() == .milliseconds(400))
        #expect(stage.player.currentIndex == 0)
        #expect(try await widget.metadataKeys() == ["mpris:trackid", "xesam:title", "xesam:url"])
        withExtendedLifetime(scratch) {}
    }

    @Test func anItemThatIsAddedMakesNextAvailable() async throws {
        let stage = try await Stage()
        try await stage.player.skipToNext()
        let widget = try stage.widget()
        try await waitUntil("there is no next file") { try await !widget.flag("CanGoNext") }
        let silence = try Stage.silence("three")
        try await stage.player.enqueue([silence])
        unlink(silence)
        try await waitUntil("there is a next file") { try await widget.flag("CanGoNext") }
    }

    /// Relative commands are evaluated when the player's thread executes them, not when they
    /// arrive.
    @Test func relativeCommandsThatWaitAddUp() async throws {
        let stage = try await Stage()
        let widget = try stage.widget()
        let events = stage.player.events()
        let block = try Block(of: stage.system)
        defer { block.end() }
        try await waitUntil("the thread is blocked") { block.hasBegun }
        for _ in 1...2 { try await widget.seek(by: 200_000) }
        await stage.remote.command("Next")
        try await widget.setPosition(300_000, of: "/org/AudioSessions/track/0")
        block.end()
        try await waitUntil("the next item") { stage.player.currentIndex == 1 }
        try await widget.setPosition(600_000, of: "/org/AudioSessions/track/1")
        var positions: [Duration] = []
        for await case .positionChanged(let position, _) in events {
            positions.append(position)
            if position == .milliseconds(600) { break }
        }
        #expect(positions.starts(with: [.milliseconds(200), .milliseconds(400)]))
        #expect(!positions.contains(.milliseconds(300)), "the item is not the current one any more")
    }

    /// The commands arrive together, because the handler of the first one blocks the thread.
    @Test func commandsBeginInTheirOrder() async throws {
        let output = VolumeRecorder()
        let end = Semaphore()
        let stage = try await Stage(output: output, raise: { end.wait() })
        // Also if the test fails before.
        defer { end.signal() }
        let widget = try stage.widget()
        try await stage.player.play()
        try await widget.raise()
        let volumes = (1...60).map { Double($0) / 64 }
        try await widget.setVolumes(volumes)
        end.signal()
        // The stream has a volume from the beginning.
        try await waitUntil("all volumes are set") { output.volumes.count > volumes.count }
        let gains = volumes.map { Float($0 * $0 * $0) }
        #expect(output.volumes == [1] + gains)
    }

    /// The sender of a *Pause* is asked for. The commands arrive together, as above.
    @Test func commandsAfterAPauseWaitForIt() async throws {
        let end = Semaphore()
        let stage = try await Stage(raise: { end.wait() })
        defer { end.signal() }
        try await stage.player.play()
        let events = stage.player.events()
        let widget = try stage.widget()
        try await widget.raise()
        // Returns when the bus has received what was sent before.
        try await widget.setVolumes([])
        await stage.remote.post(["Pause", "Play", "Next"])
        end.signal()
        var states: [AudioPlayer.State] = []
        reading: for await event in events {
            switch event {
            case .stateChanged(let state, _): states.append(state)
            case .itemChanged: break reading
            default: break
            }
        }
        #expect(states == [.paused(reason: .user), .playing])
    }

    /// The desktop and the session manager are this process.
    @Test func aPauseOfTheSessionManagerIsIgnored() async throws {
        let stage = try await Stage(sessionManager: Int(getpid()))
        try await stage.player.play()
        await stage.remote.post(["Pause", "Next"])
        try await waitUntil("the next item is current") { stage.player.currentIndex == 1 }
        #expect(stage.player.state == .playing)
    }

    /// The manager's thread is blocked, so that no command ends.
    @Test func commandsAboveTheLimitAreIgnored() async throws {
        let stage = try await Stage()
        let widget = try stage.widget()
        let block = try Block(of: stage.system)
        defer { block.end() }
        try await waitUntil("the thread is blocked") { block.hasBegun }
        for number in 1...NowPlaying.commandLimit { try await widget.setVolume(Double(number) / 128) }
        await stage.remote.command("Next")
        block.end()
        try await waitUntil("commands are performed again") {
            try await widget.setVolume(0.75)
            return stage.player.volume == 0.75
        }
        #expect(stage.player.currentIndex == 0)
        await stage.remote.command("Next")
        try await waitUntil("the next item is current") { stage.player.currentIndex == 1 }
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
        // The bus refuses noncharacters.
        state.title = "News\u{FFFE}"
        await player.update(state)
        #expect(try await widget.positionsBeforeNextChange() == [3_000_000])
        #expect(player.unavailability == nil)
        await player.close()
    }

    /// The desktop is this process, and in one case the session manager too.
    @Test(arguments: [false, true])
    func aPauseOfTheSessionManagerDoesNotReachTheProgram(isOfSessionManager: Bool) async throws {
        let bus = try await PrivateBus()
        let remote = try await Remote(at: bus.address)
        let process = isOfSessionManager ? Int(getpid()) : Int(getpid()) + 1
        let manager = try await FakeAudioSystem(graph: Stage.graph(sessionManager: process)).connect()
        let (commands, continuation) = AsyncStream.makeStream(of: DesktopPlayer.Command.self)
        var state = DesktopPlayer.State(name: "Radio")
        (state.canPause, state.canGoNext) = (true, true)
        let player = try DesktopPlayer(
            state, at: bus.address, position: { .zero }, manager: { manager }, receive: { continuation.yield($0) })
        await remote.appeared(NowPlaying.busName("Radio"))
        await remote.post(["Pause", "Next"])
        var received: [DesktopPlayer.Command] = []
        for await command in commands {
            received.append(command)
            if command == .next { break }
        }
        #expect(received == (isOfSessionManager ? [.next] : [.pause, .next]))
        await player.close()
    }

    @Test func withoutABusAPlayerOfTheProgramsOwnHasTheReason() async throws {
        let player = try DesktopPlayer(
            .init(name: "Radio"), at: "unix:path=/nonexistent/bus", position: { .zero }, receive: { _ in })
        while player.unavailability == nil { await Task.yield() }
        #expect(player.unavailability?.contains("/nonexistent/bus") == true)
    }

    @Test func aClosedPlayerIsNotShown() async throws {
        let stage = try await Stage()
        #expect(stage.nowPlaying.unavailability == nil)
        await stage.player.close()
        try await waitUntil("the player is removed") { stage.nowPlaying.unavailability != nil }
        #expect(stage.nowPlaying.unavailability == "The player was closed. Show another one.")
    }

    /// A program may show its player and remove it many times.
    @Test func aPlayerThatIsNotShownAnyMoreIsNotFollowed() async throws {
        let stage = try await Stage()
        let stored = stage.nowPlaying.tasks.withLock(\.self)
        let tasks = try #require(stored)
        #expect(tasks.count == 2)
        await stage.nowPlaying.close()
        for task in tasks { await task.value }
        await stage.player.close()
    }

    @Test func withoutABusThePlayerPlays() async throws {
        let system = FakeAudioSystem(graph: AudioGraph())
        let player = AudioPlayer(manager: try await system.connect())
        let nowPlaying = try NowPlaying(player, .init(name: "Tunes"), at: { "unix:path=/nonexistent/bus" })
        while nowPlaying.unavailability == nil { await Task.yield() }
        #expect(nowPlaying.unavailability?.contains("/nonexistent/bus") == true)
    }

    /// The bus may fail before the initializer has stored the tasks.
    @Test func tasksThatAreStoredAfterAFailureEnd() async throws {
        let system = FakeAudioSystem(graph: AudioGraph())
        let player = AudioPlayer(manager: try await system.connect())
        let nowPlaying = try NowPlaying(player, .init(name: "Tunes"), at: { "unix:path=/nonexistent/bus" })
        try await waitUntil("it has failed") { nowPlaying.tasks.withLock { $0 == nil } }
        let events = player.events()
        let late = Task { for await _ in events {} }
        nowPlaying.keep([late])
        await late.value
        #expect(nowPlaying.tasks.withLock { $0 == nil })
        await player.close()
    }

    /// A program that replaces its player makes the new object before it releases the old one.
    @Test func aSecondPlayerOfTheSameNameIsShownToo() async throws {
        let stage = try await Stage()
        let second = try NowPlaying(stage.player, .init(name: "1 Tune"), at: { [bus = stage.bus] in bus.address })
        let name = NowPlaying.busName("1 Tune") + "_2"
        try await waitUntil("it is shown") { await stage.remote.status(of: name) == "Stopped" }
        #expect(second.unavailability == nil)
    }

    @Test func namesAndPathsAreEscapedForTheBus() {
        #expect(NowPlaying.busName("1 Tüne") == "org.mpris.MediaPlayer2._1_T_ne.instance\(getpid())")
        #expect(SoundFileName.url("/a b/ü%.wav") == "file:///a%20b/%C3%BC%25.wav")
        #expect(Duration.milliseconds(1500).microseconds == 1_500_000)
        #expect(Duration.seconds(Int64.max).microseconds > 0)
    }
}

private final class SilentOutput: PlaybackOutput, Sendable {
    func setActive(_ active: Bool) {}
    func setGate(closed: Bool) {}
    func setGateTriggers(_ nodes: [ObjectID]) {}
    func setVolume(_ volume: Float) {}
    func setDuck(_ gain: Float) {}
    func setProperties(_ properties: [(String, String)]) {}
    var report: PlaybackStream.Report { PlaybackStream.Report() }
}

/// An output that stores the volumes that are set.
private final class VolumeRecorder: PlaybackOutput, Sendable {
    private let recorded = Locked<[Float]>([])
    var volumes: [Float] { recorded.withLock(\.self) }
    func setActive(_ active: Bool) {}
    func setGate(closed: Bool) {}
    func setGateTriggers(_ nodes: [ObjectID]) {}
    func setVolume(_ volume: Float) { recorded.withLock { $0.append(volume) } }
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

    func status(of name: String? = nil) async -> String? {
        guard let bus else { return nil }
        return await withCheckedContinuation { continuation in
            bus.status(ofPlayer: name ?? player) { continuation.resume(returning: $0) }
        }
    }

    /// Sends commands without waiting for the answers. Returns when the bus has delivered them.
    func post(_ members: [String]) async {
        guard let bus else { return }
        for member in members { bus.command(member, toPlayer: player) }
        // The bus handles the messages of a client in their order.
        await withCheckedContinuation { continuation in bus.names { _ in continuation.resume() } }
    }

    /// Returns when it is answered.
    func command(_ member: String) async {
        guard let bus else { return }
        await withCheckedContinuation { continuation in
            bus.command(member, toPlayer: player) { _ in continuation.resume() }
        }
    }
}

/// Keeps the thread of a fake system's managers busy until it ends.
private final class Block: Sendable {
    private let begun = Locked(false)
    private let over = Semaphore()
    private let worker = WorkerThread()

    var hasBegun: Bool { begun.withLock(\.self) }

    init(of system: FakeAudioSystem) throws {
        let executor = try #require(system.environment.executor as? InlineExecutor)
        worker.post { [begun, over] in
            executor.run {
                begun.withLock { $0 = true }
                over.wait()
            }
        }
        worker.end()
    }

    func end() { over.signal() }
}
