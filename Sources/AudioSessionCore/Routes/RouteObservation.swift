/// A route as the graph shows it at one moment, with the data that is needed to detect the loss of
/// a port.
package struct RouteObservation: Sendable, Hashable {
    package var outputs: [RoutePort] = []
    package var inputs: [RoutePort] = []
    /// Whether every port is known: streams are linked, and the default nodes exist or cannot
    /// exist.
    package var isComplete: Bool { areOutputsComplete && areInputsComplete }
    package var areOutputsComplete = true
    package var areInputsComplete = true
    /// The deadline until which former inputs are kept, because they may return; `nil` if they are
    /// present.
    package var heldUntil: MonotonicTime?
    /// Whether the route is the one that the session manager's rules prefer.
    package var isExpected = true

    package var route: RouteDescription {
        RouteDescription(inputs: inputs.map(\.port), outputs: outputs.map(\.port))
    }

    /// Returns the uids of the ports that another observation has as another node of their
    /// Bluetooth LE set.
    func uids(replacedInSetBy other: Self) -> Set<String> {
        let others = other.outputs + other.inputs
        return Set((outputs + inputs).filter { end in others.contains { $0.isOfSameSet(as: end) } }.map(\.port.uid))
    }
}

/// A port in use, with the objects that carry it.
package struct RoutePort: Sendable, Hashable {
    package var port: PortDescription
    /// The node that the stream is linked to.
    package var node: ObjectID
    /// The hardware's node behind a filter; `nil` if ``node`` is not a filter.
    package var hardware: ObjectID?
    package var device: ObjectID?
    /// The `device.name` of each device of its Bluetooth LE set; empty for all other ports.
    package var setMembers: Set<String> = []

    /// The nodes whose removal makes the port silent.
    package var nodes: [ObjectID] { hardware.map { [node, $0] } ?? [node] }

    /// Whether both ports are of one Bluetooth LE set.
    ///
    /// Each earbud is a device. The node of the set belongs to one of them, and a single earbud has
    /// a node of its own. So an earbud that joins or leaves can move the sound to the other device.
    func isOfSameSet(as other: Self) -> Bool {
        guard port.type == .bluetoothLE, other.port.type == .bluetoothLE, port.direction == other.port.direction,
            let name = port.deviceName, let otherName = other.port.deviceName
        else { return false }
        return setMembers.contains(otherName) || other.setMembers.contains(name)
    }
}

extension AudioGraph {
    /// Observes the route of streams that play to `sinks` and record from `sources`. A direction
    /// without streams has its target.
    func observe(
        sinks: [ObjectID] = [], sources: [ObjectID] = [], isLinking: Bool = false,
        _ targets: RouteTargets = RouteTargets(), _ ports: PortCatalog
    ) -> RouteObservation {
        var observation = RouteObservation()
        let played = sinks.compactMap { end(of: $0, .output, ports) }
        observation.outputs = played.isEmpty ? ends(targets.output, .output, ports) : played
        // A recorder stops a moment after its session's category has changed to one without input.
        let recorded = targets.input == .unused ? [] : sources.compactMap { end(of: $0, .input, ports) }
        observation.inputs = recorded.isEmpty ? ends(targets.input, .input, ports) : recorded
        observation.areOutputsComplete =
            targets.output == .unused
            || (!isLinking || !played.isEmpty) && isComplete(observation.outputs, .output, ports)
        observation.areInputsComplete = targets.input == .unused || isComplete(observation.inputs, .input, ports)
        observation.isExpected =
            observation.outputs.allSatisfy { isExpected($0, targets) }
            && observation.inputs.allSatisfy { isExpected($0, targets) }
        return observation
    }

    /// Whether the port is a target, or the one that the session manager prefers on its node.
    func isExpected(_ end: RoutePort, _ targets: RouteTargets) -> Bool {
        if case .port(let port) = targets[end.port.direction], port.uid == end.port.uid { return true }
        return expectedRoute(of: end).map { $0.name == end.port.routeName } ?? true
    }

    private func ends(_ target: RouteTarget, _ direction: PortDirection, _ ports: PortCatalog) -> [RoutePort] {
        switch target {
        case .unused: []
        case .systemDefault: defaultEnds(direction, ports)
        case .port(let port): end(on: port, ports).map { [$0] } ?? defaultEnds(direction, ports)
        }
    }

    /// Returns the port with its nodes; `nil` while the port is not available.
    private func end(on port: PortDescription, _ ports: PortCatalog) -> RoutePort? {
        let usage = ports.availableUsages(port.direction).first { $0.port.uid == port.uid }
        guard let usage, let node = usage.node?.id else { return nil }
        let hardware = usage.evidence.node?.id
        return RoutePort(
            port: usage.port, node: node, hardware: hardware == node ? nil : hardware,
            device: usage.evidence.device?.id, setMembers: setMembers(of: node))
    }

