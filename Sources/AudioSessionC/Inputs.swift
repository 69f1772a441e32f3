import AudioSessionCore
import AudioSessionPlayback
import AudioSessions
public import CAudioSession
import PipeWireGraph

/// An input for which a C program holds a handle.
final class Input: HandlerOwner {
    let input: AudioInput
    let handlerQueue: HandlerQueue
    /// `nil` if the input has a callback.
    let queue: SampleQueue?
    private let observations: [EventObservation]

    /// Observes an input for a C program.
    /// - Parameter capacity: how much of what was not read is kept.
    init(_ input: AudioInput, keeping capacity: Duration?, calledBy dispatcher: Dispatcher?) {
        self.input = input
        handlerQueue = HandlerQueue(calledBy: dispatcher)
        let queue = capacity.map {
            SampleQueue(
                channels: input.format.channelCount, capacity: Int($0.frames(rate: input.format.sampleRate)))
        }
        self.queue = queue
        var observations = [
            input.observe { [handlerQueue] event in
                // First, because the handler may read.
                queue?.receive(event)
                handlerQueue.push(event)
            }
        ]
        if let queue { observations.append(input.observeBuffers { queue.append($0.samples) }) }
        self.observations = observations
    }
}

extension AudioInput.Configuration {
    init(_ pointer: UnsafePointer<as_input_options>?, for session: AudioSession) throws(Failure) {
        try checkSize(pointer)
        self.init()
        guard let options = pointer?.pointee else { return }
        let hardware = session.hardwareFormat
        prefersEchoCancelledInput = options.prefers_echo_cancelled_input
        format = try .asked(
            options.sample_rate, options.channels,
            hardware: prefersEchoCancelledInput ? (48_000, 1) : (hardware.sampleRate, hardware.inputNumberOfChannels),
            otherwise: 1)
        continuesOnOtherInput = !options.stops_when_lost
        title = try text(options.title, "title") ?? title
        applicationName = try text(options.application_name, "application_name")
        nodeName = try text(options.node_name, "node_name")
    }
}

@c @implementation
public func as_input_create(
    _ session: OpaquePointer?, _ options: UnsafePointer<as_input_options>?,
    _ input: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    make(input, "input", error) {
        let owner = try Handles.all.find(session, Session.self)
        let configuration = try AudioInput.Configuration(options, for: owner.session)
        return Input(
            AudioInput(session: owner.session, configuration: configuration),
            keeping: kept(options.map(\.pointee.buffer_duration) ?? 0), calledBy: owner.handlerQueue.dispatcher)
    }
}

@c @implementation
public func as_input_create_with_callback(
    _ session: OpaquePointer?, _ options: UnsafePointer<as_input_options>?, _ receive: as_receive_function?,
    _ context: UnsafeMutableRawPointer?, _ destroy: as_destroy_function?,
    _ input: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    make(input, "input", error) {
        let owner = try Handles.all.find(session, Session.self)
        guard let receive else { throw Failure.badParam("There is no receive function: it is NULL.") }
        let configuration = try AudioInput.Configuration(options, for: owner.session)
        // The types differ only in what C does not say: that the samples are not NULL.
        let function = unsafeBitCast(receive, to: AudioInput.ReceiveCallback.Function.self)
        let destroy = destroy.map { unsafeBitCast($0, to: AudioOutput.ContextDestructor.self) }
        return Input(
            AudioInput(
                session: owner.session, configuration: configuration,
                receive: .init(function, context: context, destroyContext: destroy)),
            keeping: nil, calledBy: owner.handlerQueue.dispatcher)
    }
}

@c @implementation
public func as_input_destroy(_ input: OpaquePointer?) -> as_status {
    takeBack(input, Input.self) {
        $0.queue?.close()
        await $0.input.close()
        await $0.input.waitForEndOfStreams()
    }
}

@c @implementation
public func as_input_start(_ input: OpaquePointer?, _ error: UnsafeMutablePointer<as_error>?) -> as_status {
    perform(input, Input.self, error) { try await $0.input.start() }
}

