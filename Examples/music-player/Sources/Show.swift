import AudioSessionPlayback
import Glibc

/// Connects events, keys and the screen, from the first track until the user quits.
final class Show {
    private enum Input: Sendable {
        case event(Player.Event)
        case terminal(TerminalInput.Event)
        /// A second has passed while something plays.
        case tick
    }

    private let player: Player
    private let terminal: Terminal
    private var model: PlayerModel
    private var keys = KeyDecoder()
    private var ticks: Task<Void, Never>?
    private var isSuspended = false
    private var playsOnWhenContinued = false
    private let (inputs, continuation) = AsyncStream.makeStream(of: Input.self)

    init(_ player: Player, on terminal: Terminal) {
        self.player = player
        self.terminal = terminal
        model = PlayerModel(tracks: player.audio.queue.map(Track.init))
    }

    /// Runs until the end. `skipped` has the reasons for files that cannot be played.
    /// - Returns: the program's exit status.
    func run(skipped: [String]) async throws(MusicPlayerFailure) -> Int32 {
        let input = TerminalInput { [continuation] in continuation.yield(.terminal($0)) }
        let observations = player.observe { [continuation] in continuation.yield(.event($0)) }
        defer {
            ticks?.cancel()
            terminal.leave()
            // The screen had shown only their number.
            if terminal.hasScreen { sayThat(skipped) }
            withExtendedLifetime((input, observations)) {}
        }
        model.skippedCount = skipped.count
        terminal.enter()
        if !terminal.hasScreen { sayThat(skipped) }
        do {
            try await player.play()
        } catch {
            show(error.sentence)
            // Without a terminal no user presses play again.
            if isatty(STDIN_FILENO) != 1 { return MusicPlayerFailure.pipeWire(error).exitCode }
        }
        for await input in inputs {
            if let status = try await receive(input) { return status }
            model.refresh(from: player.audio)
            keepTicking(model.isPlaying && terminal.hasScreen)
            if !isSuspended { terminal.draw(model) }
            // The output has no reader any more.
            if terminal.isGone { return 0 }
        }
        return 0
    }

    /// Handles an event, and returns the exit status if it is the end.
    private func receive(_ input: Input) async throws(MusicPlayerFailure) -> Int32? {
        switch input {
        case .tick, .terminal(.resized): break
        case .event(.player(let event)):
            model.refresh(from: player.audio)
            if let line = terminal.hasScreen ? model.sentence(for: event) : model.plainLine(for: event) { show(line) }
            model.remember(.player(event))
            if case .finished = event, !terminal.hasScreen { return 0 }
        case .event(.session(let event)):
            model.refresh(from: player.audio)
            if let line = model.sentence(for: event) { show(line) }
            model.remember(.session(event))
        case .event(.mediaServicesLost):
            guard terminal.hasScreen else { throw .pipeWireWentAway }
            show("PipeWire was lost")
        case .event(.mediaServicesReset): show("PipeWire is back")
        case .terminal(.bytes(let bytes)):
            for command in keys.decode(bytes).compactMap(Command.init) {
                if command == .quit { return 0 }
                await perform(command)
            }
        case .terminal(.suspended): await suspend()
        case .terminal(.continued): await resume()
        case .terminal(.terminated(let signal)): return 128 + signal
        }
        return nil
    }

    private func perform(_ command: Command) async {
        if let answer = await player.perform(command) { show(answer) }
    }

    // MARK: Words

    private func show(_ text: String) {
        guard terminal.hasScreen else { return terminal.say(text.printable) }
        model.last = PlayerModel.Note(time: Self.timeOfDay, text: text.printable)
    }

    private func sayThat(_ skipped: [String]) {
        for reason in skipped { terminal.say("skipped: \(reason.printable)") }
    }

    private static var timeOfDay: String {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        return "\(parts.tm_hour)".leftPadded(to: 2, with: "0") + ":" + "\(parts.tm_min)".leftPadded(to: 2, with: "0")
    }

    // MARK: Time

    /// A timer: the shown position advances by itself during playback.
    private func keepTicking(_ ticking: Bool) {
        guard ticking != (ticks != nil) else { return }
        ticks?.cancel()
        ticks =
            !ticking
            ? nil
            : Task { [continuation] in
                while (try? await Task.sleep(for: .milliseconds(200))) != nil { continuation.yield(.tick) }
            }
    }

    // MARK: Control-Z

    private func suspend() async {
        // No shell could continue a stopped program that was started without one.
        guard getsid(0) != getpid() else { return }
        isSuspended = true
        playsOnWhenContinued = player.audio.state == .playing
        if playsOnWhenContinued { await player.audio.pause() }
        terminal.leave()
        // The pause is under way to PipeWire, which would wait for a stream of a stopped program.
        // No event reports its arrival.
        try? await Task.sleep(for: .milliseconds(50))
        // The stop may take effect on this thread a little later.
        kill(getpid(), SIGSTOP)
    }

    private func resume() async {
        isSuspended = false
        terminal.enter()
        guard playsOnWhenContinued else { return }
        playsOnWhenContinued = false
        await perform(.playOrPause)
    }
}
