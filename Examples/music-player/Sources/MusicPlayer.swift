import ArgumentParser
import AudioSessionPlayback
import AudioSessions
import Glibc

@main
struct MusicPlayer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "music-player",
        abstract: "Plays sound files, and pauses when the headphones are pulled.",
        discussion: """
            Keys: space plays and pauses, n and p go to the next and the previous track, the arrows seek by 5 seconds \
            and change the volume, q quits. Without a terminal it prints a line for what happens, and ends after the \
            last track.
            """)

    @Argument(help: "Sound files (WAV, FLAC, Ogg, Opus, MP3 …), or folders that hold some.")
    var paths: [String]

    @Flag(help: "Print a line for what happens, also on a terminal.")
    var plain = false

    @Option(help: "The volume to begin with, in per cent.")
    var volume = 100

    func validate() throws {
        guard (0...100).contains(volume) else { throw ValidationError("The volume is 0 to 100 per cent.") }
    }

    func run() async throws {
        let files = try SoundFiles.find(in: paths)
        let player = try await Player.connect()
        let failures = await player.load(files)
        guard !player.audio.queue.isEmpty else { throw MusicPlayerError.nothingPlayable(failures.first?.message) }
        await player.audio.setVolume(Float(volume) / 100)
        let show = Show(player, on: Terminal(hasScreen: !plain && Terminal.canDraw))
        let status = try await show.run(skipped: failures)
        await player.close()
        if status != 0 { throw ExitCode(status) }
    }
}

/// Brings together what comes in and what is to be seen, from the first track until somebody quits.
final class Show {
    private enum Input: Sendable {
        case news(Player.News)
        case terminal(TerminalInput.Event)
        /// Time passes while something plays.
        case tick
    }

    private let player: Player
    private let terminal: Terminal
    private var model: PlayerModel
    private var keys = KeyDecoder()
    private var ticks: Task<Void, Never>?
    private var playsOnWhenContinued = false
    private let (inputs, continuation) = AsyncStream.makeStream(of: Input.self)

    init(_ player: Player, on terminal: Terminal) {
        self.player = player
        self.terminal = terminal
        model = PlayerModel(tracks: player.audio.queue.map(Track.init))
    }

    /// - Returns: the program's exit status.
    func run(skipped: [PlaybackError]) async throws -> Int32 {
        let input = TerminalInput { [continuation] in continuation.yield(.terminal($0)) }
        let observations = player.observe { [continuation] in continuation.yield(.news($0)) }
        defer {
            ticks?.cancel()
            terminal.leave()
            withExtendedLifetime((input, observations)) {}
        }
        terminal.enter()
        if let first = skipped.first {
            tell(skipped.count == 1 ? first.message : "\(skipped.count) files skipped; the first: \(first.message)")
        }
        if let complaint = await player.perform(.playOrPause) { tell(complaint) }
        for await input in inputs {
            if let status = try await receive(input) { return status }
            model.refresh(from: player.audio)
            keepTicking(model.isPlaying && terminal.hasScreen)
            terminal.draw(model)
        }
        return 0
    }

    /// - Returns: the exit status if this is the end.
    private func receive(_ input: Input) async throws -> Int32? {
        switch input {
        case .tick, .terminal(.resized): break
        case .news(.player(let event)):
            model.refresh(from: player.audio)
            if let line = terminal.hasScreen ? model.sentence(for: event) : model.plainLine(for: event) { tell(line) }
            if event == .finished, !terminal.hasScreen { return 0 }
        case .news(.mediaServicesLost):
            guard terminal.hasScreen else { throw MusicPlayerError.pipeWireWentAway }
            tell("PipeWire went away")
        case .terminal(.bytes(let bytes)):
            for command in keys.decode(bytes).compactMap(Command.init) {
                if command == .quit { return 0 }
                if let answer = await player.perform(command) { tell(answer) }
            }
        case .terminal(.suspended): await suspend()
        case .terminal(.continued): await goOn()
        case .terminal(.terminated(let signal)): return 128 + signal
        }
        return nil
    }

    private func tell(_ text: String) {
        guard terminal.hasScreen else { return terminal.say(text.printable) }
        model.last = PlayerModel.Note(time: Self.timeOfDay, text: text.printable)
    }

    private func keepTicking(_ ticking: Bool) {
        guard ticking != (ticks != nil) else { return }
        ticks?.cancel()
        ticks = !ticking ? nil : Task { [continuation] in
            while (try? await Task.sleep(for: .milliseconds(200))) != nil { continuation.yield(.tick) }
        }
    }

    // MARK: Control-Z

    private func suspend() async {
        // Nobody could wake a program that was started without a shell.
        guard getsid(0) != getpid() else { return }
        playsOnWhenContinued = player.audio.state == .playing
        if playsOnWhenContinued { await player.audio.pause() }
        terminal.leave()
        // The pause is on its way to PipeWire, which would wait for a stream whose program stands still.
        try? await Task.sleep(for: .milliseconds(50))
        kill(getpid(), SIGSTOP)
    }

    private func goOn() async {
        terminal.forget()
        if !terminal.hasScreen { terminal.enter() }
        guard playsOnWhenContinued else { return }
        playsOnWhenContinued = false
        if let complaint = await player.perform(.playOrPause) { tell(complaint) }
    }

    private static var timeOfDay: String {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        return "\(parts.tm_hour)".leftPadded(to: 2, with: "0") + ":" + "\(parts.tm_min)".leftPadded(to: 2, with: "0")
    }
}
