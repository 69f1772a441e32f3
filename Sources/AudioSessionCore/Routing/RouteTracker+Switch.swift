/// A card that is switched to another profile for the follower's target.
extension RouteTracker {
    /// Closes the gate until the target is there. Until then the card's present output, and after it any other, would be heard.
    mutating func beginSwitch(of device: String, _ world: RouteWorld, _ actions: inout RouteActions) {
        guard case .port(let port) = targets.output, port.needsProfileChange, port.deviceName == device else {
            return
        }
        switch phase {
        case .settled, .settling(nil, _, _):
            let until = world.now + RouteLimits.profile
            closeGate(&actions)
            expectation = RouteExpectation(reason: .override, ports: [port.uid], until: until)
            phase = .switching(until: until)
        case .settling, .suspecting, .switching, .asleep: break
        }
    }

    mutating func endSwitch(_ graph: AudioGraph, _ world: RouteWorld) {
        guard isTargetThere(graph, world) else { return }
        opensWhenSettled = true
        phase = .settling(lost: nil, quietUntil: nil, until: world.now + RouteLimits.change)
    }

    /// The card did not obey.
    mutating func giveUpSwitch(_ graph: AudioGraph, _ world: RouteWorld, _ actions: inout RouteActions) {
        opensWhenSettled = true
        phase = .settling(lost: nil, quietUntil: nil, until: world.now + RouteLimits.change)
        noteDeparture(graph, world, &actions)
    }

    /// Whether the follower's streams are on its target, or that is not there.
    func isOnTarget(_ observed: RouteObservation, _ graph: AudioGraph, _ world: RouteWorld) -> Bool {
        guard case .port(let port) = targets.output, isTargetThere(graph, world) else { return true }
        return observed.outputs.contains { $0.port.uid == port.uid }
    }

    private func isTargetThere(_ graph: AudioGraph, _ world: RouteWorld) -> Bool {
        guard case .port(let port) = targets.output else { return true }
        return world.available.survey.availableUsages(.output).contains { $0.port.uid == port.uid && $0.node != nil }
    }
}
