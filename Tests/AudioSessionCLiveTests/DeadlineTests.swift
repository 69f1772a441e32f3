import Foundation
import TestSupport
import Testing

@testable import AudioSessionTestKit

/// Programs in C beside a stopped PipeWire.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct DeadlineTests {
    /// The timeout of `deadlines.c`, in milliseconds.
    private static let timeout = 2_000

    @Test func eachCallThatWaitsTimesOutWhilePipeWireIsStopped() async throws {
        let compiler = try Compiler()
        defer { compiler.remove() }
        let pipeWire = try await PrivatePipeWire()
        let environment = Compiler.environment(pipeWire)
        let music = try Program("C", await compiler.compile("Examples/c/listener.c"), ["music"], environment)
        let program = try Program(
            "deadlines", await compiler.compile("Tests/AudioSessionCLiveTests/Programs/deadlines.c"), [], environment)
        for program in [music, program] { try await program.waitForLine("ready") }
        try music.send("activate")
        try await music.waitForLine("done")

        await pipeWire.suspendDaemon()
        try await expectTimeout(of: "activate", program)
        try await expectState("inactive", program)
        try await expectTimeout(of: "open", program)
        await pipeWire.resumeDaemon()
        // The token was granted late, and released with notify.
        try await music.waitForLine("interrupted by deadlines")
        try await music.waitForLine("may resume")
        #expect(try await time(of: "activate", program, endsWith: "AS_OK") < Self.timeout)

        await pipeWire.suspendDaemon()
        try await expectTimeout(of: "mix", program)
        try await expectState("active", program)
        try await expectTimeout(of: "deactivate", program)
        try await expectState("inactive", program)
        await pipeWire.resumeDaemon()
        #expect(try await time(of: "activate", program, endsWith: "AS_OK") < Self.timeout)
        #expect(try await time(of: "mix", program, endsWith: "AS_OK") < Self.timeout)
        #expect(try await time(of: "unmix", program, endsWith: "AS_OK") < Self.timeout)

        // Opening waits no longer than that for a PipeWire that does not run.
        try await expectTimeout(of: "wait", program)
        await pipeWire.suspendDaemon()
        #expect(try await time(of: "destroy", program, endsWith: "AS_OK") < Self.timeout)
        #expect(try await time(of: "close", program, endsWith: "AS_OK") < Self.timeout)
        await pipeWire.resumeDaemon()
        for program in [music, program] { #expect(try await program.end() == .code(0)) }
        await pipeWire.stop()
    }

    private func expectTimeout(of call: String, _ program: Program) async throws {
        let time = try await time(of: call, program, endsWith: "AS_ERROR_TIMED_OUT")
        // A call that waits for the default of 5 s, or twice, takes longer.
        #expect((Self.timeout..<2 * Self.timeout).contains(time), "\(call)")
    }

    private func expectState(_ state: String, _ program: Program) async throws {
        try program.send("state")
        #expect(try await program.waitForLine("state ") == "state \(state)")
    }

    /// Reads the milliseconds that a call took.
    private func time(of call: String, _ program: Program, endsWith status: String) async throws -> Int {
        try program.send(call)
        let answer = try await program.waitForLine("\(call) ").split(separator: " ")
        try #require(answer.count == 3 && answer[1] == status, "\(answer)")
        return try #require(Int(answer[2]))
    }
}
