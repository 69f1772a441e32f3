import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import CAudioSession
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionC

/// Outputs of C programs, without PipeWire. The ring holds 480 frames of one channel.
@Suite(.blocking, .timeLimit(.minutes(10))) struct OutputTests {
    private let received = ReceivedLines()

    private func counted(_ range: Range<Int>) -> [Float] { range.map { Float($0) / 4096 } }

    private func info(_ output: OpaquePointer) -> as_output_info {
        var info = sized(as_output_info())
        #expect(as_output_get_info(output, &info) == AS_OK)
        return info
    }

    @Test func whatIsWrittenIsPlayed() async throws {
        let stage = try await StreamStage()
        let session = try stage.session()
        let output = try stage.output(session)
        let context = Unmanaged.passUnretained(received).toOpaque()
        #expect(as_output_set_handler(output, tellStreamEvents, context) == AS_OK)
        var (written, error) = (UInt32(9), as_error.new)
        #expect(as_output_write(output, counted(0..<10), 10, 0, &written, &error) == AS_ERROR_STOPPED)
        #expect(written == 0 && error.text.contains("start"))
        #expect(as_output_write_available(output, counted(0..<100), 100, &written, nil) == AS_OK)
        #expect(written == 100, "the ring is filled before the start")
        #expect(as_output_start(output, &error) == AS_OK, "\(error.text)")
        try await received.wait(for: "state 1 reason 0")
        #expect(as_output_write(output, counted(100..<200), 100, 0, &written, nil) == AS_OK)
        #expect(written == 100)
        #expect(stage.streams.take(150) == counted(0..<150))
        let state = info(output)
        #expect(state.state == AS_STREAM_RUNNING && state.pause_reason == AS_PAUSE_NONE && state.position == 150)
        #expect(state.sample_rate == 48_000 && state.channels == 1 && state.missing_frames == 0)
        var statistics = sized(as_stream_statistics())
        #expect(as_output_get_statistics(output, &statistics, nil) == AS_OK)
        #expect(statistics.quantum == 256 && statistics.graph_rate == 48_000)
        #expect(abs(statistics.latency - (0.007 + 50.0 / 48_000)) < 1e-9)
        #expect(as_output_flush(output) == AS_OK)
        #expect(stage.streams.take(10).isEmpty)
        #expect(as_output_stop(output, nil) == AS_OK)
        try await received.wait(for: "state 0 reason 0")
        #expect(as_output_destroy(output) == AS_OK)
        #expect(as_output_start(output, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }

    @Test func aWriteWaitsUntilItsLimitAndReturnsHowMuchIsInTheRing() async throws {
        let stage = try await StreamStage()
        let session = try stage.session()
        let output = try stage.output(session)
        #expect(as_output_start(output, nil) == AS_OK)
        stage.linkHeadphones()
        var (written, error) = (UInt32(0), as_error.new)
        #expect(as_output_write(output, counted(0..<500), 500, 0, &written, &error) == AS_ERROR_TIMED_OUT)
        #expect(written == 480)
        let result = Locked<(as_status, UInt32)?>(nil)
        let samples = counted(480..<1000)
        let done = Semaphore()
        nonisolated(unsafe) let handle = output
        Task.detached(executorPreference: OwnThread()) {
            var written = UInt32(0)
            let status = as_output_write(handle, samples, 520, 1000, &written, nil)
            result.withLock { $0 = (status, written) }
            done.signal()
        }
        let waiting = try Handles.all.find(output, Output.self).output
        while !waiting.hasWaitingWrite { await Task.yield() }
        #expect(stage.streams.take(240) == counted(0..<240))
        stage.system.advance(by: .milliseconds(500))
        #expect(result.withLock { $0 == nil })
        stage.system.advance(by: .milliseconds(500))
        done.wait()
        let outcome = result.withLock(\.self)
        #expect(outcome?.0 == AS_ERROR_TIMED_OUT && outcome?.1 == 240)
        #expect(stage.streams.take(480) == counted(240..<720), "what was written is played")
        #expect(as_output_destroy(output) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }

    /// The manager's thread is occupied when the first write has to wait.
    @Test func theFramesOfAWriteAreNotInterruptedByThoseOfAnotherThread() async throws {
        let stage = try await StreamStage()
        let session = try stage.session()
        let output = try stage.output(session)
        #expect(as_output_start(output, nil) == AS_OK)
        let (entered, gate) = (Semaphore(), Gate())
        let occupied = try Handles.all.find(output, Output.self).output
        Task.detached(executorPreference: OwnThread()) { await occupy(occupied, entered, gate) }
        entered.wait()
        let samples = counted(0..<500)
        nonisolated(unsafe) let handle = output
        let writing = Task.detached(executorPreference: OwnThread()) {
            as_output_write(handle, samples, 500, UInt32(AS_FOREVER), nil, nil)
        }
        var taken: [Float] = []
        while taken.count < 480 { taken += stage.streams.take(480) }
        var written = UInt32(9)
        #expect(as_output_write_available(output, counted(2_000..<2_100), 100, &written, nil) == AS_OK)
        #expect(written == 0, "the first write has frames left")
        gate.open()
        while taken.count < 500 {
            stage.system.advance(by: .milliseconds(10))
            taken += stage.streams.take(480)
        }
        #expect(await writing.value == AS_OK && taken == samples)
        #expect(as_output_destroy(output) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }

    @Test func aWriteOfAHandlerEndsWithItsOutput() async throws {
        let stage = try await StreamStage()
        let session = try stage.session()
        let output = try stage.output(session)
        #expect(as_output_start(output, nil) == AS_OK)
        let writer = HandlerWriter(received)
        let handler: as_output_handler = { output, _, context in
            guard let context else { return }
            let writer = Unmanaged<HandlerWriter>.fromOpaque(context).takeUnretainedValue()
            writer.received.append("writing")
            let status = as_output_write(output, writer.samples, 1000, UInt32(AS_FOREVER), nil, nil)
            writer.received.append("status \(status.rawValue)")
        }
        #expect(as_output_set_handler(output, handler, Unmanaged.passUnretained(writer).toOpaque()) == AS_OK)
        stage.pullHeadphones()
        try await received.wait(for: "writing")
        let waiting = try Handles.all.find(output, Output.self).output
        while await waiting.counters.awaited == nil { await Task.yield() }
        #expect(as_output_destroy(output) == AS_OK)
        #expect(received.lines == ["writing", "status \(AS_ERROR_CLOSED.rawValue)"])
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
        withExtendedLifetime(writer) {}
    }

    @Test func aStopEndsAWriteThatWaits() async throws {
        let stage = try await StreamStage()
        let session = try stage.session()
        let output = try stage.output(session)
        #expect(as_output_start(output, nil) == AS_OK)
        let samples = counted(0..<1000)
        nonisolated(unsafe) let handle = output
        let writing = Task.detached(executorPreference: OwnThread()) {
            as_output_write(handle, samples, 1000, UInt32(AS_FOREVER), nil, nil)
        }
        let waiting = try Handles.all.find(output, Output.self).output
        while await waiting.counters.awaited == nil { await Task.yield() }
        #expect(as_output_drain(output, 0, nil) == AS_ERROR_TIMED_OUT)
        #expect(as_output_stop(output, nil) == AS_OK)
        #expect(await writing.value == AS_ERROR_STOPPED)
        #expect(as_output_drain(output, 10, nil) == AS_ERROR_STOPPED)
        #expect(as_output_start(output, nil) == AS_OK)
        #expect(as_output_drain(output, 0, nil) == AS_OK, "nothing was written")
        #expect(as_output_destroy(output) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }

    @Test func pulledHeadphonesPauseIt() async throws {
        let stage = try await StreamStage()
        let session = try stage.session()
        let output = try stage.output(session)
        let context = Unmanaged.passUnretained(received).toOpaque()
        #expect(as_output_set_handler(output, tellStreamEvents, context) == AS_OK)
        #expect(as_output_start(output, nil) == AS_OK)
        stage.pullHeadphones()
        try await received.wait(for: "route Headphones -> Speakers, reason 2")
        #expect(received.lines.contains("noisy Headphones") && received.lines.contains("state 2 reason 2"))
        #expect(info(output).state == AS_STREAM_PAUSED && info(output).pause_reason == AS_PAUSE_ROUTE_LOST)
        var (route, port) = (nil as OpaquePointer?, sized(as_port()))
        #expect(as_output_get_route(output, &route) == AS_OK)
        #expect(as_route_port(route, AS_DIRECTION_OUTPUT, 0, &port) == AS_OK)
        #expect(port.type == AS_PORT_BUILT_IN_SPEAKER)
        #expect(as_route_free(route) == AS_OK)
        #expect(as_output_destroy(output) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }

    @Test func volumesAreClampedAndSetOnTheStream() async throws {
        let stage = try await StreamStage()
        let session = try stage.session()
        let output = try stage.output(session)
        #expect(as_output_start(output, nil) == AS_OK)
        #expect(as_output_set_volume(output, 0.5, nil) == AS_OK)
        #expect(stage.streams.state.withLock(\.volume) == 0.125)
        #expect(as_output_set_volume(output, 7, nil) == AS_OK)
        #expect(info(output).volume == 1)
        #expect(as_output_set_volume(output, .nan, nil) == AS_ERROR_BAD_PARAM)
        #expect(as_output_destroy(output) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }

    @Test(arguments: [(0, 2, 1), (1, 1, 1), (8, 8, 8), (10, 8, 8)])
    func aStreamHasAtMostEightChannelsOfTheHardware(hardware: Int, output: Int, input: Int) throws {
        let outputFormat = try AudioOutput.Format.asked(24_000, 0, hardware: (48_000, hardware), otherwise: 2)
        let inputFormat = try AudioOutput.Format.asked(24_000, 0, hardware: (48_000, hardware), otherwise: 1)
        #expect(outputFormat == .init(sampleRate: 24_000, channelCount: output))
        #expect(inputFormat == .init(sampleRate: 24_000, channelCount: input))
    }

    @Test func optionsThatMeanNothingAreErrors() async throws {
        let stage = try await StreamStage()
        let session = try stage.session()
        var (options, error, output) = (sized(as_output_options()), as_error.new, nil as OpaquePointer?)
        for (rate, channels) in [(-1, 2), (768_001, 2), (48_000, 9), (48_000, -1)] as [(Int32, Int32)] {
            (options.sample_rate, options.channels) = (rate, channels)
            #expect(as_output_create(session, &options, &output, &error) == AS_ERROR_UNSUPPORTED_FORMAT)
            #expect(output == nil && error.text.contains("768,000"))
        }
        (options.sample_rate, options.channels) = (44_100, 0)
        options.role = as_role(rawValue: 8)
        #expect(as_output_create(session, &options, &output, &error) == AS_ERROR_BAD_PARAM)
        #expect(error.text.hasPrefix("The role 8 does not exist."))
        options.role = AS_ROLE_GAME
        #expect(as_output_create(session, &options, &output, &error) == AS_OK)
        let made = try #require(output)
        #expect(info(made).sample_rate == 44_100 && info(made).channels == 2)
        #expect(as_output_write_available(made, nil, 1, nil, &error) == AS_ERROR_BAD_PARAM)
        #expect(as_output_write(made, nil, 0, 0, nil, &error) == AS_ERROR_STOPPED)
        #expect(as_output_destroy(made) == AS_OK)
        options.size = 47
        #expect(as_output_create(session, &options, &output, &error) == AS_ERROR_BAD_PARAM)
        #expect(as_output_create(session, nil, nil, &error) == AS_ERROR_BAD_PARAM)
        #expect(as_output_create(nil, nil, &output, &error) == AS_ERROR_BAD_HANDLE)
        #expect(as_output_create_with_callback(session, nil, nil, nil, nil, &output, &error) == AS_ERROR_BAD_PARAM)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }

    /// A context belongs to the program until an output was made, which then destroys it once.
    @Test func theContextOfACallbackIsDestroyedOnce() async throws {
        let stage = try await StreamStage()
        let session = try stage.session()
        let context = Unmanaged.passUnretained(received).toOpaque()
        let destroy: as_destroy_function = { context in
            guard let context else { return }
            Unmanaged<ReceivedLines>.fromOpaque(context).takeUnretainedValue().append("destroyed")
        }
        var (options, output) = (sized(as_output_options()), nil as OpaquePointer?)
        options.sample_rate = -1
        let render: as_render_function = { _, _, _, _, _, _ in }
        #expect(
            as_output_create_with_callback(session, &options, render, context, destroy, &output, nil)
                == AS_ERROR_UNSUPPORTED_FORMAT)
        #expect(received.lines.isEmpty)
        options.sample_rate = 0
        #expect(as_output_create_with_callback(session, &options, render, context, destroy, &output, nil) == AS_OK)
        #expect(as_output_write_available(output, [0, 0], 1, nil, nil) == AS_ERROR_BAD_PARAM)
        #expect(as_output_destroy(output) == AS_OK)
        try await received.wait(for: "destroyed")
        #expect(received.lines == ["destroyed"])
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
        withExtendedLifetime(received) {}
    }

    @Test func policiesAreSetAndReadBack() async throws {
        let stage = try await StreamStage()
        let session = try stage.session()
        var info = sized(as_session_info())
        #expect(as_session_get_info(session, &info) == AS_OK)
        #expect(info.pauses_on_route_loss && info.resumes_after_interruption)
        #expect(info.unmanaged_policy == AS_UNMANAGED_DEFAULT)
        #expect(as_session_set_pauses_on_route_loss(session, false, nil) == AS_OK)
        #expect(as_session_set_resumes_after_interruption(session, false, nil) == AS_OK)
        #expect(as_session_set_unmanaged_policy(session, AS_UNMANAGED_DUCK, nil) == AS_OK)
        #expect(as_session_set_unmanaged_policy(session, as_unmanaged_policy(rawValue: 5), nil) == AS_ERROR_BAD_PARAM)
        #expect(as_session_get_info(session, &info) == AS_OK)
        #expect(!info.pauses_on_route_loss && !info.resumes_after_interruption)
        #expect(info.unmanaged_policy == AS_UNMANAGED_DUCK)
        // A program of the second version of the struct has no room for them.
        var old = as_session_info()
        (old.size, old.unmanaged_policy) = (96, AS_UNMANAGED_LEAVE)
        #expect(as_session_get_info(session, &old) == AS_OK)
        #expect(old.unmanaged_policy == AS_UNMANAGED_LEAVE)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }
}

/// The context of a handler that writes.
private final class HandlerWriter: Sendable {
    let received: ReceivedLines
    let samples = [Float](repeating: 0.5, count: 1000)

    init(_ received: ReceivedLines) { self.received = received }
}

/// Keeps the thread of an actor busy until the gate opens.
private func occupy(_ output: isolated AudioOutput, _ entered: Semaphore, _ gate: Gate) {
    entered.signal()
    gate.wait()
}
