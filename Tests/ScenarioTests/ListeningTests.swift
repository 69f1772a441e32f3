import AudioSessionTestKit
import AudioSessions
import Glibc
import Testing

/// Where listeners hear of what happens.
@Suite(.timeLimit(.minutes(2))) struct ListeningTests {
    /// No other thread is woken for it.
    @Test func aTaskThatPrefersTheManagersThreadHearsThereAsAHandlerDoes() async throws {
        let pipeWire = try await PrivatePipeWire()
        let manager = try await AudioSessionManager.connect(
            .init(remote: pipeWire.remote, applicationName: "Listener"))
        let (handlers, tasks) = (EventLog<pthread_t>(), EventLog<pthread_t>())
        let observation = manager.observe { _ in handlers.append(pthread_self()) }
        let events = manager.events()
        let listening = Task(executorPreference: manager.taskExecutor) {
            for await _ in events { tasks.append(pthread_self()) }
        }
        for isOn in [true, false, true] { try await manager.setSilentMode(isOn) }
        try await tasks.wait(for: "three events") { $0.count == 3 }
        #expect(tasks.events == handlers.events)
        #expect(Set(tasks.events).count == 1)
        await manager.close()
        await listening.value
        observation.cancel()
        await pipeWire.stop()
    }
}
