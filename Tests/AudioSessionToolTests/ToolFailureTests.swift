import ArgumentParser
import AudioSessions
import Testing

@testable import AudioSessionSimulation
@testable import AudioSessionTestKit
@testable import AudioSessionTool

@Suite(.timeLimit(.minutes(10))) struct ToolFailureTests {
    @Test func anIllegalGroupIsAWrongCommandLine() {
        #expect(ToolFailure.session(AudioSessionError(.badParam, "The group is too long.")).exitCode.rawValue == 64)
    }

    @Test(
        arguments: [
            (ChildProcess.ExitStatus.code(1).description, 1), (ChildProcess.ExitStatus.signal(11).description, 1),
            ("it ended at once", 1), ("it did not listen within 10.0 seconds", 1),
            ("the system has no more files (Too many open files)", 71), ("Cannot allocate memory", 71),
        ] as [(String, Int32)])
    func aProgramThatEndedIsNoLackOfResources(reason: String, code: Int32) {
        let error = TestKitError(.cannotStart, "pipewire cannot be started", why: reason, remedy: "Read its log.")
        #expect(ToolFailure(error).exitCode.rawValue == code)
    }

    /// The test kit's own remedies are for a program that calls it.
    @Test func theRemedyOfTheTestKitIsReplaced() async throws {
        let remote = "/nonexistent/pipewire-0"
        let card = await #expect(throws: TestKitError.self) {
            _ = try await VirtualCard(.builtIn(), remote: remote)
        }
        let tap = await #expect(throws: TestKitError.self) { _ = try await SinkTap(sink: "sink", remote: remote) }
        for error in [card, tap] {
            let message = ToolFailure(try #require(error)).message
            #expect(
                message.hasSuffix(
                    "Start PipeWire, or name the socket of a running one with --remote (it was \(remote))."),
                "\(message)")
        }
    }
}
