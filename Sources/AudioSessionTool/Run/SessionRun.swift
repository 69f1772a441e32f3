import AudioSessionPlayback
import AudioSessions
import PipeWireGraph

/// Runs one session that standard input controls.
struct SessionRun: Sendable {
    let manager: AudioSessionManager
    let output: LineOutput

    /// Runs until the input ends, `ending` is requested, or the reader closes the output.
    ///
    /// The session is not deactivated, so it leaves in the same way as any program that ends.
    func run(until ending: Ending) async throws {
        let lines = RunOutput(output, ending: ending)
        let console = try RunConsole(manager: manager) { lines.post(RunFormat.event($0)) }
        let player = console.player
        lines.post(RunFormat.ready(console.session.id.description))
        let observation = console.session.observe { lines.post(RunFormat.event($0)) }
        let recorder = console.recorder
        let recording = recorder.observe { if let line = RunFormat.event($0) { lines.post(line) } }
        await player.joinSession()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await executeCommands(console, LineInput(ending: ending, limit: RunCommandLine.maximumLength), lines)
            }
            group.addTask { await ending.wait(orUntilAbandoned: output) }
            await group.next()
            observation.cancel()
            recording.cancel()
            // The other tasks do not react to cancellation, only to these calls. A command that
            // PipeWire does not answer returns when the connection closes.
            ending.request()
            await console.unmanaged.close()
            await player.close()
            await recorder.close()
            await manager.close()
        }
        await lines.drain()
        if let failure = lines.failure { throw failure }
    }

    private func executeCommands(_ console: RunConsole, _ input: LineInput, _ lines: RunOutput) async {
        var (console, input) = (console, input)
        while let line = await input.next() {
            guard let command = RunCommandLine(line) else { continue }
            let result: Result<[(String, JSONValue)], RunFailure>
            switch command.action {
            case .success(let action): result = await console.perform(action)
            case .failure(let failure): result = .failure(failure)
            }
            await lines.reply(RunFormat.reply(command.word, result))
            if command.action == .success(.quit) { return }
        }
    }
}
