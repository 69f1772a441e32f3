import AudioSessionCore
import AudioSessions
public import CAudioSession
import PipeWireGraph

/// A session for which a C program holds a handle.
final class Session: Sendable {
    let session: AudioSession
    let handlerQueue: HandlerQueue
    private let observation: EventObservation
    /// Names of groups that were given to the program, which may still read them.
    private let groups = Locked<[String: Word]>([:])

    init(_ session: AudioSession, calledBy dispatcher: Dispatcher?) {
        self.session = session
        handlerQueue = HandlerQueue(calledBy: dispatcher)
        observation = session.observe { [handlerQueue] in handlerQueue.push($0) }
    }

    var configuration: as_configuration {
        let configuration = session.configuration
        let group = configuration.group.map { name in
            groups.withLock { groups in
                let word = groups[name] ?? Word(name)
                groups[name] = word
                return word
            }
        }
        return as_configuration(configuration, group: group)
    }
}

/// Does what the session is asked for, and returns when it is done.
func perform(
    _ session: OpaquePointer?, _ error: UnsafeMutablePointer<as_error>?,
    _ work: @escaping @Sendable (AudioSession) async throws -> Void
) -> as_status {
    answer(error) {
        let session = try Handles.all.find(session, Session.self).session
        try waitUntilDone { try await work(session) }
    }
}

@c @implementation
public func as_session_create(
    _ manager: OpaquePointer?, _ configuration: UnsafePointer<as_configuration>?,
    _ session: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    session?.pointee = nil
    return answer(error) {
        guard let session else {
            throw Failure.badParam("The pointer for the session is NULL. Pass the address of a variable.")
        }
        let manager = try Handles.all.find(manager, Manager.self)
        let made = Session(
            try AudioSession(
                manager: manager.manager, configuration: AudioSessionConfiguration(configuration)),
            calledBy: manager.handlerQueue.dispatcher)
        let handle = Handles.all.add(made)
        made.handlerQueue.setSender(handle)
        session.pointee = handle
    }
}

@c @implementation
public func as_session_destroy(_ session: OpaquePointer?) -> as_status {
    guard session != nil else { return AS_OK }
    return answer {
        try checkMayRelease()
        let session = try Handles.all.take(session, Session.self)
        session.handlerQueue.detachHandler()
        try waitUntilDone { [session = session.session] in await session.close() }
        session.handlerQueue.waitForCalls()
    }
}

@c @implementation
public func as_session_set_handler(
    _ session: OpaquePointer?, _ handler: as_session_handler?, _ userData: UnsafeMutableRawPointer?
) -> as_status {
    answer { try Handles.all.find(session, Session.self).handlerQueue.setHandler(handler, userData) }
}

@c @implementation
public func as_session_configure(
    _ session: OpaquePointer?, _ configuration: UnsafePointer<as_configuration>?,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    answer(error) {
        let session = try Handles.all.find(session, Session.self).session
        let configuration = try required(configuration)
        // C programs set policies by functions of their own.
        try waitUntilDone { try await session.changeConfiguration { $0 = configuration.withPolicies(of: $0) } }
    }
}

/// The caller's configuration. `NULL` is an error, because a program that passes it by mistake
/// would lose its own configuration.
private func required(_ pointer: UnsafePointer<as_configuration>?) throws(Failure) -> AudioSessionConfiguration {
    guard let pointer else {
        throw .badParam(
            "The configuration is NULL. Pass the address of one that AS_CONFIGURATION_INIT initialized.")
    }
    return try AudioSessionConfiguration(pointer)
}

@c @implementation
public func as_session_get_configuration(
    _ session: OpaquePointer?, _ configuration: UnsafeMutablePointer<as_configuration>?
) -> as_status {
    answer { try write(Handles.all.find(session, Session.self).configuration, to: configuration) }
}

@c @implementation
public func as_configuration_validate(
    _ configuration: UnsafePointer<as_configuration>?, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    answer(error) { try required(configuration).validate() }
}

