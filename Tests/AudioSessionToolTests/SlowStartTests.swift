import AudioSessionTestKit
import Foundation
import TestSupport
import Testing

@testable import AudioSessionTool

/// Signals that arrive while the tool waits for a PipeWire that does not answer.
///
/// The tool gives up after 5 s, so the signal must not wait for a thread of Swift's pool, which all
/// other tests share.
@Suite(.timeLimit(.minutes(10)), .blocking) struct SlowStartTests {
    @Test(arguments: [
        ["monitor"], ["run"], ["duck"], ["pause"], ["simulate", "card"], ["simulate", "call"],
        ["simulate", "prompt"],
    ])
    func aSignalEndsACommandThatWaitsForPipeWire(command: [String]) async throws {
        let server = try SilentServer()
        let (input, output, errors) = (Foundation.Pipe(), Foundation.Pipe(), Foundation.Pipe())
        let process = try ToolRun.start(
            command + ["--remote", server.path], [:], input: input, output: output, errors: errors)
        let client = try await server.client()
        process.signal(SIGTERM)
        let status = await process.exited()
        #expect(status == .code(0))
        #expect(try await ToolRun.text(of: errors) == "")
        close(client)
    }

    /// SIGHUP is ignored, as after `nohup`. The command ends only because the connection does.
    @Test func anIgnoredSIGHUPDoesNotEndACommand() async throws {
        let server = try SilentServer()
        let (input, output, errors) = (Foundation.Pipe(), Foundation.Pipe(), Foundation.Pipe())
        let process = try ToolRun.start(
            ["--ignore-signal=HUP", ToolRun.executable.path, "monitor", "--remote", server.path], [:],
            program: URL(filePath: "/usr/bin/env"), input: input, output: output, errors: errors)
        let client = try await server.client()
        process.signal(SIGHUP)
        // A close alone has no effect while a process of another test has inherited the descriptor.
        shutdown(client, Int32(SHUT_RDWR))
        close(client)
        let status = await process.exited()
        #expect(status == .code(69))
    }
}