@c @implementation
public func as_input_get_echo_canceller_available(_ isAvailable: UnsafeMutablePointer<Bool>?) -> as_status {
    answer {
        guard let isAvailable else {
            throw Failure.badParam("There is no room for the answer: is_available is NULL.")
        }
        isAvailable.pointee = AudioInput.isEchoCancelledInputAvailable
    }
}

@c @implementation
public func as_input_stop(_ input: OpaquePointer?, _ error: UnsafeMutablePointer<as_error>?) -> as_status {
    perform(input, Input.self, error) { await $0.input.stop() }
}

@c @implementation
public func as_input_read(
    _ input: OpaquePointer?, _ samples: UnsafeMutablePointer<Float>?, _ frames: UInt32, _ limit: UInt32,
    _ count: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    count?.pointee = 0
    return answer(error) {
        if limit > 0 { try checkMayWait() }
        let input = try Handles.all.find(input, Input.self)
        guard let queue = input.queue else {
            throw Failure.badParam("The input gives its sound to a callback. Make one without it to read from it.")
        }
        let (read, failure) = queue.read(into: try room(samples, frames, queue.channels), within: limit)
        count?.pointee = UInt32(read)
        if let failure { throw failure }
    }
}

@c @implementation
public func as_input_get_level(
    _ input: OpaquePointer?, _ channel: UInt32, _ level: UnsafeMutablePointer<as_level>?,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    read(input, Input.self, to: level, error) { try as_level(await $0.input.currentLevels, channel) }
}

@c @implementation
public func as_input_get_info(_ input: OpaquePointer?, _ info: UnsafeMutablePointer<as_input_info>?) -> as_status {
    answer {
        let input = try Handles.all.find(input, Input.self)
        let (state, counts) = (input.input.state, input.queue?.counts ?? (waiting: 0, dropped: 0))
        try write(
            as_input_info(
                size: 0, state: as_stream_state(state), pause_reason: as_pause_reason(state),
                sample_rate: Int32(clamping: input.input.format.sampleRate),
                channels: Int32(clamping: input.input.format.channelCount), reserved: 0,
                waiting_frames: counts.waiting, dropped_frames: counts.dropped),
            to: info)
    }
}

@c @implementation
public func as_input_get_statistics(
    _ input: OpaquePointer?, _ statistics: UnsafeMutablePointer<as_stream_statistics>?,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    read(input, Input.self, to: statistics, error) {
        await as_stream_statistics(
            $0.input.statistics, latency: $0.input.latency, isEchoCancelled: $0.input.isEchoCancelledInputEnabled)
    }
}

@c @implementation
public func as_input_get_route(_ input: OpaquePointer?, _ route: UnsafeMutablePointer<OpaquePointer?>?) -> as_status {
    route?.pointee = nil
    return answer {
        try give(route, "route") { Route(input: try Handles.all.find(input, Input.self).input.input) }
    }
}

@c @implementation
public func as_input_set_handler(
    _ input: OpaquePointer?, _ handler: as_input_handler?, _ userData: UnsafeMutableRawPointer?
) -> as_status {
    answer { try Handles.all.find(input, Input.self).handlerQueue.setStreamHandler(handler, userData) }
}

/// How much of what was not read is kept, from the program's number of milliseconds.
func kept(_ milliseconds: UInt32) -> Duration {
    milliseconds == 0 ? .seconds(1) : .milliseconds(min(milliseconds, 60_000))
}

/// The caller's room for samples.
func room(
    _ samples: UnsafeMutablePointer<Float>?, _ frames: UInt32, _ channels: Int
) throws(Failure) -> UnsafeMutableBufferPointer<Float> {
    guard samples != nil || frames == 0 else { throw .badParam("There is nowhere to read to: it is NULL.") }
    return UnsafeMutableBufferPointer(start: samples, count: samples == nil ? 0 : Int(frames) * channels)
}

extension Route {
    /// A route of at most one input.
    convenience init(input: PortDescription?) {
        self.init(RouteDescription(inputs: input.map { [$0] } ?? [], outputs: []))
    }
}
