/// What all routes have in common at one moment.
struct RouteWorld: Sendable {
    var available: AvailablePorts
    var sessionManager: SessionManagerPresence
    var now: MonotonicTime
    /// Whether the daemon is known to have told everything that it had to tell when it was last asked.
    var isAtBarrier = false
    /// Whether the graph has changed since it was last looked at.
    var isNews = false
    /// Whether that is a choice which answers nothing that has moved.
    var isChoice = false
    /// The follower whose targets are being set. Its own choice is published without a barrier.
    var choosing: FollowerID?
    /// When a device or node last came or went, or told of its jacks or another profile: whatever may make a port come
    /// or go, or the session manager prefer another.
    var lastMove: MonotonicTime?
    /// Cards that were asked for another profile, by `device.name`, and until when they may be without nodes.
    var switching: [String: MonotonicTime] = [:]

    /// When a default was last chosen by a person or a program.
    var choices: [PortDirection: MonotonicTime] = [:]

    func isSwitching(_ port: PortDescription) -> Bool {
        port.deviceName.flatMap { switching[$0] }.map { now < $0 } ?? false
    }

    var isSwitchingAny: Bool { switching.values.contains { now < $0 } }

    func isAvailable(_ port: PortDescription) -> Bool {
        available.contains(port.uid, port.direction)
    }

    func isNew(_ port: PortDescription) -> Bool {
        happened(available.arrival(of: port.uid), within: RouteLimits.arrival)
    }

    /// Whether a person or a program chose the default of a direction just now.
    func wasChosen(_ direction: PortDirection) -> Bool { happened(choices[direction], within: RouteLimits.arrival) }

    func hasJustArrived(_ uid: String, at time: MonotonicTime) -> Bool {
        available.arrival(of: uid).map { $0 <= time && time.since($0) < RouteLimits.bounce } ?? false
    }

    /// Whether nothing more is known to follow. The session manager answers a jack by choosing the best route; while
    /// no jack moved, a route that is not the best is somebody's wish.
    func isSettled(_ observation: RouteObservation, hasLost: Bool = false) -> Bool {
        observation.isComplete && (observation.isExpected || !(hasLost || hasAvailabilityChanged))
    }

    /// Whether nothing is left of the end's device that sound could still come from.
    func isCertainlyGone(_ end: RouteEnd, _ graph: AudioGraph) -> Bool {
        guard let device = graph.device(named: end.port.deviceName) else { return true }
        return device.activeProfile?.name == "off" || graph.isUnplugged(end.port)
    }

    /// Until when the session manager, back after a loss, may still bring what went with it, or open once more what it has
    /// just brought. A device that goes after its return was pulled.
    func returnDeadline(of end: RouteEnd, lost: MonotonicTime, _ graph: AudioGraph) -> MonotonicTime? {
        guard let time = sessionManager.returnTime, now < time + RouteLimits.restart,
            lost <= time || !isCertainlyGone(end, graph)
        else { return nil }
        return time + RouteLimits.restart
    }

    /// The same for an input. Nobody hears that it is missing, so nobody waits for ever for a session manager either.
    func inputReturnDeadline(of end: RouteEnd, lost: MonotonicTime, _ graph: AudioGraph) -> MonotonicTime? {
        guard let loss = sessionManager.lossTime else { return returnDeadline(of: end, lost: lost, graph) }
        let deadline = loss + RouteLimits.restart
        return now < deadline ? deadline : nil
    }

    /// Whether sound could go somewhere, and it is not known where. While a program asks for the session manager's defaults
    /// PipeWire tells nobody else of a change (0.3.65 and 1.4), and when a session manager starts all programs ask.
    func lacksDefault(_ graph: AudioGraph) -> Bool {
        !available.outputs.isEmpty && graph.defaultSinkName.map { graph.nodes.known(as: $0).isEmpty } ?? true
    }

    /// Whether anything came or went, or something was put into a jack or taken out.
    func hasMoved(within limit: Duration) -> Bool { happened(lastMove, within: limit) }

    private var hasAvailabilityChanged: Bool {
        available.haveChanged { happened($0, within: RouteLimits.change) }
    }

    private func happened(_ time: MonotonicTime?, within limit: Duration) -> Bool {
        time.map { now.since($0) < limit } ?? false
    }
}
