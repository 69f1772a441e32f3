import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import CAudioSession
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionC

/// Sound of other libraries, for C programs, without PipeWire.
@Suite(.blocking, .timeLimit(.minutes(10))) struct AttachedTests {
    @Test func streamsAreAttachedToOneSessionAtATime() async throws {
        let system = FakeAudioSystem(graph: AudioGraph())
        #expect(HandlerQueue.thread.start())
        let manager = Manager(try await system.connect(.init(remote: "/nonexistent/attached")), calledBy: nil)
            .handle()
        var (configuration, error) = (as_configuration.playback, as_error.new)
        var (session, attached, second) = (nil as OpaquePointer?, nil as OpaquePointer?, nil as OpaquePointer?)
        #expect(as_session_create(manager, &configuration, &session, &error) == AS_OK)
        #expect(as_attached_create(nil, &attached, &error) == AS_ERROR_BAD_HANDLE)
        #expect(as_attached_create(session, nil, &error) == AS_ERROR_BAD_PARAM)
        #expect(as_attached_create(session, &attached, &error) == AS_OK, "\(error.text)")
        #expect(as_attached_create(session, &second, &error) == AS_ERROR_BAD_PARAM && second == nil)
        #expect(as_output_destroy(attached) == AS_ERROR_BAD_HANDLE)
        #expect(as_attached_destroy(attached) == AS_OK && as_attached_destroy(nil) == AS_OK)
        #expect(as_attached_destroy(attached) == AS_ERROR_BAD_HANDLE)
        #expect(as_attached_create(session, &second, &error) == AS_OK, "\(error.text)")
        #expect(as_attached_destroy(second) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        #expect(as_manager_close(manager) == AS_OK)
    }
}
