import ArgumentParser
import AudioSessionText
import AudioSessions

struct PortsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ports",
        abstract: "List every port of this computer, or of a saved pw-dump, with its type and the reason for it.",
        discussion: """
            Prints one line for each port: an asterisk if its node uses it now, its direction, its type (with a \
            question mark if it is uncertain), its name, its uid, and the reason for the type.

            To report a port of the wrong type, attach a dump: 'pw-dump > report.json'. \
            'audiosession ports --dump report.json' then prints the same on every computer, without PipeWire.

            Ends with 65 if the file is no dump, 66 if it cannot be read, 69 if PipeWire cannot be reached.
            """)

    @Option(
        help: ArgumentHelp("Read a saved pw-dump instead; '-' is standard input.", valueName: "file"),
        completion: .file())
    var dump: String?

    @Flag(help: "Print a JSON array.")
    var json = false

    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        if dump != nil, connection.remote != nil {
            throw ValidationError("--dump reads a file without PipeWire. Leave out --dump or --remote.")
        }
    }

    func run() async throws {
        let ports = if let dump { try InputFile(path: dump).dump().ports } else { try await live().ports }
        let output = LineOutput()
        if json {
            for line in JSONFormat.lines(ports.map(JSONFormat.port)) { try output.write(line) }
        } else {
            for port in ports { try output.print(port.description) }
        }
    }

    private func live() async throws -> PipeWireDump {
        let manager = try await connection.connect()
        let graph = await manager.graph
        await manager.close()
        return PipeWireDump(graph: graph)
    }
}

extension InputFile {
    func dump() throws(ToolFailure) -> PipeWireDump {
        let bytes = try read()
        do {
            return try PipeWireDump(json: bytes)
        } catch {
            throw .badInput("\(name) is not the output of pw-dump: \(error). Create one with 'pw-dump > FILE'.")
        }
    }
}
