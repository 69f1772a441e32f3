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

    @Test(arguments: [(TestKitError.Code.programEnded, 1), (.cannotStart, 71)] as [(TestKitError.Code, Int32)])
    func aProgramThatEndedIsNoLackOfResources(code: TestKitError.Code, exitCode: Int32) {
        let error = TestKitError(code, "pipewire cannot be started", why: "of this", remedy: "Read its log.")
        #expect(ToolFailure(error).exitCode.rawValue == exitCode)
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
            #expect(message.contains("with --remote") && !message.contains("'remote'"), "\(message)")
        }
    }
}
