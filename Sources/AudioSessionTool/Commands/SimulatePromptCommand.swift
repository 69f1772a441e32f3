import ArgumentParser
import AudioSessions

struct SimulatePromptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prompt",
        abstract: "Be a program that says something: it lowers music, interrupts who speaks, and lets both be again.",
        // Lines of at most 80 columns.
        usage: """
            audiosession simulate prompt [--seconds <seconds>] [--json]
                                         [--remote <socket>]
            """,
        discussion: """
            Nothing is heard: it is the session that others make room for. SIGINT (Ctrl-C) and SIGTERM end it early.

            Ends with 69 if PipeWire cannot be reached or goes away.
            """)

    @Option(help: ArgumentHelp("How long it speaks.", valueName: "seconds"))
    var seconds = 3.0

    @Flag(help: "Print one JSON object a line. The format is stable: see Docs/CommandLine.md.")
    var json = false

    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard (0...86_400).contains(seconds) else {
            throw ValidationError("--seconds \(seconds) is not from 0 to 86400.")
        }
    }

    func run() async throws {
        let ending = try Ending()
        ending.followSignals()
        let manager = try await connection.connect()
        let configuration = AudioSessionConfiguration(
            .playback, mode: .voicePrompt, options: [.duckOthers, .interruptSpokenAudioAndMixWithOthers])
        do {
            let prompt = try SimulatedSession(
                "prompt", configuration, on: manager, until: ending, output: LineOutput(ending: ending), json: json)
            try await prompt.enter(.speaking) { try await $0.activate() }
            _ = try await prompt.last(.seconds(seconds))
            try await prompt.enter(.silent) { try await $0.deactivate() }
        } catch {
            throw ToolFailure(error)
        }
        await manager.close()
    }
}

extension SimulatedSession.Phase {
    fileprivate static let speaking = Self(name: "speaking", sentence: "it speaks, and others are lowered")
    fileprivate static let silent = Self(name: "ended", sentence: "it has spoken, and others are as before")
}
