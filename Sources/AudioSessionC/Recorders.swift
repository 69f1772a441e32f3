import AudioSessionPlayback
import AudioSessions
public import CAudioSession
import PipeWireGraph

/// A recorder for which a C program holds a handle.
final class Recorder: HandlerOwner {
    let recorder: AudioRecorder
    let handlerQueue: HandlerQueue
    let queue: SampleQueue
    private let observations: [EventObservation]

    /// Observes a recorder for a C program.
    /// - Parameter capacity: how much of what was not read is kept.
    init(_ recorder: AudioRecorder, keeping capacity: Duration, calledBy dispatcher: Dispatcher?) {
        self.recorder = recorder
        handlerQueue = HandlerQueue(calledBy: dispatcher)
        let format = recorder.configuration.format
        let queue = SampleQueue(
            channels: max(1, format.channelCount), capacity: Int(capacity.frames(rate: max(1, format.sampleRate))))
        self.queue = queue
        observations = [
            recorder.observe { [handlerQueue] event in
                // First, because the handler may read.
                queue.receive(event)
                handlerQueue.push(event)
            },
            recorder.observeBuffers { queue.append($0.samples) },
        ]
    }
}

extension AudioRecorder.Configuration {
    init(_ pointer: UnsafePointer<as_recorder_options>?) throws(Failure) {
        try checkSize(pointer)
        self.init()
        guard let options = pointer?.pointee else { return }
        if options.sample_rate != 0 { format.sampleRate = Int(options.sample_rate) }
        if options.channels != 0 { format.channelCount = Int(options.channels) }
        if options.bits_per_sample != 0 { format.bitsPerSample = Int(options.bits_per_sample) }
        guard (1...768_000).contains(format.sampleRate), (1...8).contains(format.channelCount) else {
            throw Failure(
                status: AS_ERROR_UNSUPPORTED_RECORDING_FORMAT,
                message: "No stream has \(format.sampleRate) frames per second of \(format.channelCount) channels. "
                    + "Ask for 1 to 768,000 frames per second and 1 to 8 channels.")
        }
        if options.file_permissions != 0 { filePermissions = options.file_permissions }
        continuesAfterInterruption = options.continues_after_interruption
        followsSymbolicLinks = options.follows_symbolic_links
        prefersEchoCancelledInput = options.prefers_echo_cancelled_input
        applicationName = try text(options.application_name, "application_name")
        nodeName = try text(options.node_name, "node_name")
    }
}

@c @implementation
public func as_recorder_create(
    _ session: OpaquePointer?, _ options: UnsafePointer<as_recorder_options>?,
    _ recorder: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    make(recorder, "recorder", error) {
        let owner = try Handles.all.find(session, Session.self)
        let configuration = try AudioRecorder.Configuration(options)
        return Recorder(
            AudioRecorder(session: owner.session, configuration: configuration),
            keeping: kept(options.map(\.pointee.buffer_duration) ?? 0), calledBy: owner.handlerQueue.dispatcher)
    }
}

@c @implementation
public func as_recorder_destroy(_ recorder: OpaquePointer?) -> as_status {
    takeBack(recorder, Recorder.self) {
        $0.queue.close()
        await $0.recorder.close()
    }
}

@c @implementation
public func as_recorder_record(
    _ recorder: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ type: as_file_type,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    answer(error) {
        let recorder = try Handles.all.find(recorder, Recorder.self).recorder
        let type = try number(type.rawValue, "file type", of: [nil, .wav, .flac] as [AudioRecorder.FileType?])
        let path = path.map(SoundFileName.string(path:))
        try waitUntilDone {
            if let path { try await recorder.record(to: path, as: type) } else { try await recorder.record() }
        }
    }
}

@c @implementation
public func as_recorder_pause(_ recorder: OpaquePointer?, _ error: UnsafeMutablePointer<as_error>?) -> as_status {
    perform(recorder, Recorder.self, error) { await $0.recorder.pause() }
}

