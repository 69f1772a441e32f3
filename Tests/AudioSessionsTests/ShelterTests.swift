import AudioSessionCore
import AudioSessions
import CTestShelter
import Testing

/// However the tests are started, none reaches the PipeWire of the user.
@Suite struct ShelterTests {
    @Test func withoutARemoteThereIsNoPipeWire() async throws {
        #expect(cts_is_sheltered() != 0)
        let error = await #expect(throws: AudioSessionError.self) { try await AudioSessionManager.connect() }
        #expect(error?.code == .mediaServicesFailed)
    }
}
