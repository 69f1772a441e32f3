import AudioSessionCore
import AudioSessions
import CAudioSession

extension AudioSession.Event {
    /// Calls `body` with what C programs are told, which lasts until `body` returns.
    func withC(dropped: UInt32, _ body: (UnsafePointer<as_event>) -> Void) {
        var event = as_event()
        event.size = UInt32(MemoryLayout<as_event>.size)
        event.dropped = dropped
        let (cause, lost, change) = fill(&event)
        let name = cause?.applicationName.map(Word.init)
        event.cause_name = name?.pointer
        event.cause_pid = Int32(clamping: cause?.processID ?? 0)
        let routes = [change?.previous, change?.current].map { $0.map { Handles.all.add(Route($0)) } }
        (event.previous_route, event.current_route) = (routes[0], routes[1])
        let noisy = lost.map { Route(RouteDescription(outputs: [$0])) }
        if let port = try? noisy?.port(AS_DIRECTION_OUTPUT, 0) {
            withUnsafePointer(to: port) { port in
                event.port = port
                withUnsafePointer(to: event, body)
            }
        } else {
            withUnsafePointer(to: event, body)
        }
        for route in routes { _ = try? route.map { try Handles.all.take($0, Route.self) } }
        withExtendedLifetime((name, noisy)) {}
    }

    /// - Returns: what needs memory of its own.
    private func fill(_ event: inout as_event) -> (AudioSession.Cause?, PortDescription?, RouteChange?) {
        switch self {
        case .stateChanged(let state):
            event.type = AS_EVENT_STATE_CHANGED
            event.state = as_state(state)
        case .interruptionBegan(_, let by, let time):
            event.type = AS_EVENT_INTERRUPTION_BEGAN
            event.time = time.nanoseconds
            return (by, nil, nil)
        case .interruptionEnded(let options, let time):
            event.type = AS_EVENT_INTERRUPTION_ENDED
            event.time = time.nanoseconds
            event.should_resume = options.contains(.shouldResume)
        case .ducking(let gain, let by):
            event.type = AS_EVENT_DUCKING
            event.gain = gain
            return (by.first, nil, nil)
        case .becameNoisy(let port, let time):
            event.type = AS_EVENT_BECAME_NOISY
            event.time = time.nanoseconds
            return (nil, port, nil)
        case .routeChanged(let change):
            event.type = AS_EVENT_ROUTE_CHANGED
            event.time = change.time.nanoseconds
            event.reason = as_route_change_reason(rawValue: UInt32(change.reason.rawValue))
            return (nil, nil, change)
        case .resumeAdvice(_, let time):
            event.type = AS_EVENT_RESUME_ADVICE
            event.time = time.nanoseconds
        case .silenceSecondaryAudioHint(let hint):
            event.type = AS_EVENT_SECONDARY_AUDIO_HINT
            event.should_be_silent = hint == .begin
        case .outputVolumeChanged(_, let volume):
            event.type = AS_EVENT_OUTPUT_VOLUME_CHANGED
            event.volume = volume.level
            event.is_muted = volume.isMuted
        case .inputGainChanged(_, let gain):
            event.type = AS_EVENT_INPUT_GAIN_CHANGED
            event.gain = gain
        case .hardwareFormatChanged: event.type = AS_EVENT_FORMAT_CHANGED
        case .mediaServicesLost: event.type = AS_EVENT_MEDIA_SERVICES_LOST
        case .mediaServicesReset: event.type = AS_EVENT_MEDIA_SERVICES_RESET
        }
        return (nil, nil, nil)
    }
}
