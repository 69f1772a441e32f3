import AudioSessionText
import AudioSessions
import PipeWireGraph

/// The JSON output of the tool for programs. It is a contract, described in Docs/CommandLine.md.
enum JSONFormat {
    /// The version of the formats. It changes only when a program that reads them would fail. New
    /// keys and new events do not change it.
    static let version = 1

    static func status(_ status: Status) -> JSONValue {
        .object([
            ("t", time(status.time)), ("format", .integer(Int64(version))), ("route", route(status.route)),
            ("availableInputs", ports(status.inputs)), ("availableOutputs", ports(status.outputs)),
            ("volume", status.volume.map { RunFormat.number($0.level) } ?? .null),
            ("muted", .bool(status.volume?.isMuted ?? false)),
            ("silentMode", .bool(status.isSilentMode)), ("sessions", .integer(Int64(status.board.sessions))),
            ("silencedSessions", .integer(Int64(status.board.silenced))),
            ("malformedTokens", .integer(status.board.malformed)),
            ("surplusTokens", .integer(status.board.surplus)),
            ("refusedObjects", .integer(status.board.refused)),
            ("pipeWireLibrary", .string(status.libraryVersion)),
        ])
    }

    static func silentMode(_ isOn: Bool, at now: MonotonicTime) -> JSONValue {
        .object([("t", time(now)), ("format", .integer(Int64(version))), ("silentMode", .bool(isOn))])
    }

    static func event(_ event: MonitorEvent) -> JSONValue {
        .object([("t", time(event.time)), ("event", .string(event.name))] + details(event))
    }

    /// Returns one document with each element on a line of its own, for users and for `diff`.
    static func lines(_ elements: [JSONValue]) -> [String] {
        let last = elements.count - 1
        return ["["] + elements.enumerated().map { $0.offset < last ? "\($0.element)," : "\($0.element)" } + ["]"]
    }

    static func port(_ port: PipeWireDump.Port) -> JSONValue {
        .object([
            ("node", optional(port.node)), ("device", optional(port.device)), ("route", optional(port.route)),
            ("direction", .string(port.direction.rawValue)), ("active", .bool(port.active)),
            ("type", .string(port.type.rawValue)), ("name", .string(port.name)), ("uid", .string(port.uid)),
            ("uncertain", .bool(port.uncertain)), ("why", .string(port.why)),
        ])
    }

    private static func details(_ event: MonitorEvent) -> [(String, JSONValue)] {
        switch event {
        case .route(let current, _): [("format", .integer(Int64(version))), ("route", route(current))]
        case .routeChange(let change):
            [
                ("reason", .string(change.reason.name)), ("previous", route(change.previous)),
                ("current", route(change.current)),
            ]
        case .becameNoisy(let lost, _): [("port", port(lost))]
        case .availablePortsChanged(let inputs, let outputs, _):
            [("availableInputs", ports(inputs)), ("availableOutputs", ports(outputs))]
        case .silentMode(let isOn, _): [("on", .bool(isOn))]
        case .mediaServicesLost, .mediaServicesReset: []
        case .dropped(let count, _): [("count", .integer(Int64(count)))]
        }
    }

    static func route(_ route: RouteDescription) -> JSONValue {
        .object([("inputs", ports(route.inputs)), ("outputs", ports(route.outputs))])
    }

    static func ports(_ ports: [PortDescription]) -> JSONValue { .array(ports.map(port)) }

    static func port(_ port: PortDescription) -> JSONValue {
        .object(
            [
                ("type", .string(port.type.rawValue)), ("name", .string(port.name)), ("uid", .string(port.uid)),
                ("uncertain", .bool(port.isUncertain)),
            ] + (port.needsProfileChange ? [("needsProfileChange", .bool(true))] : []))
    }

    static func time(_ time: MonotonicTime) -> JSONValue { .integer(time.nanoseconds) }

    static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

extension MonitorEvent {
    fileprivate var name: String {
        switch self {
        case .route: "route"
        case .routeChange: "routeChanged"
        case .becameNoisy: "becameNoisy"
        case .availablePortsChanged: "availablePortsChanged"
        case .silentMode: "silentModeChanged"
        case .mediaServicesLost: "mediaServicesLost"
        case .mediaServicesReset: "mediaServicesReset"
        case .dropped: "dropped"
        }
    }
}

extension RouteChangeReason {
    /// Apple's name of the reason. It is spelled out because renaming a case must not change the
    /// format.
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
