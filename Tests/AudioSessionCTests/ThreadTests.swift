import AudioSessionTestKit
import AudioSessions
import CAudioSession
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionC

/// Calls of C programs on several threads at a time, without PipeWire.
@Suite(.blocking, .timeLimit(.minutes(10))) struct ThreadTests {
    /// Each call changes only its own part of the session's configuration.
    @Test func settersDoNotUndoOneAnother() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        let executor = try #require(laptop.system.environment.executor as? InlineExecutor)
        // A pointer is not Sendable, but any thread may use a handle of the C library.
        nonisolated(unsafe) let handle = session
        var (info, read) = (sized(as_session_info()), sized(as_configuration()))
        for round in 0..<100 {
            let (isOdd, gate, begun) = (round % 2 == 1, Gate(), Semaphore())
            let category = isOdd ? AS_CATEGORY_PLAYBACK : AS_CATEGORY_AMBIENT
            // The session is busy, and receives the calls when all of them have begun.
            let busy = Task.detached(executorPreference: OwnThread()) {
                executor.run {
                    begun.signal()
                    gate.wait()
                }
            }
            begun.wait()
            let calls: [@Sendable () -> as_status] = [
                { as_session_set_pauses_on_route_loss(handle, isOdd, nil) },
                { as_session_set_resumes_after_interruption(handle, isOdd, nil) },
                {
                    var configuration = as_configuration.playback
                    configuration.category = category
                    return as_session_configure(handle, &configuration, nil)
                },
            ]
            let setters = calls.map { call in
                Task.detached(executorPreference: OwnThread()) {
                    begun.signal()
                    return call()
                }
            }
            for _ in setters { begun.wait() }
            // Work on this thread follows the parts of the calls that do not need the session.
            for _ in 0..<3 { try BridgeThread.wait {} }
            gate.open()
            for setter in setters { #expect(await setter.value == AS_OK) }
            await busy.value
            #expect(as_session_get_info(session, &info) == AS_OK)
            #expect(info.pauses_on_route_loss == isOdd && info.resumes_after_interruption == isOdd)
            #expect(as_session_get_configuration(session, &read) == AS_OK && read.category == category)
        }
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
    }
}
