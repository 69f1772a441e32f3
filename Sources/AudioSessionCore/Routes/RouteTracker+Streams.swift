/// This extension decides whether streams have arrived where the program and the session manager
/// send them.
extension RouteTracker {
    /// Whether a stream is still to be moved: after a loss, to another default, or to the target
    /// that the program has just chosen. Streams are moved one by one, and later than defaults.
    func isMoving(
        _ observed: RouteObservation, hasLost: Bool, _ graph: AudioGraph, _ context: RouteContext
    ) -> Bool {
        let isLeaving = { (end: RoutePort) in isMoving(end, hasLost: hasLost, graph, context) }
        return observed.outputs.contains(where: isLeaving)
            || observed.heldUntil == nil && observed.inputs.contains(where: isLeaving)
    }

    private func isMoving(_ end: RoutePort, hasLost: Bool, _ graph: AudioGraph, _ context: RouteContext) -> Bool {
        let direction = end.port.direction
        let isChosen = context.happened(choices[direction], within: RouteLimits.change)
        if case .port(let port) = targets[direction] {
            if isChosen, isTargetThere(direction, context) { return port.uid != end.port.uid }
            if port.nodeName == end.port.nodeName { return false }
        }
        return !graph.isDefault(end)
            && (isChosen || hasLost && direction == .output || context.wasDefault(end, graph))
    }

    /// Whether the follower's output is its target, or the target is not available.
    func isOnTarget(_ observed: RouteObservation, _ context: RouteContext) -> Bool {
        guard case .port(let port) = targets.output, isTargetThere(.output, context) else { return true }
        return observed.outputs.contains { $0.port.uid == port.uid }
    }

    func isTargetThere(_ direction: PortDirection, _ context: RouteContext) -> Bool {
        guard case .port(let port) = targets[direction] else { return true }
        return context.available.survey.availableUsages(direction).contains {
            $0.port.uid == port.uid && $0.node != nil
        }
    }

    /// The directions in which the user moved a stream: it was linked to another node, which is
    /// neither the default nor its target.
    func movedByHand(from former: RouteObservation, _ graph: AudioGraph) -> Set<PortDirection> {
        var directions: Set<PortDirection> = []
        if !links.isEmpty, published.outputs.contains(where: { isByHand($0, former.outputs, graph) }) {
            directions.insert(.output)
        }
        if !sources.isEmpty, published.inputs.contains(where: { isByHand($0, former.inputs, graph) }) {
            directions.insert(.input)
        }
        return directions
    }

    private func isByHand(_ end: RoutePort, _ former: [RoutePort], _ graph: AudioGraph) -> Bool {
        if case .port(let port) = targets[end.port.direction], port.nodeName == end.port.nodeName { return false }
        return end.port.nodeName != graph.defaultName(end.port.direction) && !former.contains { $0.node == end.node }
    }
}

extension AudioGraph {
    /// Whether the port is the default, itself or as the hardware behind a filter.
    fileprivate func isDefault(_ end: RoutePort) -> Bool {
        guard let name = defaultName(end.port.direction) else { return false }
        return end.port.nodeName == name || end.hardware.map { nodes[$0]?.name == name } ?? false
    }
}
