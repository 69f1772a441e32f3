import ArgumentParser

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Be a program with one audio session, driven by standard input.",
        discussion: """
            Reads commands from standard input, one a line, and answers in JSON, one line a command; what the \
            session is told comes in between:
              category NAME [mode=M] [options=A,B] [policy=P]
              priority media|alarm|ringtone|communication|emergency
              group NAME                            sessions of one group leave each other alone
              background on|off                     whether this program says that it is in the background
              activate, deactivate [notify|silent]
              play tone [HZ], play FILE, play       activates first if need be
              pause, stop, volume 0…1
              state, route, why, ports, other       what is true now
              auto on|off                           whether to go on when advised to
              noisy pause|ignore                    what to do when the output in use goes
              foreign leave|pause|duck|auto         what players of programs without sessions are to do
              quit                                  end, as the end of the input does: without deactivating

            Docs/CommandLine.md describes the lines. Ends with 69 if PipeWire cannot be reached.
            """)

    @Flag(help: "Accepted, since every command has it: the answers are JSON in any case.")
    var json = false

    @OptionGroup var connection: ConnectionOptions

    func run() async throws {
        let ending = try Ending()
        ending.followSignals()
        let manager = try await connection.connect()
        try await SessionRun(manager: manager, output: LineOutput(ending: ending)).run(until: ending)
    }
}
