/// This extension decides whether streams have arrived where the program and the session manager
/// send them.
extension RouteTracker {
    /// Whether a stream has yet to move: away from a lost output, to another default, or to a new
    /// target. Streams move one by one, and later than defaults.
    func isMoving(
        _ observed: RouteObservation, hasLost: Bool, _ graph: AudioGraph, _ context: RouteContext
    ) -> Bool {
        let isLeaving = { (end: RoutePort) in isMoving(end, hasLost: hasLost, graph, context) }
        return observed.outputs.contains(where: isLeaving)
            || observed.heldUntil == nil && observed.inputs.contains(where: isLeaving)
    }

    private func isMoving(_ end: RoutePort, hasLost: Bool, _ graph: AudioGraph, _ context: RouteContext) -> Bool {
        let direction = end.port.direction
        guard targets[direction] != .unused else { return false }
        let former = formerTargets[direction].flatMap {
            context.happened($0.time, within: RouteLimits.change) ? $0.target : nil
        }
        // A stream that has left its port goes where the session manager sends it.
        let isChosen = former != nil && isPublished(end)
        if isChosen, case .port(let port) = targets[direction], isTargetThere(direction, context) {
            return port.uid != end.port.uid
        }
        if isOnNodeOfTarget(end) { return false }
        // A card whose route the program chose switches back.
        if case .port(let port) = former, port.uid == end.port.uid, !graph.isExpected(end, targets) { return true }
        return !graph.isDefault(end)
            && (isChosen || hasLost && direction == .output || context.wasDefault(end, graph))
    }

    private func isOnNodeOfTarget(_ end: RoutePort) -> Bool {
        if case .port(let port) = targets[end.port.direction] { port.nodeName == end.port.nodeName } else { false }
    }

    private func isPublished(_ end: RoutePort) -> Bool {
        (end.port.direction == .output ? published.outputs : published.inputs).contains {
            $0.node == end.node && $0.port.uid == end.port.uid
        }
    }

    /// Whether the follower's output is its target, or the target is not available.
    func isOnTarget(_ observed: RouteObservation, _ context: RouteContext) -> Bool {
        guard case .port(let port) = targets.output, isTargetThere(.output, context) else { return true }
        return observed.outputs.contains { $0.port.uid == port.uid }
    }

    /// Whether a stream can play to the target, or record from it.
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
        !isOnNodeOfTarget(end) && end.port.nodeName != graph.defaultName(end.port.direction)
            && !former.contains { $0.node == end.node }
    }
}

extension AudioGraph {
    /// Whether the port is the default, itself or as the hardware behind a filter.
    fileprivate func isDefault(_ end: RoutePort) -> Bool {
        guard let name = defaultName(end.port.direction) else { return false }
        return end.port.nodeName == name || end.hardware.map { nodes[$0]?.name == name } ?? false
    }
}
