import ArgumentParser
import Testing

@testable import AudioSessionTool

@Suite struct ArgumentTests {
    @Test func optionsReachTheirCommands() throws {
        let monitor = try #require(
            try AudioSessionTool.parseAsRoot(["monitor", "--json", "--remote", "pipewire-1"]) as? MonitorCommand)
        #expect(monitor.json)
        #expect(monitor.connection.remote == "pipewire-1")
        let status = try #require(try AudioSessionTool.parseAsRoot(["status"]) as? StatusCommand)
        #expect(!status.json)
        #expect(status.connection.remote == nil)
        let ports = try #require(try AudioSessionTool.parseAsRoot(["ports", "--dump", "-"]) as? PortsCommand)
        #expect(ports.dump == "-")
    }

    @Test(arguments: [
        ["bogus"], ["status", "extra"], ["status", "--remote"], ["monitor", "--yaml"],
        ["ports", "--dump", "x", "--remote", "y"],
    ])
    func aWrongCommandLineIsAUsageError(arguments: [String]) throws {
        let error = try #require(throws: (any Error).self) { try AudioSessionTool.parseAsRoot(arguments) }
        #expect(AudioSessionTool.exitCode(for: error).rawValue == 64)
    }

    @Test func helpTellsCommandsAndExitCodes() {
        let help = AudioSessionTool.helpMessage(columns: 80)
        for word in ["status", "monitor", "ports", "Exit codes", "69  PipeWire cannot be reached"] {
            #expect(help.contains(word))
        }
    }
}
