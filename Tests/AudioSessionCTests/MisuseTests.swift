import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import CAudioSession
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionC

/// Misuse of the C functions.
@Suite(.blocking, .timeLimit(.minutes(10))) struct MisuseTests {
    @Test func nullIsAnErrorEverywhere() {
        #expect(as_manager_open(nil, nil, nil) == AS_ERROR_BAD_PARAM)
        #expect(as_session_create(nil, nil, nil, nil) == AS_ERROR_BAD_PARAM)
        var session: OpaquePointer?
        #expect(as_session_create(nil, nil, &session, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_configure(nil, nil, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_activate(nil, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_deactivate(nil, true, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_set_handler(nil, { _, _, _ in }, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_get_info(nil, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_get_route(nil, nil) == AS_ERROR_BAD_PARAM)
        #expect(as_session_set_preferred_sample_rate(nil, 0, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_set_preferred_io_buffer_duration(nil, 0, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_override_output(nil, true, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_set_input_gain(nil, 1, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_route_count(nil, AS_DIRECTION_OUTPUT) == 0)
        #expect(as_route_port(nil, AS_DIRECTION_OUTPUT, 0, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_route_copy(nil, nil) == AS_ERROR_BAD_PARAM)
        #expect(as_manager_close(nil) == AS_OK)
        #expect(as_session_destroy(nil) == AS_OK)
        #expect(as_route_free(nil) == AS_OK)
    }

    @Test func invalidHandlesAreErrors() async throws {
        let laptop = try await Laptop()
        var error = as_error.new
        #expect(as_session_activate(laptop.manager, &error) == AS_ERROR_BAD_HANDLE)
        #expect(error.status == AS_ERROR_BAD_HANDLE)
        #expect(error.text.hasPrefix("The handle is no as_session: it is NULL, was released, or"))
        let session = try laptop.session()
        #expect(as_manager_close(session) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_destroy(session) == AS_OK)
        #expect(as_session_destroy(session) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_activate(session, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_activate(OpaquePointer(bitPattern: 0x7fff_ffff_0001), nil) == AS_ERROR_BAD_HANDLE)
        laptop.close()
    }

    @Test func sizesThatAreTooSmallAreErrors() async throws {
        let laptop = try await Laptop()
        var (options, error, configuration) = (as_manager_options(), as_error.new, as_configuration())
        var manager: OpaquePointer?
        #expect(as_manager_open(&options, &manager, &error) == AS_ERROR_BAD_PARAM)
        #expect(error.text.hasPrefix("The size of as_manager_options is 0, but must be at least 32."))
        #expect(error.os_status == -50)
        let session = try laptop.session()
        configuration.size = 31
        #expect(as_session_configure(session, &configuration, &error) == AS_ERROR_BAD_PARAM)
        // The buffer may be too small, so nothing is written.
        var (small, info) = (as_error(), as_session_info())
        small.size = 511
        #expect(as_session_activate(session, &small) == AS_ERROR_BAD_PARAM)
        #expect(small.status == AS_OK && small.text.isEmpty)
        #expect(as_session_get_info(session, &info) == AS_ERROR_BAD_PARAM)
        // A newer program has a larger struct.
        info.size = 200
        #expect(as_session_get_info(session, &info) == AS_OK)
        #expect(info.size == 200)
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
    }

    @Test func invalidNumbersAndStringsAreErrors() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        var (configuration, error) = (as_configuration.playback, as_error.new)
        configuration.category = as_category(rawValue: 6)
        #expect(as_session_configure(session, &configuration, &error) == AS_ERROR_BAD_PARAM)
        #expect(error.text.hasPrefix("The category 6 does not exist."))
        configuration = .playback
        configuration.options = 0x8000
        #expect(as_session_configure(session, &configuration, &error) == AS_ERROR_BAD_PARAM)
        let bytes: [CChar] = [-1, -2, 0]
        bytes.withUnsafeBufferPointer { group in
            configuration = .playback
            configuration.group = group.baseAddress
            #expect(as_session_configure(session, &configuration, &error) == AS_ERROR_BAD_PARAM)
        }
        #expect(error.text == "group is not valid UTF-8.")
        for seconds in [Double.nan, .infinity, -.infinity, -1, 1e300] {
            #expect(as_session_set_preferred_io_buffer_duration(session, seconds, nil) == AS_ERROR_BAD_PARAM)
        }
        #expect(as_session_set_input_gain(session, .nan, nil) == AS_ERROR_BAD_PARAM)
        #expect(as_session_set_preferred_sample_rate(session, -1, nil) == AS_ERROR_BAD_PARAM)
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
    }

    /// A program that passes `NULL` by mistake keeps its configuration.
    @Test func aMissingConfigurationIsAnError() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        var (error, read) = (as_error.new, sized(as_configuration()))
        #expect(as_session_configure(session, nil, &error) == AS_ERROR_BAD_PARAM)
        #expect(error.text.hasPrefix("The configuration is NULL. Pass") && error.os_status == -50)
        #expect(as_session_get_configuration(session, &read) == AS_OK && read.category == AS_CATEGORY_PLAYBACK)
        #expect(as_configuration_validate(nil, &error) == AS_ERROR_BAD_PARAM)
        #expect(error.text.hasPrefix("The configuration is NULL. Pass"))
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
    }

    @Test func callsAfterTheManagerIsClosedAreErrors() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        laptop.close()
        var error = as_error.new
        #expect(as_session_activate(session, &error) == AS_ERROR_MEDIA_SERVICES_FAILED)
        #expect(!error.text.isEmpty)
        var (late, configuration) = (nil as OpaquePointer?, as_configuration.playback)
        #expect(as_session_create(laptop.manager, &configuration, &late, nil) == AS_ERROR_BAD_HANDLE)
        #expect(late == nil)
        #expect(as_session_destroy(session) == AS_OK)
    }

    @Test func aHandlerCannotReleaseAnObjectThatWaitsForIt() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        let received = ReceivedLines()
        let context = Unmanaged.passUnretained(received).toOpaque()
        as_session_set_handler(
            session,
            { session, _, context in
                guard let context else { return }
                let received = Unmanaged<ReceivedLines>.fromOpaque(context).takeUnretainedValue()
                received.append(as_session_destroy(session))
                // A call from a handler does not wait for it.
                received.append(as_session_set_handler(session, nil, nil))
            }, context)
        #expect(as_session_activate(session, nil) == AS_OK)
        #expect(try await received.wait(for: 2) == [AS_ERROR_WRONG_THREAD, AS_OK])
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
        withExtendedLifetime(received) {}
    }

    /// A destroy function runs where the last reference to its output is released, which can be the
    /// thread that starts the work of calls that wait.
    @Test func functionsThatWaitFailOnTheThreadThatStartsTheirWork() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        // A pointer is not Sendable, but any thread may use a handle of the C library.
        nonisolated(unsafe) let handle = session
        let statuses = try BridgeThread.wait {
            [as_session_activate(handle, nil), as_session_set_handler(handle, nil, nil), as_session_destroy(handle)]
        }
        #expect(statuses == [AS_ERROR_WRONG_THREAD, AS_ERROR_WRONG_THREAD, AS_ERROR_WRONG_THREAD])
        #expect(as_session_destroy(session) == AS_OK, "the handle is still valid")
        laptop.close()
    }

    @Test func everyStatusHasAName() {
        for number in 0...AS_ERROR_ECHO_CANCELLER_MISSING.rawValue {
            let name = String(cString: as_status_name(as_status(rawValue: number)))
            #expect(name.hasPrefix("AS_") && (number == 10 || name != "AS_ERROR_UNSPECIFIED"))
        }
        #expect(String(cString: as_status_name(as_status(rawValue: 99))) == "AS_ERROR_UNSPECIFIED")
        #expect(as_abi_version() == 1)
    }
}
