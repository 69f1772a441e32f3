import ArgumentParser
import AudioSessions

struct DuckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "duck",
        abstract: "Duck all other programs until this ends.",
        usage: """
            audiosession duck [--seconds <seconds>] [--except <name> ...]
                              [--priority <priority>] [--json] [--remote <socket>]
            """,
        discussion: HoldOptions.discussion)

    @OptionGroup var hold: HoldOptions
    @OptionGroup var silencing: SilencingOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws { _ = try Silencing(.duck, Silencing.prompt, silencing) }

    func run() async throws { try await hold.run(try Silencing(.duck, Silencing.prompt, silencing), connection) }
}

struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pause or mute all other programs until this ends.",
        usage: """
            audiosession pause [--seconds <seconds>] [--except <name> ...]
                               [--priority <priority>] [--json] [--remote <socket>]
            """,
        discussion: HoldOptions.discussion)

    @OptionGroup var hold: HoldOptions
    @OptionGroup var silencing: SilencingOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws { _ = try Silencing(.pause, Silencing.prompt, silencing) }

    func run() async throws { try await hold.run(try Silencing(.pause, Silencing.prompt, silencing), connection) }
}

/// The options that limit how long `duck` and `pause` hold their session.
struct HoldOptions: ParsableArguments {
    static let discussion = """
        Continues until SIGINT (Ctrl-C) or SIGTERM, until standard input ends if that is a pipe, or for as many seconds as \
        --seconds gives. Then everything is restored, also after SIGKILL.

        Ends with 69 if PipeWire cannot be reached, and with 75 if another session refuses the activation.
        """

    @Option(help: ArgumentHelp("The maximum duration.", valueName: "seconds"))
    var seconds: Double?

    @Flag(help: "Print events, one JSON object a line.")
    var json = false

    init() {}

    func validate() throws {
        if let seconds, !(0...86_400).contains(seconds) {
            throw ValidationError("--seconds \(seconds) is out of range. Use 0 to 86400.")
        }
    }

    func run(_ silencing: Silencing, _ connection: ConnectionOptions) async throws {
        let ending = try Ending()
        ending.followSignals()
        try await Hold(
            silencing: silencing, remote: connection.remote, output: LineOutput(ending: ending), isJSON: json
        ).run(until: ending, within: seconds.map { .seconds($0) })
    }
}
