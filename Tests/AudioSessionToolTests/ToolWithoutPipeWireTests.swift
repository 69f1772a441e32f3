import AudioSessionTestKit
import Foundation
import TestSupport
import Testing

@testable import AudioSessionTool

@Suite(.timeLimit(.minutes(10))) struct ToolWithoutPipeWireTests {
    @Test(arguments: ["status", "monitor", "ports", "duck", "pause"])
    func withoutPipeWireALiveCommandFailsWithTheFix(command: String) async throws {
        let run = try await ToolRun(command, "--remote", "/nonexistent/pipewire-0")
        #expect(run.exitCode == 69)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("audiosession: PipeWire is not running: "))
        #expect(run.errors.contains("/nonexistent/pipewire-0"))
        #expect(run.errors.contains("systemctl --user start pipewire"))
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test func withoutPipeWireSimulatedCardsFail() async throws {
        let run = try await ToolRun("simulate", "card", "--remote", "/nonexistent/pipewire-0")
        #expect(run.exitCode == 69)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("/nonexistent/pipewire-0"))
        #expect(run.errors.contains("Start PipeWire, or name the socket of a running one with --remote"))
    }

    @Test func withoutPipeWireACommandRunsUnlessASessionIsRequired() async throws {
        let run = try await ToolRun(
            "with", "--remote", "/nonexistent/pipewire-0", "--", "sh", "-c", "cat; exit 3", input: "x")
        #expect(run.exitCode == 3 && run.output == "x")
        #expect(run.errors.hasPrefix("audiosession: PipeWire is not running: "))
        let json = try await ToolRun("with", "--json", "--remote", "/nonexistent/pipewire-0", "--", "true")
        #expect(
            json.exitCode == 0 && json.errors.contains("\"event\":\"warning\",\"message\":\"PipeWire is not running"))
        let required = try await ToolRun(
            "with", "--require", "--remote", "/nonexistent/pipewire-0", "--", "echo", "heard")
        #expect(required.exitCode == 69 && required.output == "")
    }

    /// The reader of standard error does not read, and the pipe is full.
    @Test(arguments: [[], ["--json"]] as [[String]])
    func aWarningThatIsNotReadDoesNotHoldTheCommandUp(options: [String]) async throws {
        let (input, output, errors) = (Foundation.Pipe(), Foundation.Pipe(), Foundation.Pipe())
        let writer = errors.fileHandleForWriting.fileDescriptor
        _ = fcntl(writer, F_SETFL, O_NONBLOCK)
        let block = [UInt8](repeating: UInt8(ascii: "x"), count: Int(PIPE_BUF))
        while write(writer, block, block.count) > 0 {}
        let command = ["--remote", "/nonexistent/pipewire-0", "--", "sh", "-c", "exit 3"]
        let process = try ToolRun.start(
            ["with"] + options + command, [:], input: input, output: output, errors: errors)
        #expect(await process.exited() == .code(3))
        try errors.fileHandleForReading.close()
    }

    /// The kernel discards the exit code of a child if its parent ignores SIGCHLD.
    @Test func theExitCodeIsKnownEvenIfSignalsOfChildrenWereIgnored() async throws {
        let run = try await ToolRun(
            URL(filePath: "/usr/bin/env"),
            arguments: [
                "--ignore-signal=CHLD", ToolRun.executable.path, "with", "--remote", "/nonexistent/pipewire-0", "--",
                "sh", "-c", "exit 3",
            ])
        #expect(run.exitCode == 3, "\(run.errors)")
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
