import Foundation
import TestSupport
import Testing

@testable import AudioSessionTool

@Suite(.timeLimit(.minutes(10))) struct ToolWithoutPipeWireTests {
    @Test(arguments: ["status", "monitor", "ports"])
    func withoutPipeWireALiveCommandSaysSoAndWhatToDo(command: String) async throws {
        let run = try await ToolRun(command, "--remote", "/nonexistent/pipewire-0")
        #expect(run.exitCode == 69)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("audiosession: PipeWire is not running: "))
        #expect(run.errors.contains("/nonexistent/pipewire-0"))
        #expect(run.errors.contains("systemctl --user start pipewire"))
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test func withoutPipeWireThereIsNoCardEither() async throws {
        let run = try await ToolRun("simulate", "card", "--remote", "/nonexistent/pipewire-0")
        #expect(run.exitCode == 69)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("/nonexistent/pipewire-0"))
        #expect(run.errors.contains("Start PipeWire"))
    }

    @Test(arguments: [ToolRun.executable, ToolRun.simulator]) func theVersionGoesToStandardOutput(program: URL)
        async throws
    {
        let run = try await ToolRun(program, arguments: ["--version"])
        #expect(run.exitCode == 0)
        #expect(run.output == "\(ToolProgram.version)\n")
    }

    @Test func aWrongCommandLineIsExplainedOnStandardError() async throws {
        let run = try await ToolRun("status", "--yaml")
        #expect(run.exitCode == 64)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("Unknown option '--yaml'"))
    }
}
