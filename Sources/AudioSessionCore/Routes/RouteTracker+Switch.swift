/// This extension handles a card that switches its profile, for the follower's target or by itself.
extension RouteTracker {
    /// Whether the cards of the route that have just changed their profile have the nodes of their
    /// ports, and the default is the preferred output.
    ///
    /// Newer versions of PipeWire have a profile for the speaker of a laptop and one for its
    /// headphones. Between them the session manager may use the card's screen, or no output.
    func isProfileComplete(_ observed: RouteObservation, _ graph: AudioGraph, _ context: RouteContext) -> Bool {
        let devices = context.reprofiledDevices(in: graph).filter { isOfRoute($0, observed) }
        guard !devices.isEmpty else { return true }
        let directions = PortDirection.allCases.filter { targets[$0] != .unused }
        return !devices.contains { device in directions.contains { graph.lacksNode(of: device, $0) } }
            && (targets.output == .unused || graph.isDefaultOutputExpected(context.available.survey))
    }

    /// Whether the route has a port of a card, had one before the change, or is to have one. Other
    /// cards, which any program can have, delay no change.
    private func isOfRoute(_ device: Device, _ observed: RouteObservation) -> Bool {
        guard let name = device.name else { return false }
        let ends = [published.outputs, published.inputs, observed.outputs, observed.inputs]
        return ends.contains { $0.contains { $0.port.deviceName == name } }
            || PortDirection.allCases.contains { targets[$0].chosen?.deviceName == name }
    }

    /// Closes the gate until the target is available. Otherwise the card's present output would be
    /// heard, and then any other.
    mutating func beginSwitch(of device: String, _ context: RouteContext, _ actions: inout RouteActions) {
        guard case .port(let port) = targets.output, port.needsProfileChange, port.deviceName == device else {
            return
        }
        beginSwitch(to: port, context, &actions)
    }

    /// Closes the gate of a follower with a new target if a card is switching for it already, as at
    /// the request of another session.
    mutating func joinSwitch(_ context: RouteContext, _ actions: inout RouteActions) {
        guard case .port(let port) = targets.output, context.isSwitching(port), !isTargetThere(.output, context)
        else { return }
        beginSwitch(to: port, context, &actions)
    }

    private mutating func beginSwitch(
        to port: PortDescription, _ context: RouteContext, _ actions: inout RouteActions
    ) {
        guard let until = port.deviceName.flatMap({ context.switching[$0] }) else { return }
        switch phase {
        // A card may be requested to switch again, for the target that has just been set.
        case .switching(let former) where former >= until: break
        case .settled, .settling(nil, _, _), .switching:
            closeGate(&actions)
            // A preferred port that was plugged in again is a new device, and no choice.
            if !context.isNew(port) || expectation.map({ context.now < $0.until }) ?? false {
                expectation = RouteExpectation(reason: .override, ports: [port.uid], until: until)
            }
            phase = .switching(until: until)
        case .asleep(nil, _): phase = .asleep(lost: nil, isSwitching: true)
        case .settling, .suspecting, .asleep: break
        }
    }

    mutating func endSwitch(_ context: RouteContext) {
        guard isTargetThere(.output, context) else { return }
        opensWhenSettled = true
        phase = .settling(lost: nil, quietUntil: nil, until: context.now + RouteLimits.change)
    }

    /// Ends the wait for a card that has not switched its profile.
    mutating func switchTimedOut(_ graph: AudioGraph, _ context: RouteContext, _ actions: inout RouteActions) {
        opensWhenSettled = true
        phase = .settling(lost: nil, quietUntil: nil, until: context.now + RouteLimits.change)
        noteDeparture(graph, context, &actions)
    }
}

extension AudioGraph {
    /// Whether the profile of a card has a port in a direction whose node has yet to appear.
    fileprivate func lacksNode(of device: Device, _ direction: PortDirection) -> Bool {
        guard let profile = device.activeProfile else { return false }
        let present = nodes.values.filter {
            $0.deviceID == device.id && $0.mediaClass?.canEnd(direction) ?? false
        }
        let numbers = Set(present.compactMap(\.profileDevice))
        return device.routes.contains { route in
            route.direction == direction && route.availability != .no && route.profiles.contains(profile.index)
                && !route.devices.isEmpty && numbers.isDisjoint(with: route.devices)
        }
    }
}
