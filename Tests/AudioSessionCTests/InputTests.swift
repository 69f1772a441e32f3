import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import CAudioSession
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionC

/// Inputs of C programs, without PipeWire. They keep 100 frames of one channel.
@Suite(.blocking, .timeLimit(.minutes(10))) struct InputTests {
    private let received = ReceivedLines()

    private func counted(_ range: Range<Int>) -> [Float] { range.map { Float($0) / 4096 } }

    private func read(_ input: OpaquePointer, _ frames: Int, within limit: UInt32 = 0) -> (as_status, [Float]) {
        var (samples, count) = ([Float](repeating: -1, count: frames), UInt32(0))
        let status = as_input_read(input, &samples, UInt32(frames), limit, &count, nil)
        return (status, Array(samples.prefix(Int(count))))
    }

    private func info(_ input: OpaquePointer) -> as_input_info {
        var info = sized(as_input_info())
        #expect(as_input_get_info(input, &info) == AS_OK)
        return info
    }

    @Test func whatIsCapturedIsRead() async throws {
        let stage = try await StreamStage()
        let session = try stage.session(AS_CATEGORY_PLAY_AND_RECORD)
        let input = try stage.input(session)
        let context = Unmanaged.passUnretained(received).toOpaque()
        #expect(as_input_set_handler(input, tellStreamEvents, context) == AS_OK)
        #expect(read(input, 1) == (AS_ERROR_STOPPED, []))
        var error = as_error.new
        #expect(as_input_start(input, &error) == AS_OK, "\(error.text)")
        stage.linkMicrophone()
        try await received.wait(for: "state 1 reason 0")
        try await received.wait(for: "input Microphone")
        stage.capture(counted(0..<30))
        stage.capture(counted(30..<50))
        #expect(info(input).waiting_frames == 50 && info(input).state == AS_STREAM_RUNNING)
        #expect(read(input, 40) == (AS_OK, counted(0..<40)))
        #expect(read(input, 40) == (AS_ERROR_TIMED_OUT, counted(40..<50)))
        // A read that waits is served in pieces.
        nonisolated(unsafe) let handle = input
        let reading = Task.detached(executorPreference: OwnThread()) { read(handle, 40, within: 10_000) }
        stage.capture(counted(50..<70))
        stage.capture(counted(70..<100))
        #expect(await reading.value == (AS_OK, counted(50..<90)))
        #expect(as_manager_set_input_muted(stage.manager, true, nil) == AS_OK)
        try await received.wait(for: "muted 0")
        #expect(as_input_stop(input, nil) == AS_OK)
        try await received.wait(for: "finished 0 frames 100 -")
        #expect(read(input, 40) == (AS_ERROR_STOPPED, counted(90..<100)), "what was captured can still be read")
        #expect(info(input).state == AS_STREAM_STOPPED && info(input).dropped_frames == 0)
        var (route, port) = (nil as OpaquePointer?, sized(as_port()))
        #expect(as_input_get_route(input, &route) == AS_OK)
        #expect(as_route_port(route, AS_DIRECTION_INPUT, 0, &port) == AS_OK)
        #expect(String(cString: port.name) == "Microphone")
        #expect(as_route_free(route) == AS_OK)
        #expect(as_input_destroy(input) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
        withExtendedLifetime(received) {}
    }

    @Test func aSlowProgramLosesTheOldest() async throws {
        let stage = try await StreamStage()
        let session = try stage.session(AS_CATEGORY_RECORD)
        let input = try stage.input(session)
        #expect(as_input_start(input, nil) == AS_OK)
        stage.linkMicrophone()
        for start in 0..<25 { stage.capture(counted(start * 10..<start * 10 + 10)) }
        #expect(info(input).waiting_frames == 100 && info(input).dropped_frames == 150)
        #expect(read(input, 100) == (AS_OK, counted(150..<250)))
        #expect(as_input_destroy(input) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }

    @Test func aStartedInputReturnsNoSoundFromBefore() async throws {
        let stage = try await StreamStage()
        let session = try stage.session(AS_CATEGORY_RECORD)
        let input = try stage.input(session)
        #expect(as_input_start(input, nil) == AS_OK)
        stage.linkMicrophone()
        stage.capture(counted(0..<50))
        #expect(as_input_stop(input, nil) == AS_OK)
        #expect(info(input).waiting_frames == 50)
        #expect(as_input_start(input, nil) == AS_OK)
        #expect(info(input).waiting_frames == 0 && info(input).dropped_frames == 0)
        stage.capture(counted(50..<60))
        #expect(read(input, 20) == (AS_ERROR_TIMED_OUT, counted(50..<60)))
        #expect(as_input_destroy(input) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }

    @Test func aPauseKeepsWhatWasCaptured() async throws {
        let stage = try await StreamStage()
        let session = try stage.session(AS_CATEGORY_RECORD)
        let input = try stage.input(session)
        #expect(as_input_start(input, nil) == AS_OK)
        stage.linkMicrophone()
        stage.capture(counted(0..<10))
        let other = try await stage.system.connect(.init(applicationName: "Film"))
        let film = try AudioSession(manager: other, configuration: .init(.playback))
        try await film.activate()
        #expect(info(input).state == AS_STREAM_PAUSED)
        #expect(read(input, 1) == (AS_OK, counted(0..<1)))
        try await film.deactivate()
        try await waitUntil("it captures again") { info(input).state == AS_STREAM_RUNNING }
        stage.capture(counted(10..<20))
        #expect(read(input, 30) == (AS_ERROR_TIMED_OUT, counted(1..<20)))
        #expect(as_input_destroy(input) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }

    /// A start of a paused input ends the interruption, a start of a stopped one does not.
    @Test func aStoppedInputDoesNotStartDuringAnInterruption() async throws {
        let stage = try await StreamStage()
        let session = try stage.session(AS_CATEGORY_RECORD)
        let input = try stage.input(session)
        #expect(as_session_activate(session, nil) == AS_OK)
        let other = try await stage.system.connect(.init(applicationName: "Film"))
        let film = try AudioSession(manager: other, configuration: .init(.playback))
        try await film.activate()
        var error = as_error.new
        #expect(as_input_start(input, &error) == AS_ERROR_SESSION_NOT_ACTIVE)
        #expect(error.text.hasPrefix("Another session interrupts this one"))
        try await film.deactivate()
        #expect(as_input_start(input, nil) == AS_OK)
        try await film.activate()
        #expect(info(input).state == AS_STREAM_PAUSED)
        #expect(as_input_start(input, nil) == AS_OK)
        #expect(info(input).state == AS_STREAM_RUNNING)
        #expect(as_input_destroy(input) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }

    @Test func itsDestructionEndsAReadThatWaits() async throws {
        let stage = try await StreamStage()
        let session = try stage.session(AS_CATEGORY_RECORD)
        let input = try stage.input(session)
        #expect(as_input_start(input, nil) == AS_OK)
        stage.linkMicrophone()
        nonisolated(unsafe) let handle = input
        let begun = Semaphore()
        let reading = Task.detached(executorPreference: OwnThread()) {
            begun.signal()
            return read(handle, 40, within: UInt32(AS_FOREVER)).0
        }
        begun.wait()
        #expect(as_input_destroy(input) == AS_OK)
        // If the destruction was first, the read finds no handle.
        #expect([AS_ERROR_CLOSED, AS_ERROR_STOPPED, AS_ERROR_BAD_HANDLE].contains(await reading.value))
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }

    @Test func theEchoCancellerHasRates() async throws {
        let stage = try await StreamStage()
        let session = try stage.session(AS_CATEGORY_RECORD)
        var options = sized(as_input_options())
        options.prefers_echo_cancelled_input = true
        for (rate, status) in [(44_100, AS_ERROR_UNSUPPORTED_RECORDING_FORMAT), (0, AS_OK)] {
            var made: OpaquePointer?
            options.sample_rate = Int32(rate)
            #expect(as_input_create(session, &options, &made, nil) == AS_OK)
            let input = try #require(made)
            #expect(info(input).sample_rate == (rate == 0 ? 48_000 : 44_100))
            #expect(as_input_start(input, nil) == status)
            #expect(as_input_destroy(input) == AS_OK)
        }
        #expect(as_input_get_echo_canceller_available(nil) == AS_ERROR_BAD_PARAM)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }

    @Test func levelsAndStatisticsAreRead() async throws {
        let stage = try await StreamStage()
        let session = try stage.session(AS_CATEGORY_RECORD)
        let input = try stage.input(session)
        var (level, statistics) = (sized(as_level()), sized(as_stream_statistics()))
        #expect(as_input_get_level(input, 0, &level, nil) == AS_OK)
        #expect(level.average_power == -160 && level.peak_power == -160)
        #expect(as_input_get_level(input, 1, &level, nil) == AS_ERROR_BAD_PARAM)
        #expect(as_input_start(input, nil) == AS_OK)
        stage.linkMicrophone()
        #expect(as_input_get_statistics(input, &statistics, nil) == AS_OK)
        #expect(statistics.latency == 0.003)
        #expect(as_input_destroy(input) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }

    @Test func misuseIsAnError() async throws {
        let stage = try await StreamStage()
        let session = try stage.session()
        var (options, error, input) = (sized(as_input_options()), as_error.new, nil as OpaquePointer?)
        options.channels = 9
        #expect(as_input_create(session, &options, &input, &error) == AS_ERROR_UNSUPPORTED_FORMAT)
        #expect(as_input_create_with_callback(session, nil, nil, nil, nil, &input, &error) == AS_ERROR_BAD_PARAM)
        let receive: as_receive_function = { _, _, _, _, _, _ in }
        #expect(as_input_create_with_callback(session, nil, receive, nil, nil, &input, &error) == AS_OK)
        #expect(as_input_read(input, nil, 0, 0, nil, &error) == AS_ERROR_BAD_PARAM)
        #expect(error.text.contains("callback"))
        #expect(as_input_start(input, &error) == AS_ERROR_INCOMPATIBLE_CATEGORY)
        #expect(as_output_destroy(input) == AS_ERROR_BAD_HANDLE)
        #expect(as_input_destroy(input) == AS_OK)
        #expect(as_input_create(session, nil, &input, &error) == AS_OK)
        #expect(as_input_read(input, nil, 1, 0, nil, &error) == AS_ERROR_BAD_PARAM)
        #expect(as_input_destroy(input) == AS_OK)
        for destroy in [as_input_destroy, as_output_destroy] { #expect(destroy(nil) == AS_OK) }
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }
}
