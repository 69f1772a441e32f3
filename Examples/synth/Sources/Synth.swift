import ArgumentParser
import AudioSessionPlayback
import AudioSessions
import CStrings
import ExampleSupport

/// Thirteen strings that keys pluck. They are rendered in C on the real-time thread.
@main
struct Synth: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "synth",
        abstract: "Plays strings by keys, rendered in a callback; it is silent while another program interrupts.",
        discussion: """
            Keys:
              a to k     pluck a white key's string; w e t y u the black ones
              l          shows the latency from a key to the ear
              q          quits; so does Control-C

            Exit codes: 0 quit; 64 the command line is wrong; 69 PipeWire cannot be reached, or was lost; 75 refused; \
            128 and more: ended by the signal of that number less 128.
            """)

    func run() async throws {
        do {
            try await play()
        } catch {
            if let words = error.lastWords { say(words) }
            throw ExitCode(error.exitStatus)
        }
    }

    private func play() async throws {
        let happenings = Happenings()
        let manager = try await AudioSessionManager.connect(.init(applicationName: "synth"))
        let session = try AudioSession(manager: manager, configuration: .init(.playback))
        // A short cycle, because a key is heard with the next one.
        try await session.setPreferredIOBufferDuration(.milliseconds(5))
        guard let strings = strings_make() else { throw ExitCode(71) }
        let output = AudioOutput(
            session: session, configuration: .init(title: "Strings"),
            render: .init(strings_render, context: strings, destroyContext: strings_destroy))
        happenings.follow(output)
        happenings.followKeys()
        try await output.start()
        say("playing on \(output.route.outputs.first?.name ?? "no output")")
        for line in Keyboard.help.split(separator: "\n") { say(String(line)) }
        while true {
            guard case .key(let key) = try await happenings.wait(until: \.isKey), key != "q" else { break }
            switch key {
            case "l": say(await output.latencySentence)
            default:
                guard let string = Keyboard.string(of: key) else { continue }
                await output.startAgain()
                strings_strike(strings, string)
            }
        }
        // With notify, so that music resumes.
        try await session.deactivate()
        await output.close()
        await manager.close()
        withExtendedLifetime(output) {}
    }
}

extension AudioOutput {
    /// Starts again after a pause that nothing else ends: the loss of the device, or an
    /// interruption that ended without advice to resume. A user who then presses a key wants to
    /// hear it.
    fileprivate func startAgain() async {
        guard case .paused = state, session.state != .interrupted else { return }
        do {
            try await start()
        } catch {
            say(error.message)
        }
    }

    /// The latency as text: "latency 16 ms at most, in cycles of 256 frames".
    fileprivate var latencySentence: String {
        let statistics = statistics
        guard statistics.cycles > 0, statistics.graphRate > 0 else {
            return "latency unknown: nothing was played yet"
        }
        let cycle = Duration.seconds(1) * statistics.quantum / statistics.graphRate
        // A key waits for the next cycle, for half a cycle in the mean and for a whole one at most.
        return "latency \((latency + cycle).milliseconds) ms at most, in cycles of \(statistics.quantum) frames"
    }
}

extension Duration {
    fileprivate var milliseconds: Int { Int((self / .milliseconds(1)).rounded()) }
}

extension Happenings.Happening {
    fileprivate var isKey: Bool { if case .key = self { true } else { false } }
}
