/// This extension distinguishes bouncing contacts of a jack from a pulled plug.
extension RouteTracker {
    /// Whether a change follows so soon after another one that the cause may be a bouncing contact.
    /// While nothing appears or disappears, each change is a choice of the user or a program.
    func isBouncing(_ observed: RouteObservation, _ context: RouteContext) -> Bool {
        let hasLost = hasJustLost(within: RouteLimits.bounce, context)
        let hasMoved = hasLost || wasLastChangeMove || context.hasMoved(within: RouteLimits.bounce)
        if let lastChange, hasMoved, context.now.since(lastChange) < RouteLimits.bounce { return true }
        return hasLost && observed.outputs.contains { $0.port.uid == lastLoss?.uid }
    }

    /// Whether the session manager leaves an occupied jack without a cause. It may have received a
    /// moment without contact that this process missed, and more may follow.
    func isLeavingJack(_ observed: RouteObservation, _ graph: AudioGraph, _ context: RouteContext) -> Bool {
        if let expectation, context.now < expectation.until { return false }
        let isLeft = published.outputs.contains { end in
            observed.outputs.contains { $0.node == end.node }
                && !observed.outputs.contains { $0.port.uid == end.port.uid }
                && graph.availability(of: end.port) == .yes
        }
        return isLeft && !observed.outputs.contains { context.hasJustArrived($0.port.uid, at: context.now) }
    }

    /// Whether an output was lost within this time. A jack may open and close so fast that no
    /// departure was recorded.
    func hasJustLost(within limit: Duration, _ context: RouteContext) -> Bool {
        lastLoss.map { context.now.since($0.time) < limit } ?? false
    }

    /// Whether a missing port is a bouncing jack whose sound is not heard elsewhere. A port that
    /// once bounced does not become a loss by waiting alone.
    func isBounce(_ port: PortDescription, _ context: RouteContext) -> Bool {
        let time = departure(of: port.uid, context)
        return isLostAgain(port, at: time) ? streams.isEmpty : wasOnlyTouched(port, at: time, context)
    }

    /// Returns the time at which a missing port was removed. A port that appeared after its
    /// recorded departure was removed again.
    func departure(of uid: String, _ context: RouteContext) -> MonotonicTime {
        guard let time = lostOutputs[uid], context.available.arrival(of: uid).map({ $0 <= time }) ?? true else {
            return context.now
        }
        return time
    }

    func isLostAgain(_ port: PortDescription, at time: MonotonicTime) -> Bool {
        lastLoss.map { $0.uid == port.uid && time.since($0.time) < RouteLimits.bounce } ?? false
    }

    /// Whether a port was removed while it was being plugged in. The sound then returns to the
    /// former outputs.
    func wasOnlyTouched(_ port: PortDescription, at time: MonotonicTime, _ context: RouteContext) -> Bool {
        context.hasJustArrived(port.uid, at: time) && !formerOutputs.isEmpty
            && formerOutputs.allSatisfy { context.isAvailable($0) || $0.type.isBuiltIn }
    }
}
