/// Finds the reason of a change by comparing the routes, not by trusting one event.
struct RouteComparison {
    let previous: RouteDescription
    let current: RouteDescription
    /// The output whose loss started the change.
    let lost: PortDescription?
    let world: RouteWorld

    var reason: RouteChangeReason {
        if current.outputs.isEmpty && !previous.outputs.isEmpty { return .noSuitableRouteForCategory }
        if lost != nil { return .oldDeviceUnavailable }
        if appeared.contains(where: world.isNew) { return .newDeviceAvailable }
        if vanished.contains(where: { !world.isAvailable($0) && !$0.type.isBuiltIn }) { return .oldDeviceUnavailable }
        if previous.outputs.isEmpty && !current.outputs.isEmpty { return .newDeviceAvailable }
        if devices(vanished) == devices(appeared) { return .routeConfigurationChange }
        return .override
    }

    private var vanished: [PortDescription] { ports(of: previous, notIn: current) }
    private var appeared: [PortDescription] { ports(of: current, notIn: previous) }

    private func ports(of route: RouteDescription, notIn other: RouteDescription) -> [PortDescription] {
        let known = Set((other.inputs + other.outputs).map(\.uid))
        return (route.inputs + route.outputs).filter { !known.contains($0.uid) }
    }

    /// The cards that ports belong to: ports of one card are configurations of it.
    private func devices(_ ports: [PortDescription]) -> Set<String> {
        Set(ports.map { $0.deviceName ?? $0.uid })
    }
}

extension RouteDescription {
    /// Whether a program would hear no difference: names and explanations aside.
    func isSame(as other: RouteDescription) -> Bool {
        func essence(_ ports: [PortDescription]) -> [[String]] {
            ports.map { [$0.uid, $0.type.rawValue, $0.routeName ?? ""] + $0.channels }
        }
        return essence(outputs) == essence(other.outputs) && essence(inputs) == essence(other.inputs)
    }
}
