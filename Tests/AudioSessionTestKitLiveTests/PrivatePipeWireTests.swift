import AudioSessionTestKit
import Glibc
import TestSupport
import Testing

@Suite(.live, .serialized, .timeLimit(.minutes(10)))
struct PrivatePipeWireTests {
    private func start() async throws -> PrivatePipeWire {
        var options = PrivatePipeWire.Options()
        options.hasSessionManager = false
        return try await PrivatePipeWire(options)
    }

    @Test func aProgramEndsWithItsTask() async throws {
        let pipeWire = try await start()
        let sleeper = Task { try await pipeWire.run("sleep", ["1000"]) }
        sleeper.cancel()
        let result = await sleeper.result
        await pipeWire.stop()
        #expect(try result.get().status == 256 + SIGKILL)
    }

    @Test func nothingStartsAfterStop() async throws {
        let pipeWire = try await start()
        await pipeWire.stop()
        let daemon = await #expect(throws: TestKitError.self) { try await pipeWire.startDaemon() }
        #expect(daemon?.code == .closed)
        let program = await #expect(throws: TestKitError.self) { _ = try await pipeWire.run("pw-dump") }
        #expect(program?.code == .closed)
    }

    @Test func noSessionManagerStartsWithoutTheDaemon() async throws {
        let pipeWire = try await start()
        await pipeWire.killDaemon()
        let error = await #expect(throws: TestKitError.self) { try await pipeWire.startSessionManager() }
        #expect(error?.code == .daemonUnreachable && error?.remedy.contains("startDaemon()") == true)
        await pipeWire.stop()
    }

    @Test func anErrorNamesNoFileThatIsRemoved() async throws {
        let pipeWire = try await start()
        let error = await #expect(throws: TestKitError.self) { _ = try await pipeWire.run("/nowhere/program") }
        #expect(error?.code == .cannotStart && error?.remedy.contains(".log") == false)
        await pipeWire.stop()
    }
}
