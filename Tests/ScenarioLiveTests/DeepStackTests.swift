import AudioSessions
import TestSupport
import Testing

@testable import AudioSessionTestKit

/// More sessions than any computer has, each interrupted by the next.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct DeepStackTests {
    @Test func aStackOf150SessionsEndsInReverseOrder() async throws {
        let pipeWire = try await PrivatePipeWire()
        let crowd = try await Crowd(.stacked, sessions: 150, in: 5, on: pipeWire)
        let manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote))
        #expect(await manager.overview.sessions.count == 150)
        let last = try AudioSession(manager: manager, configuration: .init(.playback))
        try await last.activate()
        try await last.deactivate()
        // Each is released after the one above.
        #expect(await crowd.end() == Array(repeating: .code(0), count: 5))
        await manager.close()
        await pipeWire.stop()
    }
}
