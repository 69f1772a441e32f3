/// A route as the graph shows it at one moment, with what is needed to see the loss of one of its ends.
package struct RouteObservation: Sendable, Hashable {
    package var outputs: [RouteEnd] = []
    package var inputs: [RouteEnd] = []
    /// Whether every end is there: streams are linked, and the default nodes exist or cannot.
    package var isComplete: Bool { areOutputsComplete && areInputsComplete }
    package var areOutputsComplete = true
    package var areInputsComplete = true
    /// Until when the inputs are those of before, which may come back; `nil`: they are there.
    package var heldUntil: MonotonicTime?
    /// Whether the session manager's rule would have chosen these very ends.
    package var isExpected = true

    package var route: RouteDescription {
        RouteDescription(inputs: inputs.map(\.port), outputs: outputs.map(\.port))
    }
}

/// A port in use and the objects that carry it.
package struct RouteEnd: Sendable, Hashable {
    package var port: PortDescription
    /// What the sound is linked to.
    package var node: ObjectID
    /// The node behind the filter that ``node`` is; `nil`: it is none.
    package var hardware: ObjectID?
    package var device: ObjectID?

    /// The nodes without which nothing is heard there.
    package var nodes: [ObjectID] { hardware.map { [node, $0] } ?? [node] }
}

extension AudioGraph {
    /// The route of streams that play to and record from these nodes; of the default ones where there are none.
    /// - Parameter source: `node.name` of what is recorded from instead of the default.
    func observe(
        sinks: [ObjectID], isLinking: Bool, source: String? = nil, _ ports: PortSurvey
    ) -> RouteObservation {
        var observation = RouteObservation()
        let linked = sinks.compactMap { end(of: $0, .output, ports) }
        observation.outputs = linked.isEmpty ? defaultEnds(.output, ports) : linked
        let chosen = source.flatMap { end(named: $0, .input, ports) }
        observation.inputs = chosen.map { [$0] } ?? defaultEnds(.input, ports)
        observation.areOutputsComplete =
            (!isLinking || !linked.isEmpty) && isComplete(observation.outputs, .output, ports)
        observation.areInputsComplete = isComplete(observation.inputs, .input, ports)
        observation.isExpected =
            observation.outputs.allSatisfy { isExpected($0) } && observation.inputs.allSatisfy { isExpected($0) }
        return observation
    }

    private func isExpected(_ end: RouteEnd) -> Bool {
        expectedRoute(of: end).map { $0.name == end.port.routeName } ?? true
    }

    private func defaultEnds(_ direction: PortDirection, _ ports: PortSurvey) -> [RouteEnd] {
        defaultName(direction).flatMap { end(named: $0, direction, ports) }.map { [$0] } ?? []
    }

    private func end(named name: String, _ direction: PortDirection, _ ports: PortSurvey) -> RouteEnd? {
        nodes.first(named: name) { end(of: $0.id, direction, ports) }
    }

    private func end(of node: ObjectID, _ direction: PortDirection, _ ports: PortSurvey) -> RouteEnd? {
        guard let (port, hardware) = ports.end(of: node, direction) else { return nil }
        return RouteEnd(
            port: port, node: node, hardware: hardware == node || !nodes.contains(hardware) ? nil : hardware,
            device: device(named: port.deviceName)?.id)
    }

    private func isComplete(_ ends: [RouteEnd], _ direction: PortDirection, _ ports: PortSurvey) -> Bool {
        guard ends.isEmpty else {
            return !ends.contains { $0.hardware == nil && isUnlinkedFilter($0.node, direction) }
        }
        return isDefaultThere(direction) || ports.availableUsages(direction).isEmpty
    }

    private func isDefaultThere(_ direction: PortDirection) -> Bool {
        defaultName(direction).flatMap { nodes.first(named: $0) { _ in true } } ?? false
    }

    /// The route that the session manager's rule prefers for a node: something plugged in before something that is
    /// not sensed, then the higher priority. `nil` where there is nothing to choose.
    func expectedRoute(of end: RouteEnd) -> DeviceRoute? {
        guard let device = end.device.flatMap({ devices[$0] }),
            let number = nodes[end.hardware ?? end.node]?.profileDevice
        else { return nil }
        return bestRoute(of: device, number: number, end.port.direction)
    }

    func bestRoute(of device: Device, number: Int, _ direction: PortDirection) -> DeviceRoute? {
        let usable = device.routes.lazy.filter { route in
            route.direction == direction && route.availability != .no && route.devices.contains(number)
                && (route.profiles.isEmpty || device.activeProfile.map { route.profiles.contains($0.index) } ?? true)
        }
        return usable.max { ($0.availability.rank, $0.priority) < ($1.availability.rank, $1.priority) }
    }

    /// Whether a port's jack is known to be empty.
    func isUnplugged(_ port: PortDescription) -> Bool { availability(of: port) == .no }

    /// Of a port's jack; `nil`: it has none.
    func availability(of port: PortDescription) -> Availability? {
        guard !port.type.isBuiltIn, let name = port.routeName, let device = device(named: port.deviceName) else {
            return nil
        }
        return device.routes.first { $0.name == name && $0.direction == port.direction }?.availability
    }
}

extension Availability {
    fileprivate var rank: Int { self == .yes ? 1 : 0 }
}
