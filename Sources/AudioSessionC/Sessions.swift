import AudioSessionCore
import AudioSessions
public import CAudioSession
import PipeWireGraph

/// One that C programs hold.
final class Session: Sendable {
    let session: AudioSession
    let courier = Courier()
    private let observation: EventObservation

    init(_ session: AudioSession) {
        self.session = session
        observation = session.observe { [courier] in courier.push($0) }
    }
}

/// Does what the session asks for, and returns when it is done.
private func perform(
    _ session: OpaquePointer?, _ error: UnsafeMutablePointer<as_error>?,
    _ work: @escaping @Sendable (AudioSession) async throws -> Void
) -> as_status {
    answer(error) {
        let session = try Handles.all.find(session, Session.self).session
        try BridgeThread.wait { try await work(session) }
    }
}

@c @implementation
public func as_session_create(
    _ manager: OpaquePointer?, _ configuration: UnsafePointer<as_configuration>?,
    _ session: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    session?.pointee = nil
    return answer(error) {
        guard let session else { throw Failure.badParam("There is nowhere to write the session to: it is NULL.") }
        let manager = try Handles.all.find(manager, Manager.self).manager
        let made = Session(
            try AudioSession(manager: manager, configuration: AudioSessionConfiguration(configuration)))
        let handle = Handles.all.add(made)
        made.courier.setSession(handle)
        session.pointee = handle
    }
}

@c @implementation
public func as_session_destroy(_ session: OpaquePointer?) -> as_status {
    guard session != nil else { return AS_OK }
    return answer {
        guard !Courier.thread.isCurrent else { throw Failure.wrongThread }
        let session = try Handles.all.take(session, Session.self)
        session.courier.setHandler(nil, nil)
        try BridgeThread.wait { [session = session.session] in await session.close() }
    }
}

@c @implementation
public func as_session_set_handler(
    _ session: OpaquePointer?, _ handler: as_session_handler?, _ userData: UnsafeMutableRawPointer?
) -> as_status {
    answer { try Handles.all.find(session, Session.self).courier.setHandler(handler, userData) }
}

@c @implementation
public func as_session_configure(
    _ session: OpaquePointer?, _ configuration: UnsafePointer<as_configuration>?,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    answer(error) {
        let session = try Handles.all.find(session, Session.self).session
        let configuration = try AudioSessionConfiguration(configuration)
        try BridgeThread.wait { try await session.configure(configuration) }
    }
}

@c @implementation
public func as_session_activate(_ session: OpaquePointer?, _ error: UnsafeMutablePointer<as_error>?) -> as_status {
    perform(session, error) { try await $0.activate() }
}

@c @implementation
public func as_session_deactivate(
    _ session: OpaquePointer?, _ notifyOthers: Bool, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(session, error) { try await $0.deactivate(notifyOthers ? .notifyOthersOnDeactivation : []) }
}

@c @implementation
public func as_session_get_info(
    _ session: OpaquePointer?, _ info: UnsafeMutablePointer<as_session_info>?
) -> as_status {
    answer { try write(as_session_info(Handles.all.find(session, Session.self).session), \.size, to: info) }
}

@c @implementation
public func as_session_get_route(
    _ session: OpaquePointer?, _ route: UnsafeMutablePointer<OpaquePointer?>?
) -> as_status {
    route?.pointee = nil
    return answer {
        guard let route else { throw Failure.badParam("There is nowhere to write the route to: it is NULL.") }
        route.pointee = Handles.all.add(Route(try Handles.all.find(session, Session.self).session.currentRoute))
    }
}

@c @implementation
public func as_session_set_preferred_sample_rate(
    _ session: OpaquePointer?, _ rate: Int32, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(session, error) { try await $0.setPreferredSampleRate(rate == 0 ? nil : Int(rate)) }
}

@c @implementation
public func as_session_set_preferred_io_buffer_duration(
    _ session: OpaquePointer?, _ seconds: Double, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(session, error) { session in
        guard seconds.magnitude <= 3600 else {
            throw Failure.badParam("An I/O buffer of \(seconds) seconds cannot be. Ask for less than a second.")
        }
        try await session.setPreferredIOBufferDuration(seconds == 0 ? nil : .seconds(seconds))
    }
}

@c @implementation
public func as_session_override_output(
    _ session: OpaquePointer?, _ toSpeaker: Bool, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(session, error) { try await $0.overrideOutputAudioPort(toSpeaker ? .speaker : .none) }
}

@c @implementation
public func as_session_set_input_gain(
    _ session: OpaquePointer?, _ gain: Float, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(session, error) { try await $0.setInputGain(gain) }
}

extension as_session_info {
    fileprivate init(_ session: AudioSession) {
        let format = session.hardwareFormat
        self.init()
        state = as_state(session.state)
        gain = session.gain
        output_volume = session.outputVolume
        input_gain = session.inputGain
        is_output_muted = session.isOutputMuted
        is_input_gain_settable = session.isInputGainSettable
        is_other_audio_playing = session.isOtherAudioPlaying
        should_secondary_audio_be_silent = session.secondaryAudioShouldBeSilencedHint
        sample_rate = Int32(clamping: format.sampleRate)
        output_channels = Int32(clamping: format.outputNumberOfChannels)
        input_channels = Int32(clamping: format.inputNumberOfChannels)
        preferred_sample_rate = Int32(clamping: session.preferredSampleRate ?? 0)
        preferred_io_buffer_duration = (session.preferredIOBufferDuration ?? .zero) / .seconds(1)
        io_buffer_duration = format.ioBufferDuration / .seconds(1)
        output_latency = format.outputLatency / .seconds(1)
        input_latency = format.inputLatency / .seconds(1)
    }
}
