import AudioSessionCore
import AudioSessions
import CTestShelter
import Testing

/// No test reaches the PipeWire of the user, however the tests are started.
@Suite struct ShelterTests {
    @Test func withoutARemoteThereIsNoPipeWire() async throws {
        #expect(cts_is_sheltered() != 0)
        let error = await #expect(throws: AudioSessionError.self) { try await AudioSessionManager.connect() }
        #expect(error?.code == .mediaServicesFailed)
    }
}
