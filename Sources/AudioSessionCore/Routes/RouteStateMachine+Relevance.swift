/// This extension decides which changes of the graph concern a route.
extension RouteStateMachine {
    /// Whether a change can affect a route. Streams, links and clients of other programs, which
    /// change most often, cannot.
    mutating func concerns(_ change: GraphChange, _ graph: AudioGraph) -> Bool {
        let isManagerChange = context.sessionManager.update(graph, context.now)
        let effects = change.effects
        if effects.contains(.configuredDefault), let direction = change.direction,
            context.sessionManager.isSettled(at: context.now)
        {
            // The default follows this choice. A restarted session manager only restores the former
            // one.
            context.choices[direction] = context.now
        }
        if effects.contains(.defaults) {
            if let former = change.formerDefault, let direction = change.direction {
                context.noteFormerDefault(former, direction)
            }
            return true
        }
        if let link = change.link { return noteLink(link, graph) }
        guard let id = change.object else { return change.barrier == nil && isManagerChange }
        if effects.contains(.disappearance) {
            if relevant.contains(id) { context.lastMove = context.now }
            context.profileChanges[id] = nil
            return noteDisappearance(id) || isManagerChange
        }
        if effects.contains(.node) { return note(node: id, graph) }
        if effects.contains(.newDevice) { return noteMove(note(device: id, graph)) }
        if effects.contains(.device) {
            if effects.contains(.profile) { context.profileChanges[id] = context.now }
            let isKnown = graph.devices.contains(id)
            return effects.contains(.moves) ? noteMove(isKnown) : isKnown
        }
        return isManagerChange
    }

    /// Whether the user or a program chose a default, and nothing has moved that would explain it.
    ///
    /// Such a choice is notified without a barrier. The state of a jack arrives later than the
    /// event that it changed.
    func isChoice(_ change: GraphChange) -> Bool {
        guard change.effects.contains(.defaults), let direction = change.direction, context.wasChosen(direction),
            !isBarrierPending
        else { return false }
        return context.sessionManager.isSettled(at: context.now) && !context.hasMoved(within: RouteLimits.arrival)
            && !context.isSwitchingAny
    }

    private mutating func note(node id: ObjectID, _ graph: AudioGraph) -> Bool {
        // The other half of a filter determines the hardware behind it, and a member the devices of
        // a set.
        guard graph.nodes[id]?.isPort == true else {
            return graph.isOfFilter(id) || graph.nodes[id]?.isSetMember == true
        }
        if relevant.insert(id).inserted {
            context.lastMove = context.now
            // Its links may have arrived first.
            if graph.nodes[id]?.isVirtualDevice == true { filterLinks.formUnion(graph.linksToRealNodes) }
        }
        return true
    }

    private mutating func noteMove(_ isRelevant: Bool) -> Bool {
        if isRelevant { context.lastMove = context.now }
        return isRelevant
    }

    /// Adds a device that is known now, with the nodes that waited for it.
    private mutating func note(device id: ObjectID, _ graph: AudioGraph) -> Bool {
        guard graph.devices.contains(id) else { return false }
        relevant.insert(id)
        for node in graph.nodes.ports where node.deviceID == id { relevant.insert(node.id) }
        return true
    }

    private mutating func noteLink(_ link: Link, _ graph: AudioGraph) -> Bool {
        var isOurs = false
        if graph.leadsToRealNode(link) {
            filterLinks.insert(link.id)
            isOurs = true
        }
        for index in trackers.indices where trackers[index].streams.contains(link.outputNode) {
            trackers[index].links[link.id] = link
            isOurs = true
        }
        return isOurs
    }

    /// Whether a route can change if the object disappears. The node behind a filter need not be a
    /// port.
    func isRelevant(_ id: ObjectID) -> Bool {
        relevant.contains(id) || trackers.contains { $0.endsInUse.contains { $0.nodes.contains(id) } }
    }

    private mutating func noteDisappearance(_ id: ObjectID) -> Bool {
        var isOurs = isRelevant(id) || filterLinks.remove(id) != nil
        relevant.remove(id)
        for index in trackers.indices where trackers[index].links.removeValue(forKey: id) != nil { isOurs = true }
        return isOurs
    }
}
