/// This extension handles a card that switches its profile for the follower's target.
extension RouteTracker {
    /// Closes the gate until the target is available. Otherwise the card's present output would be
    /// heard, and then any other.
    mutating func beginSwitch(of device: String, _ context: RouteContext, _ actions: inout RouteActions) {
        guard case .port(let port) = targets.output, port.needsProfileChange, port.deviceName == device else {
            return
        }
        switch phase {
        case .settled, .settling(nil, _, _):
            let until = context.now + RouteLimits.profile
            closeGate(&actions)
            expectation = RouteExpectation(reason: .override, ports: [port.uid], until: until)
            phase = .switching(until: until)
        case .settling, .suspecting, .switching, .asleep: break
        }
    }

    mutating func endSwitch(_ graph: AudioGraph, _ context: RouteContext) {
        guard isTargetThere(.output, context) else { return }
        opensWhenSettled = true
        phase = .settling(lost: nil, quietUntil: nil, until: context.now + RouteLimits.change)
    }

    /// Ends the wait for a card that has not switched its profile.
    mutating func giveUpSwitch(_ graph: AudioGraph, _ context: RouteContext, _ actions: inout RouteActions) {
        opensWhenSettled = true
        phase = .settling(lost: nil, quietUntil: nil, until: context.now + RouteLimits.change)
        noteDeparture(graph, context, &actions)
    }
}
