import AudioSessions

/// An event that `audiosession monitor` prints as one line.
enum MonitorEvent: Sendable, Hashable {
    /// The route when the monitor started.
    case route(RouteDescription, at: MonotonicTime)
    case routeChange(RouteChange)
    case becameNoisy(PortDescription, at: MonotonicTime)
    /// The set of available ports changed.
    case availablePortsChanged(inputs: [PortDescription], outputs: [PortDescription], at: MonotonicTime)
    case silentMode(Bool, at: MonotonicTime)
    case mediaServicesLost(at: MonotonicTime)
    case mediaServicesReset(at: MonotonicTime)
    /// The reader of the output was too slow, so this number of the oldest events was dropped.
    case dropped(Int, at: MonotonicTime)

    init(_ event: AudioSessionManager.Event, _ now: Status) {
        self =
            switch event {
            case .becameNoisy(let port, let time): .becameNoisy(port, at: time)
            case .routeChanged(let change): .routeChange(change)
            case .availablePortsChanged(let time):
                .availablePortsChanged(inputs: now.inputs, outputs: now.outputs, at: time)
            case .silentModeChanged(let isOn, let time): .silentMode(isOn, at: time)
            case .mediaServicesLost(let time): .mediaServicesLost(at: time)
            case .mediaServicesReset(let time): .mediaServicesReset(at: time)
            }
    }

    var time: MonotonicTime {
        switch self {
        case .routeChange(let change): change.time
        case .route(_, let time), .becameNoisy(_, let time), .availablePortsChanged(_, _, let time),
            .silentMode(_, let time), .mediaServicesLost(let time), .mediaServicesReset(let time),
            .dropped(_, let time):
            time
        }
    }
}
