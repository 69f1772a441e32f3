import AudioSessionCore
import AudioSessionDesktop
import AudioSessionTestKit
import CAudioSession
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionC

private struct NoBus: Error {}

/// Programs without sessions, for C programs, without PipeWire.
@Suite(.blocking, .timeLimit(.minutes(10))) struct UnmanagedTests {
    private let received = ReceivedLines()

    @Test func exceptionsAreReadFromArrays() throws {
        let names = [Word("mpd"), Word("orca")]
        var pointers = names.map(\.pointer)
        let processes: [Int32] = [12, 34]
        try pointers.withUnsafeMutableBufferPointer { names in
            try processes.withUnsafeBufferPointer { processes in
                var options = sized(as_unmanaged_options())
                (options.names, options.name_count) = (UnsafePointer(names.baseAddress), 2)
                (options.processes, options.process_count) = (processes.baseAddress, 2)
                let exceptions = try UnmanagedAudio.Exceptions(&options)
                #expect(exceptions.names == ["mpd", "orca"] && exceptions.processes == [12, 34])
                options.process_count = .max
                #expect(throws: Failure.self, "the array is not read") { try UnmanagedAudio.Exceptions(&options) }
                options.process_count = 2
                names[1] = nil
                #expect(throws: Failure.self) { try UnmanagedAudio.Exceptions(&options) }
                options.names = nil
                #expect(throws: Failure.self) { try UnmanagedAudio.Exceptions(&options) }
            }
        }
        withExtendedLifetime(names) {}
        #expect(try UnmanagedAudio.Exceptions(nil as UnsafePointer<as_unmanaged_options>?) == .init())
    }

    /// Without a bus the session is active all the same. The event says why no player is paused.
    @Test func whatIsMissingIsReported() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        let environment = UnmanagedAudio.Environment(
            address: { throw NoBus() }, programs: { PlayingPrograms() },
            pipeWire: .init(remote: "/none such"))
        let unmanaged = UnmanagedPrograms(
            try UnmanagedAudio(try Handles.all.find(session, Session.self).session, in: environment), calledBy: nil
        ).handle()
        let context = Unmanaged.passUnretained(received).toOpaque()
        let status = as_unmanaged_set_handler(
            unmanaged,
            { _, event, context in
                guard let event = event?.pointee, let context else { return }
                let reason = event.reason.map { String(cString: $0) } ?? "-"
                Unmanaged<ReceivedLines>.fromOpaque(context).takeUnretainedValue().append(
                    "\(event.type.rawValue) \(reason) \(event.time > 0)")
            }, context)
        #expect(status == AS_OK)
        #expect(as_session_set_unmanaged_policy(session, AS_UNMANAGED_PAUSE, nil) == AS_OK)
        #expect(as_session_activate(session, nil) == AS_OK)
        try await received.wait(for: "8 NoBus() true")
        var (programs, program) = (nil as OpaquePointer?, sized(as_program()))
        #expect(as_unmanaged_get_programs(unmanaged, &programs) == AS_OK)
        #expect(as_programs_count(programs) == 0 && as_programs_get(programs, 0, &program) == AS_ERROR_BAD_PARAM)
        #expect(as_programs_free(programs) == AS_OK)
        #expect(as_unmanaged_wait_until_restored(unmanaged, 10, nil) == AS_ERROR_TIMED_OUT, "the session is active")
        #expect(as_session_deactivate(session, true, nil) == AS_OK)
        #expect(as_unmanaged_wait_until_restored(unmanaged, 10_000, nil) == AS_OK)
        #expect(as_unmanaged_destroy(unmanaged) == AS_OK)
        #expect(as_unmanaged_wait_until_restored(unmanaged, 0, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
        withExtendedLifetime(received) {}
    }

    @Test func misuseIsAnError() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        var (unmanaged, error) = (nil as OpaquePointer?, as_error.new)
        #expect(as_unmanaged_create(nil, nil, &unmanaged, &error) == AS_ERROR_BAD_HANDLE)
        #expect(as_unmanaged_create(session, nil, nil, &error) == AS_ERROR_BAD_PARAM)
        var options = as_unmanaged_options()
        #expect(as_unmanaged_create(session, &options, &unmanaged, &error) == AS_ERROR_BAD_PARAM)
        #expect(as_unmanaged_create(session, nil, &unmanaged, &error) == AS_OK)
        #expect(as_player_destroy(unmanaged) == AS_ERROR_BAD_HANDLE)
        #expect(as_unmanaged_destroy(unmanaged) == AS_OK && as_unmanaged_destroy(nil) == AS_OK)
        #expect(as_programs_count(nil) == 0 && as_programs_free(nil) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
    }
}
