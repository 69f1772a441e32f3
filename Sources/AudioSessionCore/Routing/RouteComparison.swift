/// Finds the reason of a change by comparing the routes, not by trusting one event.
struct RouteComparison {
    let previous: RouteDescription
    let current: RouteDescription
    /// The output whose loss started the change.
    let lost: PortDescription?

    func reason(in world: RouteWorld) -> RouteChangeReason {
        if current.outputs.isEmpty && !previous.outputs.isEmpty { return .noSuitableRouteForCategory }
        if lost != nil { return .oldDeviceUnavailable }
        let appeared = current.ports(notIn: previous)
        for port in appeared where world.isNew(port) { return .newDeviceAvailable }
        let vanished = previous.ports(notIn: current)
        for port in vanished where !port.type.isBuiltIn && !world.isAvailable(port) { return .oldDeviceUnavailable }
        if previous.outputs.isEmpty && !current.outputs.isEmpty { return .newDeviceAvailable }
        if areOfSameCards(vanished, appeared) { return .routeConfigurationChange }
        return .override
    }

    /// Whether ports belong to the same cards: those of one card are configurations of it.
    private func areOfSameCards(_ ports: [PortDescription], _ others: [PortDescription]) -> Bool {
        ports.allSatisfy { port in others.contains { $0.card == port.card } }
            && others.allSatisfy { other in ports.contains { $0.card == other.card } }
    }
}

extension RouteDescription {
    fileprivate func ports(notIn other: Self) -> [PortDescription] {
        var found: [PortDescription] = []
        for port in inputs where !other.hasPort(port.uid) { found.append(port) }
        for port in outputs where !other.hasPort(port.uid) { found.append(port) }
        return found
    }

    // A route has one or two of them, for which a set takes longer to make.
    private func hasPort(_ uid: String) -> Bool {
        inputs.contains { $0.uid == uid } || outputs.contains { $0.uid == uid }
    }

    /// Whether a program would hear no difference: names and explanations aside.
    func isSame(as other: Self) -> Bool {
        outputs.elementsEqual(other.outputs) { $0.isSame(as: $1) }
            && inputs.elementsEqual(other.inputs) { $0.isSame(as: $1) }
    }
}

extension PortDescription {
    fileprivate var card: String { deviceName ?? uid }

    fileprivate func isSame(as other: Self) -> Bool {
        uid == other.uid && type == other.type && (routeName ?? "") == (other.routeName ?? "")
            && channels == other.channels
    }
}
