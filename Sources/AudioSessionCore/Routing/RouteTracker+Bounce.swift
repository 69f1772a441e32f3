/// What is a contact that bounces, and no hand that pulls a plug.
extension RouteTracker {
    /// Whether the route changed only a moment ago because something came or went, or sound goes to what was lost only a
    /// moment ago: contacts that bounce do that. While nothing comes or goes, each change is somebody's choice.
    func isBouncing(_ observed: RouteObservation, _ world: RouteWorld) -> Bool {
        let hasLost = hasJustLost(within: RouteLimits.bounce, world)
        let hasMoved = hasLost || wasLastChangeMove || world.hasMoved(within: RouteLimits.bounce)
        if let lastChange, hasMoved, world.now.since(lastChange) < RouteLimits.bounce { return true }
        return hasLost && observed.outputs.contains { $0.port.uid == lastLoss?.uid }
    }

    /// Whether the session manager leaves a jack with something in it, for nothing that came and without being asked. It may have
    /// seen a moment without contact that has passed us by: then there are more of them.
    func isLeavingJack(_ observed: RouteObservation, _ graph: AudioGraph, _ world: RouteWorld) -> Bool {
        if let expectation, world.now < expectation.until { return false }
        let isLeft = published.outputs.contains { end in
            observed.outputs.contains { $0.node == end.node }
                && !observed.outputs.contains { $0.port.uid == end.port.uid }
                && graph.availability(of: end.port) == .yes
        }
        return isLeft && !observed.outputs.contains { world.hasJustArrived($0.port.uid, at: world.now) }
    }

    /// A jack may open and close so fast that nobody has noted a departure.
    func hasJustLost(within limit: Duration, _ world: RouteWorld) -> Bool {
        lastLoss.map { world.now.since($0.time) < limit } ?? false
    }

    /// Whether a port that is out is a jack that bounces, and nothing is given away. What was that once is no loss by mere waiting.
    func isBounce(_ port: PortDescription, _ world: RouteWorld) -> Bool {
        let time = departure(of: port.uid, world)
        return isLostAgain(port, at: time) ? streams.isEmpty : wasOnlyTouched(port, at: time, world)
    }

    /// When something that is out went. What has come since it was seen to be out has gone once more.
    func departure(of uid: String, _ world: RouteWorld) -> MonotonicTime {
        guard let time = lostOutputs[uid], world.available.arrival(of: uid).map({ $0 <= time }) ?? true else {
            return world.now
        }
        return time
    }

    func isLostAgain(_ port: PortDescription, at time: MonotonicTime) -> Bool {
        lastLoss.map { $0.uid == port.uid && time.since($0.time) < RouteLimits.bounce } ?? false
    }

    /// Whether a port went while it was being plugged in: then sound returns to where it was a moment ago.
    func wasOnlyTouched(_ port: PortDescription, at time: MonotonicTime, _ world: RouteWorld) -> Bool {
        world.hasJustArrived(port.uid, at: time) && !formerOutputs.isEmpty
            && formerOutputs.allSatisfy { world.isAvailable($0) || $0.type.isBuiltIn }
    }
}
