import AudioSessionCore
import AudioSessionPlayback
import AudioSessions
public import CAudioSession
import PipeWireGraph

/// An output for which a C program holds a handle.
final class Output: HandlerOwner {
    let output: AudioOutput
    let handlerQueue: HandlerQueue
    private let observation: EventObservation

    init(_ output: AudioOutput, calledBy dispatcher: Dispatcher?) {
        self.output = output
        handlerQueue = HandlerQueue(calledBy: dispatcher)
        observation = output.observe { [handlerQueue] in handlerQueue.push($0) }
    }
}

extension AudioOutput.Configuration {
    init(_ pointer: UnsafePointer<as_output_options>?, for session: AudioSession) throws(Failure) {
        try checkSize(pointer)
        self.init()
        guard let options = pointer?.pointee else { return }
        let hardware = session.hardwareFormat
        format = try .asked(
            options.sample_rate, options.channels,
            hardware: (hardware.sampleRate, hardware.outputNumberOfChannels), otherwise: 2)
        if options.buffer_duration > 0 { bufferDuration = .milliseconds(options.buffer_duration) }
        role = try AudioPlayer.Role(options.role)
        reportsLateCallbacks = options.reports_late_callbacks
        title = try text(options.title, "title") ?? title
        applicationName = try text(options.application_name, "application_name")
        nodeName = try text(options.node_name, "node_name")
    }
}

@c @implementation
public func as_output_create(
    _ session: OpaquePointer?, _ options: UnsafePointer<as_output_options>?,
    _ output: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    make(output, "output", error) {
        let owner = try Handles.all.find(session, Session.self)
        return Output(
            AudioOutput(session: owner.session, configuration: try .init(options, for: owner.session)),
            calledBy: owner.handlerQueue.dispatcher)
    }
}

@c @implementation
public func as_output_create_with_callback(
    _ session: OpaquePointer?, _ options: UnsafePointer<as_output_options>?, _ render: as_render_function?,
    _ context: UnsafeMutableRawPointer?, _ destroy: as_destroy_function?,
    _ output: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    make(output, "output", error) {
        let owner = try Handles.all.find(session, Session.self)
        guard let render else { throw Failure.badParam("There is no render function: it is NULL.") }
        let configuration = try AudioOutput.Configuration(options, for: owner.session)
        // The types differ only in what C does not say: that the samples are not NULL.
        let function = unsafeBitCast(render, to: AudioOutput.RenderCallback.Function.self)
        let destroy = destroy.map { unsafeBitCast($0, to: AudioOutput.ContextDestructor.self) }
        return Output(
            AudioOutput(
                session: owner.session, configuration: configuration,
                render: .init(function, context: context, destroyContext: destroy)),
            calledBy: owner.handlerQueue.dispatcher)
    }
}

@c @implementation
public func as_output_destroy(_ output: OpaquePointer?) -> as_status {
    takeBack(output, Output.self) {
        await $0.output.close()
        await $0.output.waitForEndOfStreams()
    }
}

@c @implementation
public func as_output_start(_ output: OpaquePointer?, _ error: UnsafeMutablePointer<as_error>?) -> as_status {
    perform(output, Output.self, error) { try await $0.output.start() }
}

@c @implementation
public func as_output_stop(_ output: OpaquePointer?, _ error: UnsafeMutablePointer<as_error>?) -> as_status {
    perform(output, Output.self, error) { await $0.output.stop() }
}

@c @implementation
public func as_output_write(
    _ output: OpaquePointer?, _ samples: UnsafePointer<Float>?, _ frames: UInt32, _ limit: UInt32,
    _ written: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    written?.pointee = 0
    return answer(error) {
        let output = try Handles.all.find(output, Output.self).output
        let buffer = try interleaved(samples, frames, output.format.channelCount)
        guard limit > 0 else {
            let count = UInt32(try output.writeWithoutWaiting(buffer.span))
            written?.pointee = count
            guard count == frames else { throw AudioSessionError.noRoom }
            return
        }
        try checkMayWait()
        // It begins on this thread, so that another thread's frames are before or after all of it.
        guard let write = try output.beginWrite(Array(buffer)) else {
            written?.pointee = frames
            return
        }
        let outcome = try waitUntilDone { await output.finish(write, within: duration(ofLimit: limit)) }
        written?.pointee = UInt32(outcome.frameCount)
        if let error = outcome.error { throw error }
    }
}

@c @implementation
public func as_output_write_available(
    _ output: OpaquePointer?, _ samples: UnsafePointer<Float>?, _ frames: UInt32,
    _ written: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    written?.pointee = 0
    return answer(error) {
        let output = try Handles.all.find(output, Output.self).output
        let buffer = try interleaved(samples, frames, output.format.channelCount)
        let count = try output.writeAvailable(buffer.span)
        written?.pointee = UInt32(count)
    }
}

@c @implementation
public func as_output_drain(
    _ output: OpaquePointer?, _ limit: UInt32, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(output, Output.self, error) { try await $0.output.drain(within: duration(ofLimit: limit)) }
}

@c @implementation
public func as_output_flush(_ output: OpaquePointer?) -> as_status {
    answer { try Handles.all.find(output, Output.self).output.flush() }
}

@c @implementation
public func as_output_set_volume(
    _ output: OpaquePointer?, _ volume: Float, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(output, Output.self, error) { try await $0.output.setVolume(volume) }
}

@c @implementation
public func as_output_get_info(
    _ output: OpaquePointer?, _ info: UnsafeMutablePointer<as_output_info>?
) -> as_status {
    answer {
        let output = try Handles.all.find(output, Output.self).output
        let (state, volume) = output.values
        try write(
            as_output_info(
                size: 0, state: as_stream_state(state), pause_reason: as_pause_reason(state), volume: volume,
                sample_rate: Int32(clamping: output.format.sampleRate),
                channels: Int32(clamping: output.format.channelCount), position: output.position,
                missing_frames: output.missingFrameCount),
            to: info)
    }
}

@c @implementation
public func as_output_get_statistics(
    _ output: OpaquePointer?, _ statistics: UnsafeMutablePointer<as_stream_statistics>?,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    read(output, Output.self, to: statistics, error) {
        await as_stream_statistics($0.output.statistics, latency: $0.output.latency)
    }
}

@c @implementation
public func as_output_get_route(
    _ output: OpaquePointer?, _ route: UnsafeMutablePointer<OpaquePointer?>?
) -> as_status {
    route?.pointee = nil
    return answer {
        try give(route, "route") { Route(try Handles.all.find(output, Output.self).output.route) }
    }
}

@c @implementation
public func as_output_set_handler(
    _ output: OpaquePointer?, _ handler: as_output_handler?, _ userData: UnsafeMutableRawPointer?
) -> as_status {
    answer { try Handles.all.find(output, Output.self).handlerQueue.setStreamHandler(handler, userData) }
}

/// Returns the caller's samples as a buffer.
private func interleaved(
    _ samples: UnsafePointer<Float>?, _ frames: UInt32, _ channels: Int
) throws(Failure) -> UnsafeBufferPointer<Float> {
    guard samples != nil || frames == 0 else { throw .badParam("There are no samples to write: they are NULL.") }
    return UnsafeBufferPointer(start: samples, count: samples == nil ? 0 : Int(frames) * channels)
}

extension AudioSessionError {
    fileprivate static let noRoom = AudioSessionError(
        .timedOut, "There is no room for all frames, and the call may not wait. Write the rest later.")
}