@c @implementation
public func as_session_get_id(_ session: OpaquePointer?, _ id: UnsafeMutablePointer<CChar>?) -> as_status {
    answer {
        let session = try Handles.all.find(session, Session.self).session
        guard let id else { throw Failure.badParam("The pointer for the id is NULL. Pass the address of a buffer.") }
        // 36 characters.
        for (index, byte) in session.id.description.utf8.enumerated() { id[index] = CChar(bitPattern: byte) }
        id[Int(AS_SESSION_ID_SIZE) - 1] = 0
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
    answer {
        try write(
            as_session_info(Handles.all.find(session, Session.self).session), to: info,
            first: MemoryLayout<as_session_info>.offset(of: \.maximum_output_channels) ?? 72)
    }
}

@c @implementation
public func as_session_get_route(
    _ session: OpaquePointer?, _ route: UnsafeMutablePointer<OpaquePointer?>?
) -> as_status {
    route?.pointee = nil
    return answer {
        try give(route, "route") { Route(try Handles.all.find(session, Session.self).session.currentRoute) }
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
            throw Failure.badParam("An I/O buffer of \(seconds) seconds is not possible. Use at most 1, or 0.")
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

@c @implementation
public func as_session_set_pauses_on_route_loss(
    _ session: OpaquePointer?, _ pauses: Bool, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(session, error) { try await $0.changeConfiguration { $0.pausesOnRouteLoss = pauses } }
}

@c @implementation
public func as_session_set_resumes_after_interruption(
    _ session: OpaquePointer?, _ resumes: Bool, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(session, error) { try await $0.changeConfiguration { $0.resumesAfterInterruption = resumes } }
}

@c @implementation
public func as_session_set_unmanaged_policy(
    _ session: OpaquePointer?, _ policy: as_unmanaged_policy, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    answer(error) {
        let session = try Handles.all.find(session, Session.self).session
        let policy = try number(policy.rawValue, "policy", of: AudioSession.Configuration.unmanagedPolicies)
        try waitUntilDone { try await session.changeConfiguration { $0.unmanagedAudioPolicy = policy } }
    }
}

extension as_session_info {
    fileprivate init(_ session: AudioSession) {
        let (machine, sound) = session.values
        let (format, preferred, configuration) = (sound.hardware, machine.soundPreferences, machine.configuration)
        self.init()
        state = as_state(machine.state)
        gain = machine.gain
        output_volume = sound.volume?.level ?? 0
        input_gain = sound.inputGain ?? 1
        is_output_muted = sound.volume?.isMuted ?? false
        is_input_gain_settable = sound.inputGain != nil
        is_other_audio_playing = machine.otherAudio.isPlaying
        should_secondary_audio_be_silent = machine.otherAudio.isPrimaryPlaying
        sample_rate = Int32(clamping: format.sampleRate)
        output_channels = Int32(clamping: format.outputNumberOfChannels)
        input_channels = Int32(clamping: format.inputNumberOfChannels)
        preferred_sample_rate = Int32(clamping: preferred.sampleRate ?? 0)
        preferred_io_buffer_duration = (preferred.ioBufferDuration ?? .zero) / .seconds(1)
        io_buffer_duration = format.ioBufferDuration / .seconds(1)
        output_latency = format.outputLatency / .seconds(1)
        input_latency = format.inputLatency / .seconds(1)
        maximum_output_channels = Int32(clamping: format.maximumOutputNumberOfChannels)
        maximum_input_channels = Int32(clamping: format.maximumInputNumberOfChannels)
        preferred_output_channels = Int32(clamping: preferred.outputChannels ?? 0)
        preferred_input_channels = Int32(clamping: preferred.inputChannels ?? 0)
        replug_limit = UInt32(min(max(configuration.replugTimeout / .milliseconds(1), 0), Double(UInt32.max)))
        resumes_on_replug = configuration.resumesOnReplug
        is_output_overridden = machine.chooser.preferences.override == .speaker
        let policies = AudioSession.Configuration.unmanagedPolicies
        unmanaged_policy = as_unmanaged_policy(
            UInt32(policies.firstIndex(of: configuration.unmanagedAudioPolicy) ?? 0))
        pauses_on_route_loss = configuration.pausesOnRouteLoss
        resumes_after_interruption = configuration.resumesAfterInterruption
    }
}
