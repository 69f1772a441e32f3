import ArgumentParser
import AudioSessions

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the current route, and the other available ports.",
        discussion: "Ends with 69 if PipeWire cannot be reached.")

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var connection: ConnectionOptions

    func run() async throws {
        let manager = try await connection.connect()
        let status = await manager.status()
        await manager.close()
        let output = LineOutput()
        if json {
            try output.write("\(JSONFormat.status(status))")
        } else {
            for line in status.lines { try output.print(line) }
        }
    }
}