@c @implementation
public func as_recorder_resume(_ recorder: OpaquePointer?, _ error: UnsafeMutablePointer<as_error>?) -> as_status {
    perform(recorder, Recorder.self, error) { try await $0.recorder.resume() }
}

@c @implementation
public func as_recorder_stop(
    _ recorder: OpaquePointer?, _ recording: UnsafeMutablePointer<as_recording>?,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    answer(error) {
        try checkSize(recording)
        let recorder = try Handles.all.find(recorder, Recorder.self).recorder
        let last = try waitUntilDone { await recorder.stop() }
        if let recording { try write(as_recording(last), to: recording) }
    }
}

extension as_recording {
    fileprivate init(_ recording: AudioRecorder.Recording?) {
        self.init()
        guard let recording else { return }
        sample_rate = Int32(clamping: recording.format.sampleRate)
        channels = Int32(clamping: recording.format.channelCount)
        bits_per_sample = recording.path == nil ? 0 : Int32(clamping: recording.format.bitsPerSample)
        frames = UInt64(max(0, recording.frameCount))
        duration = recording.duration / .seconds(1)
    }
}

@c @implementation
public func as_recorder_read(
    _ recorder: OpaquePointer?, _ samples: UnsafeMutablePointer<Float>?, _ frames: UInt32, _ limit: UInt32,
    _ count: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    count?.pointee = 0
    return answer(error) {
        if limit > 0 { try checkMayWait() }
        let recorder = try Handles.all.find(recorder, Recorder.self)
        let (read, failure) = recorder.queue.read(
            into: try room(samples, frames, recorder.queue.channels), within: limit)
        count?.pointee = UInt32(read)
        if let failure { throw failure }
    }
}

@c @implementation
public func as_recorder_get_level(
    _ recorder: OpaquePointer?, _ channel: UInt32, _ level: UnsafeMutablePointer<as_level>?,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    read(recorder, Recorder.self, to: level, error) { try as_level(await $0.recorder.currentLevels, channel) }
}

@c @implementation
public func as_recorder_get_info(
    _ recorder: OpaquePointer?, _ info: UnsafeMutablePointer<as_input_info>?
) -> as_status {
    answer {
        let recorder = try Handles.all.find(recorder, Recorder.self)
        let (state, format, counts) = (
            recorder.recorder.state, recorder.recorder.configuration.format, recorder.queue.counts
        )
        try write(
            as_input_info(
                size: 0, state: as_stream_state(state), pause_reason: as_pause_reason(state),
                sample_rate: Int32(clamping: format.sampleRate), channels: Int32(clamping: format.channelCount),
                reserved: 0, waiting_frames: counts.waiting, dropped_frames: counts.dropped),
            to: info)
    }
}

@c @implementation
public func as_recorder_get_statistics(
    _ recorder: OpaquePointer?, _ statistics: UnsafeMutablePointer<as_stream_statistics>?,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    read(recorder, Recorder.self, to: statistics, error) {
        await as_stream_statistics(
            $0.recorder.statistics, latency: .zero, isEchoCancelled: $0.recorder.isEchoCancelledInputEnabled)
    }
}

@c @implementation
public func as_recorder_get_route(
    _ recorder: OpaquePointer?, _ route: UnsafeMutablePointer<OpaquePointer?>?
) -> as_status {
    route?.pointee = nil
    return answer {
        try give(route, "route") { Route(input: try Handles.all.find(recorder, Recorder.self).recorder.input) }
    }
}

@c @implementation
public func as_recorder_set_handler(
    _ recorder: OpaquePointer?, _ handler: as_recorder_handler?, _ userData: UnsafeMutableRawPointer?
) -> as_status {
    answer { try Handles.all.find(recorder, Recorder.self).handlerQueue.setStreamHandler(handler, userData) }
}
