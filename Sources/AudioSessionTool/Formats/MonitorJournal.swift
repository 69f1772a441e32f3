import AudioSessions

/// Formats a monitor's events for users, with the time since the first event.
struct MonitorJournal: Sendable {
    private let start: MonotonicTime
    private var available: [PortDescription]

    init(_ status: Status) {
        start = status.time
        available = status.outputs + status.inputs
    }

    /// Returns the lines of an event. There is none if the event changes nothing that users see.
    mutating func lines(for event: MonitorEvent) -> [String] {
        sentences(for: event).map { "\(event.time.since(start).secondsColumn)  \($0)" }
    }

    private mutating func sentences(for event: MonitorEvent) -> [String] {
        switch event {
        case .route(let route, _): [RouteSentence.beginning(route)]
        case .routeChange(let change): [RouteSentence.change(change)]
        case .becameNoisy(let port, _): ["the output \(port.name) is lost: players pause now"]
        case .availablePortsChanged(let inputs, let outputs, _): differences(outputs + inputs)
        case .silentMode(let isOn, _): ["silent mode is \(isOn ? "on" : "off")"]
        case .mediaServicesLost: ["PipeWire was lost"]
        case .mediaServicesReset: ["PipeWire is back"]
        case .dropped(let count, _): ["\(count) older \(count == 1 ? "event was" : "events were") lost: read faster"]
        }
    }

    private mutating func differences(_ ports: [PortDescription]) -> [String] {
        let old = Set(available.map(\.uid))
        let new = Set(ports.map(\.uid))
        let gone = available.filter { !new.contains($0.uid) }.map { "\($0.text) is no longer available" }
        let come = ports.filter { !old.contains($0.uid) }.map { "\($0.text) is available now" }
        available = ports
        return gone + come
    }
}

extension Duration {
    /// The seconds with milliseconds, in a column that is wide enough for a day.
    package var secondsColumn: String {
        let total = Int(self / .milliseconds(1))
        let fraction = String(1000 + total % 1000).dropFirst()
        let text = "\(total / 1000).\(fraction)"
        return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }
}
