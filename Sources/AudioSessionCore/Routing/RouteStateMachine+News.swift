/// What of a machine's news is any route's.
extension RouteStateMachine {
    /// Most changes (streams, links and clients of other programs) cannot change a route.
    mutating func concerns(_ change: GraphChange, _ graph: AudioGraph) -> Bool {
        let isManagerNews = world.sessionManager.update(graph, world.now)
        let effects = change.effects
        if effects.contains(.configuredDefault), let direction = change.direction,
            world.sessionManager.isSettled(at: world.now)
        {
            // The default follows. A session manager that has come back puts back what was chosen before.
            world.choices[direction] = world.now
        }
        if effects.contains(.defaults) { return true }
        if let link = change.link { return noteLink(link, graph) }
        guard let id = change.object else { return change.barrier == nil && isManagerNews }
        if effects.contains(.disappearance) {
            if relevant.contains(id) { world.lastMove = world.now }
            return noteDisappearance(id) || isManagerNews
        }
        if effects.contains(.node) { return note(node: id, graph) }
        if effects.contains(.newDevice) { return noteMove(note(device: id, graph)) }
        if effects.contains(.device) {
            let isKnown = graph.devices.contains(id)
            return effects.contains(.moves) ? noteMove(isKnown) : isKnown
        }
        return isManagerNews
    }

    /// Whether somebody chose a default, and nothing has come, gone or moved that it would be the answer to: it is told without
    /// asking the daemon whether that was all. What is in a jack is heard of later than that there is something new in it.
    func isChoice(_ change: GraphChange) -> Bool {
        guard change.effects.contains(.defaults), let direction = change.direction, world.wasChosen(direction),
            !isBarrierPending
        else { return false }
        return world.sessionManager.isSettled(at: world.now) && !world.hasMoved(within: RouteLimits.arrival)
            && !world.isSwitchingAny
    }

    private mutating func note(node id: ObjectID, _ graph: AudioGraph) -> Bool {
        // The other half of a filter decides which hardware is behind it.
        guard graph.nodes[id]?.isPort == true else { return graph.isOfFilter(id) }
        if relevant.insert(id).inserted { world.lastMove = world.now }
        return true
    }

    private mutating func noteMove(_ isRelevant: Bool) -> Bool {
        if isRelevant { world.lastMove = world.now }
        return isRelevant
    }

    /// It is known now, and with it the nodes that waited for it.
    private mutating func note(device id: ObjectID, _ graph: AudioGraph) -> Bool {
        guard graph.devices.contains(id) else { return false }
        relevant.insert(id)
        for node in graph.nodes.ports where node.deviceID == id { relevant.insert(node.id) }
        return true
    }

    private mutating func noteLink(_ link: Link, _ graph: AudioGraph) -> Bool {
        var isOurs = false
        if graph.isOfFilter(link) {
            filterLinks.insert(link.id)
            isOurs = true
        }
        for place in trackers.indices where trackers[place].streams.contains(link.outputNode) {
            trackers[place].links[link.id] = link
            isOurs = true
        }
        return isOurs
    }

    /// Whether a route can change if the object disappears. The node at the end of a filter need not be a port.
    func isRelevant(_ id: ObjectID) -> Bool {
        relevant.contains(id) || trackers.contains { $0.endsInUse.contains { $0.nodes.contains(id) } }
    }

    private mutating func noteDisappearance(_ id: ObjectID) -> Bool {
        var isOurs = isRelevant(id) || filterLinks.remove(id) != nil
        relevant.remove(id)
        for place in trackers.indices where trackers[place].links.removeValue(forKey: id) != nil { isOurs = true }
        return isOurs
    }
}
