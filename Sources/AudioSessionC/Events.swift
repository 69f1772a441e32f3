import AudioSessionCore
import AudioSessions
import CAudioSession

/// The values that an event points to, which need memory of their own while the handler runs.
private struct EventParts {
    var cause: AudioSession.Peer?
    var lost: PortDescription?
    var change: RouteChange?

    static let none = Self()

    /// Calls `body` with the event and its parts.
    func complete(_ event: as_event, dropped: UInt32, _ body: (UnsafeRawPointer) -> Void) {
        var event = event
        event.size = UInt32(MemoryLayout<as_event>.size)
        event.dropped = dropped
        let name = cause?.applicationName.map(Word.init)
        event.cause_name = name?.pointer
        event.cause_pid = Int32(clamping: cause?.processID ?? 0)
        let session = cause.map { Word($0.session.description) }
        event.cause_session = session?.pointer
        let port = lost.map(Port.init)
        event.port = port?.pointer
        let routes = [change?.previous, change?.current].map { $0.map { Handles.all.add(Route($0)) } }
        (event.previous_route, event.current_route) = (routes[0], routes[1])
        withUnsafePointer(to: event) { body($0) }
        for route in routes { _ = try? route.map { try Handles.all.take($0, Route.self) } }
        withExtendedLifetime((name, session, port)) {}
    }
}

extension as_event {
    fileprivate mutating func fill(_ change: RouteChange) -> EventParts {
        type = AS_EVENT_ROUTE_CHANGED
        time = change.time.nanoseconds
        reason = as_route_change_reason(rawValue: UInt32(change.reason.rawValue))
        return EventParts(change: change)
    }

    fileprivate mutating func fill(lost port: PortDescription, at moment: MonotonicTime) -> EventParts {
        type = AS_EVENT_BECAME_NOISY
        time = moment.nanoseconds
        return EventParts(lost: port)
    }
}

extension AudioSessionManager.Event: CEvent {
    func withC(dropped: UInt32, _ body: (UnsafeRawPointer) -> Void) {
        var event = as_event()
        let parts = fill(&event)
        parts.complete(event, dropped: dropped, body)
    }

    private func fill(_ event: inout as_event) -> EventParts {
        switch self {
        case .becameNoisy(let port, let time): return event.fill(lost: port, at: time)
        case .routeChanged(let change): return event.fill(change)
        case .availablePortsChanged(let time):
            event.type = AS_EVENT_AVAILABLE_PORTS_CHANGED
            event.time = time.nanoseconds
        case .silentModeChanged(let isOn, let time):
            event.type = AS_EVENT_SILENT_MODE_CHANGED
            event.time = time.nanoseconds
            event.is_silent_mode = isOn
        case .mediaServicesLost(let time):
            event.type = AS_EVENT_MEDIA_SERVICES_LOST
            event.time = time.nanoseconds
        case .mediaServicesReset(let time):
            event.type = AS_EVENT_MEDIA_SERVICES_RESET
            event.time = time.nanoseconds
        }
        return .none
    }
}

extension AudioSession.Event: CEvent {
    func withC(dropped: UInt32, _ body: (UnsafeRawPointer) -> Void) {
        var event = as_event()
        let parts = fill(&event)
        parts.complete(event, dropped: dropped, body)
    }

    private func fill(_ event: inout as_event) -> EventParts {
        switch self {
        case .stateChanged(let state, let time):
            event.type = AS_EVENT_STATE_CHANGED
            event.time = time.nanoseconds
            event.state = as_state(state)
        case .interruptionBegan(_, let by, let time):
            event.type = AS_EVENT_INTERRUPTION_BEGAN
            event.time = time.nanoseconds
            return EventParts(cause: by)
        case .interruptionEnded(let options, let time):
            event.type = AS_EVENT_INTERRUPTION_ENDED
            event.time = time.nanoseconds
            event.should_resume = options.contains(.shouldResume)
        case .ducking(let gain, let by, let time):
            event.type = AS_EVENT_DUCKING
            event.time = time.nanoseconds
            event.gain = gain
            return EventParts(cause: by.first)
        case .becameNoisy(let port, let time): return event.fill(lost: port, at: time)
        case .routeChanged(let change): return event.fill(change)
        case .resumeAdvice(_, let time):
            event.type = AS_EVENT_RESUME_ADVICE
            event.time = time.nanoseconds
        case .silenceSecondaryAudioHint(let hint, let time):
            event.type = AS_EVENT_SECONDARY_AUDIO_HINT
            event.time = time.nanoseconds
            event.should_be_silent = hint == .begin
        case .outputVolumeChanged(_, let volume, let time):
            event.type = AS_EVENT_OUTPUT_VOLUME_CHANGED
            event.time = time.nanoseconds
            event.volume = volume.level
            event.is_muted = volume.isMuted
        case .inputGainChanged(_, let gain, let time):
            event.type = AS_EVENT_INPUT_GAIN_CHANGED
            event.time = time.nanoseconds
            event.gain = gain
        case .hardwareFormatChanged(_, _, let time):
            event.type = AS_EVENT_FORMAT_CHANGED
            event.time = time.nanoseconds
        case .mediaServicesLost(let time):
            event.type = AS_EVENT_MEDIA_SERVICES_LOST
            event.time = time.nanoseconds
        case .mediaServicesReset(let time):
            event.type = AS_EVENT_MEDIA_SERVICES_RESET
            event.time = time.nanoseconds
        case .silenceReasonsChanged(_, let time):
            event.type = AS_EVENT_SILENCE_REASONS_CHANGED
            event.time = time.nanoseconds
        }
        return .none
    }
}
