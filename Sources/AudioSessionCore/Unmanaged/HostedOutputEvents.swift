/// The events of a hosted program's output that its host has not received yet.
///
/// Other programs can cause such events at any rate while the host hangs. Above a limit, they are
/// reduced to those that lead to the same state.
package struct HostedOutputEvents: Sendable {
    package typealias Event = HostedProgramStateMachine.Event

    /// The limit of events that wait.
    package static let limit = 64

    private var events: [Event] = []
    /// The event that the host took last, and may not have handled yet.
    private var taken: Event?

    package init() {}

    /// Adds an event of the output.
    /// - Parameters:
    ///   - event: The event.
    ///   - lost: The output whose loss silences the program, after all events that the host has
    ///     handled.
    package mutating func append(_ event: Event, after lost: String?) {
        events.append(event)
        if events.count > Self.limit { reduce(after: lost) }
    }

    /// Removes the oldest event. The host has handled the one before.
    package mutating func take() -> Event? {
        taken = events.isEmpty ? nil : events.removeFirst()
        return taken
    }

    /// Keeps the loss that lasts with its first sign, the end of the loss that the host knows, and
    /// the last event of each other kind.
    private mutating func reduce(after known: String?) {
        var lost = if let taken { taken.loss(after: known) } else { known }
        var (sign, loss, regained, change): (Int?, Int?, Int?, Int?) = (nil, nil, nil, nil)
        var (danger, triggers, endangered): (Int?, Int?, Int?) = (nil, nil, nil)
        for (index, event) in events.enumerated() {
            let next = event.loss(after: lost)
            if next != lost {
                if next == nil, loss == nil { regained = index }
                sign = next == nil ? nil : endangered
                loss = next == nil ? nil : index
                change = nil
            } else if case .routeChanged = event {
                change = index
            }
            lost = next
            switch event {
            case .gateTriggersChanged: triggers = index
            case .outputEndangered: (danger, endangered) = (index, index)
            case .outputKept, .outputLost: (danger, endangered) = (index, nil)
            default: break
            }
        }
        // A loss that is over, or that came during another one, has only ended the danger.
        if let danger, danger != loss, case .outputLost = events[danger] { events[danger] = .outputKept }
        let kept = Set([sign, loss, regained, change, danger, triggers].compactMap(\.self))
        events = kept.sorted().map { events[$0] }
    }
}

extension HostedProgramStateMachine.Event {
    /// Returns the output whose loss silences a program that plays; `nil` without a loss.
    /// - Parameter lost: The output before the event.
    fileprivate func loss(after lost: String?) -> String? {
        switch self {
        case .outputLost(let output, _): lost ?? output
        case .lossDismissed: nil
        case .routeChanged(let change):
            if let lost {
                change.current.outputs.contains { $0.outputID == lost } ? nil : lost
            } else {
                change.lostOutput
            }
        default: lost
        }
    }
}

extension RouteChange {
    /// The output whose loss caused the change, by its ``PortDescription/outputID``; `nil` without
    /// one.
    var lostOutput: String? {
        guard [.oldDeviceUnavailable, .noSuitableRouteForCategory].contains(underlyingReason) else { return nil }
        let outputs = current.outputs.map(\.outputID)
        return previous.outputs.map(\.outputID).first { !outputs.contains($0) }
    }
}