    /// Whether the default output is the one that the session manager's rules prefer: the
    /// configured one, or else the available sink of the highest priority.
    func isDefaultOutputExpected(_ ports: PortCatalog) -> Bool {
        guard let name = defaultSinkName, let node = nodes.port(named: name, .output) else { return true }
        let others = ports.availableUsages(.output).lazy.compactMap(\.node)
        if let configuredSinkName, others.contains(where: { $0.name == configuredSinkName }) {
            return name == configuredSinkName
        }
        return !others.contains { $0.sessionPriority > node.sessionPriority }
    }

    func defaultEnds(_ direction: PortDirection, _ ports: PortCatalog) -> [RoutePort] {
        defaultName(direction).flatMap { end(named: $0, direction, ports) }.map { [$0] } ?? []
    }

    private func end(named name: String, _ direction: PortDirection, _ ports: PortCatalog) -> RoutePort? {
        nodes.first(named: name) { end(of: $0.id, direction, ports) }
    }

    private func end(of node: ObjectID, _ direction: PortDirection, _ ports: PortCatalog) -> RoutePort? {
        guard let (port, hardware) = ports.end(of: node, direction) else { return nil }
        return RoutePort(
            port: port, node: node, hardware: hardware == node || !nodes.contains(hardware) ? nil : hardware,
            device: device(named: port.deviceName)?.id, setMembers: setMembers(of: node))
    }

    /// Returns the names of the devices of a node's Bluetooth LE set.
    private func setMembers(of node: ObjectID) -> Set<String> {
        guard let set = nodes[node]?.bluetoothSet else { return [] }
        return Set(nodes.members(ofSet: set).compactMap { device(of: $0)?.name })
    }

    private func isComplete(_ ends: [RoutePort], _ direction: PortDirection, _ ports: PortCatalog) -> Bool {
        guard ends.isEmpty else {
            return !ends.contains { isUnlinkedFilter($0.node, direction) }
        }
        return isDefaultThere(direction) || ports.availableUsages(direction).isEmpty
    }

    private func isDefaultThere(_ direction: PortDirection) -> Bool {
        defaultName(direction).flatMap { nodes.first(named: $0) { _ in true } } ?? false
    }

    /// Returns the route that the session manager's rules prefer for a node; `nil` if there is no
    /// choice.
    ///
    /// An occupied jack precedes one without a sensor, and then the priority decides.
    func expectedRoute(of end: RoutePort) -> DeviceRoute? {
        guard let device = end.device.flatMap({ devices[$0] }),
            let number = nodes[end.hardware ?? end.node]?.profileDevice
        else { return nil }
        return bestRoute(of: device, number: number, end.port.direction)
    }

    func bestRoute(of device: Device, number: Int, _ direction: PortDirection) -> DeviceRoute? {
        let usable = device.routes.lazy.filter { route in
            route.direction == direction && route.availability != .no && route.devices.contains(number)
                && route.isUsable(in: device.activeProfile)
        }
        return usable.max { ($0.usability, $0.priority) < ($1.usability, $1.priority) }
    }

    /// Whether a port's jack is known to be empty.
    func isUnplugged(_ port: PortDescription) -> Bool { availability(of: port) == .no }

    /// Returns the availability of a port's jack; `nil` without a jack.
    ///
    /// An LE Audio earbud has none. PipeWire reports its route as unavailable when the other earbud
    /// connects and the two become one output, which the node of the set replaces.
    func availability(of port: PortDescription) -> Availability? {
        guard !port.type.isBuiltIn, port.type != .bluetoothLE, let route = deviceRoute(of: port), !route.isSpeaker
        else { return nil }
        return route.availability
    }

    /// Whether a plug in another jack of its card has muted a port: a speaker, or the built-in
    /// microphone. The card reports it like an empty jack.
    func isMutedByPlug(_ port: PortDescription) -> Bool {
        guard let route = deviceRoute(of: port), port.type.isBuiltIn || route.isSpeaker else { return false }
        return route.availability == .no
    }

    private func deviceRoute(of port: PortDescription) -> DeviceRoute? {
        guard let name = port.routeName, let device = device(named: port.deviceName) else { return nil }
        return device.routes.first { $0.name == name && $0.direction == port.direction }
    }
}

extension Node {
    /// The priority by which the session manager ranks defaults.
    var sessionPriority: Int { properties.integer(.prioritySession) ?? 0 }
}

extension DeviceRoute {
    /// Whether the route is that of a speaker, which has no plug. USB devices may have one as well.
    fileprivate var isSpeaker: Bool { portType == PortKind.speaker.rawValue }
}
