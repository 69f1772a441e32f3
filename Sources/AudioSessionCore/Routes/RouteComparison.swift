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
    /// The uids of the previous ports whose jack is empty.
    let emptyJacks: Set<String>
    /// The uids of the previous ports that a plug in another jack has muted.
    let muted: Set<String>
    /// The uids of the previous ports that another node of the same Bluetooth LE set replaces.
    let replacedInSet: Set<String>

    func reason(in context: RouteContext) -> RouteChangeReason {
        if needs.contains(where: { current[$0].isEmpty && !previous[$0].isEmpty }) {
            return .noSuitableRouteForCategory
        }
        if lost != nil { return .oldDeviceUnavailable }
        let appeared = current.ports(notIn: previous)
        let vanished = previous.ports(notIn: current)
        let others = vanished.filter { !isInOtherMode($0, appeared) && !isReplaced($0, appeared, context) }
        if others.contains(where: { !$0.type.isBuiltIn && !muted.contains($0.uid) && !context.isAvailable($0) }) {
            return .oldDeviceUnavailable
        }
        if others.count < vanished.count { return .routeConfigurationChange }
        if wasChosen(appeared, context) { return .override }
        if appeared.contains(where: { context.isNew($0) }) { return .newDeviceAvailable }
        if previous.outputs.isEmpty && !current.outputs.isEmpty { return .newDeviceAvailable }
        return .routeConfigurationChange
    }

    private func wasChosen(_ appeared: [PortDescription], _ context: RouteContext) -> Bool {
        appeared.contains { context.wasChosen($0.direction) || movedByHand.contains($0.direction) }
    }

    /// Whether the card of a missing port has another port in its place, because the user has
    /// selected another profile, such as *Pro Audio*. A pulled plug leaves an empty jack.
    private func isReplaced(
        _ port: PortDescription, _ appeared: [PortDescription], _ context: RouteContext
    ) -> Bool {
        guard port.deviceName != nil, !emptyJacks.contains(port.uid), !muted.contains(port.uid),
            !context.isAvailable(port)
        else { return false }
        return appeared.contains { $0.deviceName == port.deviceName && $0.direction == port.direction }
    }

    /// Whether a port is that of a headset that has changed its mode, between music and calls, or
    /// between one earbud and both.
    private func isInOtherMode(_ port: PortDescription, _ appeared: [PortDescription]) -> Bool {
        replacedInSet.contains(port.uid)
            || port.type.hasModes && appeared.contains { $0.type.hasModes && $0.deviceName == port.deviceName }
    }
}

extension RouteChangeReason {
    /// Whether `categoryChange` has precedence over this reason.
    var yieldsToCategory: Bool {
        ![.noSuitableRouteForCategory, .oldDeviceUnavailable, .override].contains(self)
    }
}

extension RouteDescription {
    /// Returns the ports that the other route lacks, the inputs first.
    func ports(notIn other: Self) -> [PortDescription] {
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
