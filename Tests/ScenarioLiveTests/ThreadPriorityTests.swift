import AudioSessionTestKit
import AudioSessions
import Glibc
import TestSupport
import Testing

/// The priority of a manager's thread.
@Suite(.live, .timeLimit(.minutes(10))) struct ThreadPriorityTests {
    private func niceness(_ configuration: AudioSessionManager.Configuration) async throws -> Int32 {
        let manager = try await AudioSessionManager.connect(configuration)
        // With 0 it is the calling thread's, on Linux.
        let task = Task(executorPreference: manager.taskExecutor) {
            getpriority(Int32(PRIO_PROCESS.rawValue), 0)
        }
        let niceness = await task.value
        await manager.close()
        return niceness
    }

    @Test func aProgramCanKeepItsPriority() async throws {
        let pipeWire = try await PrivatePipeWire()
        let own = getpriority(Int32(PRIO_PROCESS.rawValue), id_t(getpid()))
        let kept = try await niceness(.init(remote: pipeWire.remote, raisesThreadPriority: false))
        #expect(kept == own)
        let raised = try await niceness(.init(remote: pipeWire.remote))
        // Where the system does not permit it, no priority is raised.
        #expect(raised == own || own == 0 && raised == -11)
        await pipeWire.stop()
    }
}
