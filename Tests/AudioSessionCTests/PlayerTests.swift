import AudioSessionCore
import AudioSessionDesktop
import AudioSessionPlayback
import AudioSessionTestKit
import CAudioSession
import FoundationEssentials
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionC

/// Players and recorders of C programs, without PipeWire, and how the desktop shows a player.
@Suite(.blocking, .timeLimit(.minutes(10))) struct PlayerTests {
    private let received = ReceivedLines()
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func info(_ player: OpaquePointer) -> as_player_info {
        var info = sized(as_player_info())
        #expect(as_player_get_info(player, &info) == AS_OK)
        return info
    }

    private func withPaths<Result>(
        _ paths: [String], _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>, UInt32) -> Result
    ) -> Result {
        let words = paths.map(Word.init)
        var pointers = words.map(\.pointer)
        defer { withExtendedLifetime(words) {} }
        return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!, UInt32(paths.count)) }
    }

    /// A WAV file of one second, 1,000 frames of one channel.
    private func sound(_ name: String) throws -> String {
        var bytes: [UInt8] = []
        func put(_ text: String) { bytes += text.utf8 }
        func put(_ value: UInt32, _ count: Int = 4) {
            for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(index)))) }
        }
        put("RIFF")
        put(36 + 2000)
        put("WAVEfmt ")
        put(16)
        put(1, 2)
        put(1, 2)
        put(1000)
        put(2000)
        put(2, 2)
        put(16, 2)
        put("data")
        put(2000)
        bytes += [UInt8](repeating: 0x10, count: 2000)
        return try scratch.write(bytes, to: name)
    }

    private func player(_ stage: StreamStage, _ session: OpaquePointer) throws -> OpaquePointer {
        Player(
            AudioPlayer(try Handles.all.find(session, Session.self).session, in: stage.streams.player), calledBy: nil
        ).handle()
    }

    @Test func aQueueIsPlayed() async throws {
        let stage = try await StreamStage()
        let session = try stage.session()
        let player = try player(stage, session)
        let context = Unmanaged.passUnretained(received).toOpaque()
        #expect(as_player_set_handler(player, tellStreamEvents, context) == AS_OK)
        #expect(as_player_play(player, nil) == AS_ERROR_NOTHING_LOADED)
        #expect(info(player).current_index == -1 && info(player).queue_length == 0)
        let (first, second) = (try sound("first.wav"), try sound("second.wav"))
        var error = as_error.new
        #expect(
            withPaths([first, "/none such"]) { as_player_load(player, $0, $1, &error) } == AS_ERROR_FILE_NOT_FOUND)
        #expect(error.text.contains("/none such") && info(player).queue_length == 0)
        // A program that passes -1 has no array of that length.
        #expect(withPaths([first]) { list, _ in as_player_load(player, list, .max, nil) } == AS_ERROR_TOO_MANY_ITEMS)
        #expect(withPaths([first]) { as_player_load(player, $0, $1, nil) } == AS_OK)
        #expect(withPaths([second]) { as_player_enqueue(player, $0, $1, nil) } == AS_OK)
        #expect(info(player).current_index == 0 && info(player).queue_length == 2 && info(player).duration == 1)
        var (items, item) = (nil as OpaquePointer?, sized(as_item()))
        #expect(as_player_get_queue(player, &items) == AS_OK)
        #expect(as_items_count(items) == 2 && as_items_get(items, 2, &item) == AS_ERROR_BAD_PARAM)
        #expect(as_items_get(items, 1, &item) == AS_OK)
        #expect(String(cString: item.path) == second && String(cString: item.name) == "second.wav")
        #expect(item.sample_rate == 1000 && item.channels == 1 && item.frames == 1000 && item.duration == 1)
        #expect(String(cString: item.encoding) == "WAV" && item.title == nil)
        #expect(as_items_free(items) == AS_OK)

        #expect(as_player_play(player, nil) == AS_OK)
        try await received.wait(for: "state 1 reason 0")
        #expect(as_player_seek(player, 0.5, nil) == AS_OK)
        try await received.wait(for: "position 0.5")
        #expect(as_player_seek(player, .nan, nil) == AS_ERROR_BAD_PARAM)
        #expect(as_player_seek(player, -1, nil) == AS_ERROR_BAD_PARAM)
        #expect(as_player_pause(player, nil) == AS_OK)
        try await received.wait(for: "state 2 reason 1")
        #expect(as_player_skip_to_next(player, nil) == AS_OK)
        try await received.wait(for: "item second.wav")
        #expect(as_player_skip_to_next(player, nil) == AS_ERROR_NO_SUCH_ITEM)
        #expect(as_player_skip_to_previous(player, nil) == AS_OK)
        #expect(as_player_skip(player, 9, nil) == AS_ERROR_NO_SUCH_ITEM)
        #expect(as_player_skip(player, 1, nil) == AS_OK)
        #expect(as_player_set_volume(player, 0.5, nil) == AS_OK)
        var (route, statistics) = (nil as OpaquePointer?, sized(as_stream_statistics()))
        #expect(as_player_get_route(player, &route) == AS_OK && as_route_count(route, AS_DIRECTION_OUTPUT) == 1)
        #expect(as_route_free(route) == AS_OK)
        #expect(as_player_get_statistics(player, &statistics, nil) == AS_OK)
        #expect(as_player_stop(player, nil) == AS_OK)
        try await received.wait(for: "state 0 reason 0")
        #expect(info(player).volume == 0.5 && info(player).position == 0)
        #expect(as_player_destroy(player) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
        withExtendedLifetime(received) {}
    }

    /// A recorder of one channel that keeps a second, which is 8,000 frames.
    private func recorder(_ stage: StreamStage, _ session: OpaquePointer) throws -> OpaquePointer {
        let made = AudioRecorder(
            try Handles.all.find(session, Session.self).session,
            .init(format: .init(sampleRate: 8000, channelCount: 1)), in: stage.streams.recorder)
        return Recorder(made, keeping: .seconds(1), calledBy: nil).handle()
    }

    @Test func whatIsRecordedIsReadAndInTheFile() async throws {
        let stage = try await StreamStage()
        let session = try stage.session(AS_CATEGORY_RECORD)
        let recorder = try recorder(stage, session)
        let context = Unmanaged.passUnretained(received).toOpaque()
        #expect(as_recorder_set_handler(recorder, tellStreamEvents, context) == AS_OK)
        #expect(as_recorder_resume(recorder, nil) == AS_ERROR_NOT_PAUSED)
        #expect(as_recorder_record(recorder, nil, as_file_type(rawValue: 3), nil) == AS_ERROR_BAD_PARAM)
        #expect(as_recorder_record(recorder, "/none such/memo.wav", AS_FILE_BY_NAME, nil) == AS_ERROR_CANNOT_WRITE)
        var recording = sized(as_recording())
        #expect(as_recorder_stop(recorder, &recording, nil) == AS_OK && recording.frames == 0)
        let path = scratch.name("memo.flac")
        var error = as_error.new
        #expect(as_recorder_record(recorder, path, AS_FILE_BY_NAME, &error) == AS_OK, "\(error.text)")
        stage.linkMicrophone()
        try await received.wait(for: "state 1 reason 0")
        #expect(as_recorder_record(recorder, path, AS_FILE_WAV, nil) == AS_ERROR_ALREADY_RECORDING)
        stage.capture([Float](repeating: 0.25, count: 1000))
        #expect(as_recorder_pause(recorder, nil) == AS_OK)
        try await received.wait(for: "state 2 reason 1")
        #expect(as_recorder_resume(recorder, nil) == AS_OK)
        var (level, info, statistics) = (sized(as_level()), sized(as_input_info()), sized(as_stream_statistics()))
        #expect(as_recorder_get_level(recorder, 0, &level, nil) == AS_OK)
        #expect(as_recorder_get_level(recorder, 1, &level, nil) == AS_ERROR_BAD_PARAM)
        #expect(as_recorder_get_statistics(recorder, &statistics, nil) == AS_OK)
        #expect(as_recorder_get_info(recorder, &info) == AS_OK)
        #expect(info.state == AS_STREAM_RUNNING && info.sample_rate == 8000 && info.channels == 1)
        #expect(as_recorder_stop(recorder, &recording, nil) == AS_OK)
        #expect(recording.frames == 1000 && recording.duration == 0.125 && recording.sample_rate == 8000)
        #expect(recording.bits_per_sample == 16)
        try await received.wait(for: "finished 0 frames 1000 \(path)")
        #expect(try Array(Data(contentsOf: URL(filePath: path)).prefix(4)) == Array("fLaC".utf8))
        var (samples, count) = ([Float](repeating: 0, count: 1000), UInt32(0))
        #expect(as_recorder_read(recorder, &samples, 1000, 5000, &count, nil) == AS_OK)
        #expect(count == 1000 && samples.allSatisfy { $0 == 0.25 })
        #expect(as_recorder_read(recorder, &samples, 1, 5000, &count, nil) == AS_ERROR_STOPPED)
        var route: OpaquePointer?
        #expect(as_recorder_get_route(recorder, &route) == AS_OK && as_route_count(route, AS_DIRECTION_INPUT) == 1)
        #expect(as_route_free(route) == AS_OK)
        #expect(as_recorder_destroy(recorder) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
        withExtendedLifetime(received) {}
    }

    /// The end of a recording is in the queue later than the recorder's state is `stopped`.
    @Test func aReadThatWaitsGetsTheEndOfTheRecording() async throws {
        let stage = try await StreamStage()
        let session = try stage.session(AS_CATEGORY_RECORD)
        let recorder = try recorder(stage, session)
        #expect(readRecorded(recorder, 1) == (AS_ERROR_STOPPED, []))
        #expect(as_recorder_record(recorder, nil, AS_FILE_BY_NAME, nil) == AS_OK)
        stage.linkMicrophone()
        stage.capture([Float](repeating: 0.25, count: 100))
        try await waitUntil("the first frames are in the queue") { waitingFrames(recorder) == 100 }
        // A pointer is not Sendable, but any thread may use a handle of the C library.
        nonisolated(unsafe) let handle = recorder
        let reading = Task.detached(executorPreference: OwnThread()) { readRecorded(handle, 1000) }
        try await waitUntil("the read has taken them, and waits for more") { waitingFrames(recorder) == 0 }
        // The writer wakes up ten times a second, so most of this is in the queue after the stop.
        stage.capture([Float](repeating: 0.25, count: 900))
        #expect(as_recorder_stop(recorder, nil, nil) == AS_OK)
        #expect(await reading.value == (AS_OK, [Float](repeating: 0.25, count: 1000)))
        #expect(readRecorded(recorder, 1) == (AS_ERROR_STOPPED, []))
        #expect(as_recorder_destroy(recorder) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }

    @Test func aRecordingBeginsWithoutTheEndOfTheFormerOne() async throws {
        let stage = try await StreamStage()
        let session = try stage.session(AS_CATEGORY_RECORD)
        let recorder = try recorder(stage, session)
        for sample in [0.25, 0.5] as [Float] {
            #expect(as_recorder_record(recorder, nil, AS_FILE_BY_NAME, nil) == AS_OK)
            #expect(waitingFrames(recorder) == 0)
            stage.capture([Float](repeating: sample, count: 100))
            #expect(as_recorder_stop(recorder, nil, nil) == AS_OK)
            #expect(waitingFrames(recorder) == 100)
        }
        #expect(readRecorded(recorder, 200) == (AS_ERROR_STOPPED, [Float](repeating: 0.5, count: 100)))
        #expect(as_recorder_destroy(recorder) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }

    @Test func aRecordingThatFailedIsInItsFile() async throws {
        let stage = try await StreamStage()
        let session = try stage.session(AS_CATEGORY_RECORD)
        let recorder = try recorder(stage, session)
        let context = Unmanaged.passUnretained(received).toOpaque()
        #expect(as_recorder_set_handler(recorder, tellStreamEvents, context) == AS_OK)
        let path = scratch.name("memo.wav")
        #expect(as_recorder_record(recorder, path, AS_FILE_BY_NAME, nil) == AS_OK)
        stage.linkMicrophone()
        stage.capture([Float](repeating: 0.25, count: 100))
        stage.breakStream()
        var recording = sized(as_recording())
        #expect(as_recorder_stop(recorder, &recording, nil) == AS_OK)
        #expect(recording.frames == 100 && recording.sample_rate == 8000 && recording.bits_per_sample == 16)
        try await received.wait(for: "failed 34 The stream from PipeWire failed: it is broken. Record again.")
        try await received.wait(for: "finished 6 frames 100 \(path)")
        #expect(as_recorder_destroy(recorder) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
        withExtendedLifetime(received) {}
    }

    /// The desktop's two commands reach the program, and a bus that is missing is named.
    @Test func aPlayerIsShownOnTheDesktop() async throws {
        let stage = try await StreamStage()
        let session = try stage.session()
        let player = try player(stage, session)
        var (options, error, shown) = (sized(as_now_playing_options()), as_error.new, nil as OpaquePointer?)
        #expect(as_now_playing_create(player, &options, &shown, &error) == AS_ERROR_BAD_PARAM)
        #expect(error.text.contains("name"))
        #expect(as_now_playing_create(player, nil, &shown, &error) == AS_ERROR_BAD_PARAM)
        let name = Word("Tunes")
        (options.name, options.can_raise) = (name.pointer, true)
        let handlerQueue = HandlerQueue(calledBy: nil)
        let configuration = try NowPlaying.Configuration(&options, handlerQueue)
        #expect(configuration.name == "Tunes" && configuration.quit == nil)
        let context = Unmanaged.passUnretained(received).toOpaque()
        try handlerQueue.setFunction(
            { _, command, context in
                guard let context else { return }
                let type = command.assumingMemoryBound(to: as_command.self).pointee.type
                Unmanaged<ReceivedLines>.fromOpaque(context).takeUnretainedValue().append("command \(type.rawValue)")
            }, context)
        configuration.raise?()
        try await received.wait(for: "command 1")
        try handlerQueue.removeHandler()
        #expect(as_now_playing_create(player, &options, &shown, &error) == AS_OK)
        #expect(as_now_playing_set_handler(shown, { _, _, _ in }, nil) == AS_OK)
        #expect([AS_OK, AS_ERROR_RESOURCE_NOT_AVAILABLE].contains(as_now_playing_check(shown, &error)))
        #expect(as_now_playing_destroy(shown) == AS_OK)
        #expect(as_now_playing_check(shown, nil) == AS_ERROR_BAD_HANDLE)
        #expect(as_player_destroy(player) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
        withExtendedLifetime((received, name)) {}
    }

    @Test func optionsOfRecordersAreChecked() async throws {
        let stage = try await StreamStage()
        let session = try stage.session(AS_CATEGORY_RECORD)
        var (options, error, recorder) = (sized(as_recorder_options()), as_error.new, nil as OpaquePointer?)
        options.channels = 9
        #expect(as_recorder_create(session, &options, &recorder, &error) == AS_ERROR_UNSUPPORTED_RECORDING_FORMAT)
        (options.channels, options.bits_per_sample, options.file_permissions) = (2, 24, 0o640)
        options.continues_after_interruption = true
        #expect(as_recorder_create(session, &options, &recorder, &error) == AS_OK)
        let configuration = try Handles.all.find(recorder, Recorder.self).recorder.configuration
        #expect(configuration.format == .init(sampleRate: 48_000, channelCount: 2, bitsPerSample: 24))
        #expect(configuration.filePermissions == 0o640 && configuration.continuesAfterInterruption)
        #expect(as_recorder_destroy(recorder) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        stage.close()
    }
}

/// Reads frames of a recorder without a limit.
private func readRecorded(_ recorder: OpaquePointer, _ frames: Int) -> (as_status, [Float]) {
    var (samples, count) = ([Float](repeating: -1, count: frames), UInt32(0))
    let status = as_recorder_read(recorder, &samples, UInt32(frames), UInt32(AS_FOREVER), &count, nil)
    return (status, Array(samples.prefix(Int(count))))
}

private func waitingFrames(_ recorder: OpaquePointer) -> UInt64 {
    var info = sized(as_input_info())
    #expect(as_recorder_get_info(recorder, &info) == AS_OK)
    return info.waiting_frames
}
