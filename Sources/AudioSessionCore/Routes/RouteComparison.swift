/// Finds the reason of a route change by comparing the routes instead of trusting one event. The
/// first reason that applies counts.
struct RouteComparison {
    let previous: RouteDescription
    let current: RouteDescription
    /// The output whose loss started the change.
    let lost: PortDescription?
    /// The directions that must have a port.
    let needs: [PortDirection]
    /// The directions in which the user moved a stream.
    let movedByHand: Set<PortDirection>

    func reason(in context: RouteContext) -> RouteChangeReason {
        if needs.contains(where: { current[$0].isEmpty && !previous[$0].isEmpty }) {
            return .noSuitableRouteForCategory
        }
        if lost != nil { return .oldDeviceUnavailable }
        let appeared = current.ports(notIn: previous)
        let vanished = previous.ports(notIn: current)
        if areModesOfHeadsets(vanished, appeared) { return .routeConfigurationChange }
        let gone = vanished.filter { !$0.type.isBuiltIn && !context.isAvailable($0) }
        if !gone.isEmpty { return areInOtherMode(gone, appeared) ? .routeConfigurationChange : .oldDeviceUnavailable }
        if wasChosen(appeared, context) { return .override }
        if appeared.contains(where: { context.isNew($0) }) { return .newDeviceAvailable }
        if previous.outputs.isEmpty && !current.outputs.isEmpty { return .newDeviceAvailable }
        return .routeConfigurationChange
    }

    private func wasChosen(_ appeared: [PortDescription], _ context: RouteContext) -> Bool {
        appeared.contains { context.wasChosen($0.direction) || movedByHand.contains($0.direction) }
    }

    /// Whether each port is that of a headset whose other mode has appeared. The headset's
    /// microphone may have replaced another one.
    private func areInOtherMode(_ gone: [PortDescription], _ appeared: [PortDescription]) -> Bool {
        gone.allSatisfy { port in
            port.type.isBluetooth && appeared.contains { $0.type.isBluetooth && $0.deviceName == port.deviceName }
        }
    }

    /// Whether the change is only that of a headset's mode, between music and calls.
    private func areModesOfHeadsets(_ vanished: [PortDescription], _ appeared: [PortDescription]) -> Bool {
        let ports = vanished + appeared
        guard !vanished.isEmpty, !appeared.isEmpty, ports.allSatisfy(\.type.isBluetooth) else { return false }
        return ports.allSatisfy { $0.deviceName == ports[0].deviceName }
    }
}

extension RouteChangeReason {
    /// Whether `categoryChange` has precedence over this reason.
    var yieldsToCategory: Bool {
        ![.noSuitableRouteForCategory, .oldDeviceUnavailable, .override].contains(self)
    }
}

extension RouteDescription {
    fileprivate func ports(notIn other: Self) -> [PortDescription] {
        var found: [PortDescription] = []
        for port in inputs where !other.hasPort(port.uid) { found.append(port) }
        for port in outputs where !other.hasPort(port.uid) { found.append(port) }
        return found
    }

    // A route has one or two ports, for which a set would take longer.
    private func hasPort(_ uid: String) -> Bool {
        inputs.contains { $0.uid == uid } || outputs.contains { $0.uid == uid }
    }

    fileprivate subscript(direction: PortDirection) -> [PortDescription] { direction == .output ? outputs : inputs }

    /// Whether both routes have the same ports, apart from names and explanations.
    func isSame(as other: Self) -> Bool {
        outputs.elementsEqual(other.outputs) { $0.isSame(as: $1) }
            && inputs.elementsEqual(other.inputs) { $0.isSame(as: $1) }
    }
}

extension PortDescription {
    fileprivate func isSame(as other: Self) -> Bool {
        uid == other.uid && type == other.type && (routeName ?? "") == (other.routeName ?? "")
            && channels == other.channels
    }
}
