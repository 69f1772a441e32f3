import Foundation
import Glibc
import PipeWireGraph
import Testing

@testable import AudioSessionTestKit

/// The parts of a private PipeWire that need none.
@Suite struct StackTests {
    /// The kernel sends SIGHUP to the group if a daemon is stopped when the test's process ends.
    @Test func theWatchdogCleansUpDespiteSignals() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "watchdog.\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Where the shell would wait for the end of its input, it receives the signals.
        let signals = ["HUP", "INT", "QUIT", "TERM"].map { "kill -\($0) $$; " }.joined()
        let script = "read() { \(signals)}; " + StackWatchdog.script(keepsDirectory: false)
        let shell = try ChildProcess(
            program: "/bin/sh", arguments: ["-c", script, "sh", folder.path],
            environment: ["PATH": "/usr/bin:/bin"], output: .files(output: 1, errors: 2))
        #expect(await shell.exited() == .signal(SIGKILL), "its own, at the end")
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func aProgramThatCannotBeFollowedIsEnded() throws {
        let pipe = AudioSessionTestKit.Pipe()
        let ends = try #require(pipe)
        let error = #expect(throws: ChildProcess.SpawnError.self) {
            _ = try ChildProcess(
                program: "/bin/sh", arguments: ["-c", "read -r line"], environment: [:],
                output: .files(output: 1, errors: 2), input: ends.reading, detach: { _ in false })
        }
        #expect(error?.code == EAGAIN)
    }

    @Test func itsProgramsInheritNeitherAnotherPipeWireNorAGroup() throws {
        let environment = Environment.forPrograms(
            of: try PipeWireInstallation(), in: StackDirectory(path: "/nowhere"),
            from: ["PIPEWIRE_REMOTE": "pipewire-1", "AUDIOSESSION_GROUP": "x", "LANG": "C"])
        #expect(environment["PIPEWIRE_REMOTE"] == nil && environment["AUDIOSESSION_GROUP"] == nil)
        #expect(environment["LANG"] == "C")
    }

    @Test func aFolderThatCannotBeWatchedIsAnErrorWithItsReason() {
        let error = #expect(throws: ChildProcess.SpawnError.self) {
            _ = try FileArrival(watching: "/nowhere/at/all")
        }
        #expect(error?.code == ENOENT)
    }
}
