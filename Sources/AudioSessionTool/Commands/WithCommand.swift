import ArgumentParser
import AudioSessions

struct WithCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "with",
        abstract: "Run a command while others pause, are ducked, or mix with it.",
        usage: """
            audiosession with [--pause | --duck | --mix] [--category <category>]
                              [--mode <mode>] [--options <options>]
                              [--priority <priority>] [--except <name> ...]
                              [--require] [--anyway] [--json] [--remote <socket>]
                              -- COMMAND [ARGUMENT ...]
            """,
        discussion: """
            Activates an audio session, runs COMMAND, and restores others when it ends. Without --mix, programs with \
            sessions are interrupted or ducked, and media players and streams of other programs are paused, muted \
            or ducked. The sound of COMMAND and of all its descendants continues. If another session interrupts, or \
            the output is lost, the media player of COMMAND is paused, or its streams are muted. COMMAND has the \
            terminal, standard input and output; all messages go to standard error.

              audiosession with --duck -- espeak-ng "dinner is ready"

            Ends with the exit code of COMMAND, with 128 and the number of the signal that ended it, with 126 if it \
            cannot be run and 127 if it does not exist. Ends with 75, and does not run COMMAND, if another \
            session refuses the activation. Without PipeWire COMMAND still runs.
            """)

    enum Manner: String, EnumerableFlag {
        case pause, duck, mix

        static func help(for value: Manner) -> ArgumentHelp? {
            switch value {
            case .pause: "Others pause, or are muted. The default, unless category and options mix."
            case .duck: "Others are ducked."
            case .mix: "Others continue unchanged."
            }
        }
    }

    @Flag var manner: Manner?

    @Option(help: ArgumentHelp("The session's category.", valueName: "category"))
    var category = "playback"

    @Option(
        help: ArgumentHelp(
            "The session's mode. Without it voicePrompt with category playback, otherwise default.", valueName: "mode"
        ))
    var mode: String?

    @Option(help: ArgumentHelp("The session's options, separated by commas.", valueName: "options"))
    var options = ""

    @OptionGroup var silencing: SilencingOptions

    @Flag(help: "Do not run COMMAND without PipeWire: end with 69.")
    var require = false

    @Flag(help: "Run COMMAND even if another session refuses the activation.")
    var anyway = false

    @Flag(help: "Print messages and events as JSON, one object a line.")
    var json = false

    @OptionGroup var connection: ConnectionOptions

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The command, after two hyphens.", valueName: "COMMAND"))
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else {
            throw ValidationError("COMMAND is missing. Add it after two hyphens: audiosession with -- COMMAND.")
        }
        _ = try settings()
    }

    func settings() throws -> Silencing {
        do {
            var configuration = AudioSessionConfiguration(try .init(named: category))
            if configuration.category == .playback { configuration = Silencing.prompt }
            if let mode { configuration.mode = try .init(named: mode) }
            if !options.isEmpty { configuration.options = try .init(named: options) }
            return try Silencing(manner.flatMap { .init(rawValue: $0.rawValue) }, configuration, silencing)
        } catch let error as AudioSessionError {
            throw ValidationError(error.message)
        }
    }

    func run() async throws {
        let ending = try Ending()
        let run = CommandRun(
            silencing: try settings(), remote: connection.remote,
            command: InheritedEnvironment.arguments(last: command.count),
            output: RunOutput(.errorsWithoutStop, ending: ending), isJSON: json)
        let code = try await run.run(runsAnyway: anyway, requiresSession: require)
        throw ExitCode(code)
    }
}
