import AudioSessionTestKit
import AudioSessions
import TestSupport
import Testing

/// The threads on which listeners receive events.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct ListeningTests {
    /// No other thread wakes up for an event.
    @Test func aTaskThatPrefersTheManagersThreadReceivesEventsThere() async throws {
        let pipeWire = try await PrivatePipeWire()
        let manager = try await AudioSessionManager.connect(
            .init(remote: pipeWire.remote, applicationName: "Listener"))
        let executor = manager.environment.executor
        let (handlers, tasks) = (EventLog<Bool>(), EventLog<Bool>())
        let observation = manager.observe { _ in handlers.append(executor.isIsolatingCurrentContext() == true) }
        let events = manager.events()
        let listening = Task(executorPreference: manager.taskExecutor) {
            for await _ in events { tasks.append(executor.isIsolatingCurrentContext() == true) }
        }
        for isOn in [true, false, true] { try await manager.setSilentMode(isOn) }
        try await tasks.wait(for: "three events") { $0.count == 3 }
        #expect(handlers.events == [true, true, true])
        #expect(tasks.events == [true, true, true])
        await manager.close()
        await listening.value
        observation.cancel()
        await pipeWire.stop()
    }
}
