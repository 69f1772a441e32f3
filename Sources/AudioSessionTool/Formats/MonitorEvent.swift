import AudioSessions

/// One line of `audiosession monitor`.
enum MonitorEvent: Sendable, Hashable {
    /// The route when the monitor began.
    case route(RouteDescription, at: MonotonicTime)
    case routeChange(RouteChange)
    case becameNoisy(PortDescription, at: MonotonicTime)
    /// What can be chosen now is something else than before.
    case availablePortsChanged(inputs: [PortDescription], outputs: [PortDescription], at: MonotonicTime)
    case mediaServicesLost(at: MonotonicTime)
    /// Whoever reads the output was too slow: so many of the oldest events were lost.
    case dropped(Int, at: MonotonicTime)

    init(_ event: AudioSessionManager.Event, _ now: Status) {
        self =
            switch event {
            case .becameNoisy(let port, let time): .becameNoisy(port, at: time)
            case .routeChanged(let change): .routeChange(change)
            case .availablePortsChanged:
                .availablePortsChanged(inputs: now.inputs, outputs: now.outputs, at: now.time)
            case .mediaServicesLost: .mediaServicesLost(at: now.time)
            }
    }

    var time: MonotonicTime {
        switch self {
        case .routeChange(let change): change.time
        case .route(_, let time), .becameNoisy(_, let time), .availablePortsChanged(_, _, let time),
            .mediaServicesLost(let time), .dropped(_, let time):
            time
        }
    }
}

extension MonitorEvent: Encodable {
    private enum CodingKeys: String, CodingKey {
        case time = "t"
        case event, format, route, reason, previous, current, port, availableInputs, availableOutputs, count
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(time.nanoseconds, forKey: .time)
        try container.encode(name, forKey: .event)
        switch self {
        case .route(let route, _):
            try container.encode(formatVersion, forKey: .format)
            try container.encode(RoutePayload(route), forKey: .route)
        case .routeChange(let change):
            try container.encode(change.reason.name, forKey: .reason)
            try container.encode(RoutePayload(change.previous), forKey: .previous)
            try container.encode(RoutePayload(change.current), forKey: .current)
        case .becameNoisy(let port, _):
            try container.encode(PortPayload(port), forKey: .port)
        case .availablePortsChanged(let inputs, let outputs, _):
            try container.encode(inputs.map(PortPayload.init), forKey: .availableInputs)
            try container.encode(outputs.map(PortPayload.init), forKey: .availableOutputs)
        case .mediaServicesLost: break
        case .dropped(let count, _):
            try container.encode(count, forKey: .count)
        }
    }

    private var name: String {
        switch self {
        case .route: "route"
        case .routeChange: "routeChange"
        case .becameNoisy: "becameNoisy"
        case .availablePortsChanged: "availablePortsChanged"
        case .mediaServicesLost: "mediaServicesLost"
        case .dropped: "dropped"
        }
    }
}

extension RouteChangeReason {
    /// Apple's name, spelt out here: renaming a case must not change the format.
    var name: String {
        switch self {
        case .unknown: "unknown"
        case .newDeviceAvailable: "newDeviceAvailable"
        case .oldDeviceUnavailable: "oldDeviceUnavailable"
        case .categoryChange: "categoryChange"
        case .override: "override"
        case .wakeFromSleep: "wakeFromSleep"
        case .noSuitableRouteForCategory: "noSuitableRouteForCategory"
        case .routeConfigurationChange: "routeConfigurationChange"
        }
    }
}
