import ArgumentParser
import AudioSessions

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a program with one audio session, controlled by standard input.",
        discussion: """
            Reads commands from standard input, one a line, and answers in JSON, one line a command; events of the \
            session are printed in between:
            \(RunUsage.text)

            Docs/CommandLine.md describes the lines. Ends with 69 if PipeWire cannot be reached.
            """)

    @Flag(help: "Accepted, since every command has it: the answers are JSON in any case.")
    var json = false

    @OptionGroup var connection: ConnectionOptions

    func run() async throws {
        let ending = try Ending()
        ending.followSignals()
        let manager = try await connection.connect(until: ending)
        do {
            try await SessionRun(manager: manager, output: LineOutput(ending: ending)).run(until: ending)
        } catch let error as AudioSessionError {
            throw ToolFailure.session(error)
        }
    }
}
