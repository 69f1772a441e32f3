/// The state that all routes share at one moment.
struct RouteContext: Sendable {
    var available: AvailablePorts
    var sessionManager: SessionManagerPresence
    var now: MonotonicTime
    /// Whether everything that preceded the last barrier has arrived.
    var isAtBarrier = false
    /// Whether the graph has changed since the last evaluation.
    var hasChanged = false
    /// Whether that change is a choice of a default without another cause.
    var isChoice = false
    /// The follower whose targets are being set. Its own choice is published without a barrier if
    /// none of its streams has yet to move.
    var choosing: FollowerID?
    /// The time at which a device or node last appeared, disappeared, or changed its jacks or
    /// profile. Each may change the ports, or the session manager's preference.
    var lastMove: MonotonicTime?
    /// The times at which cards last changed their profile. Any program may have cards, so each has
    /// its own time.
    var profileChanges: [ObjectID: MonotonicTime] = [:]
    /// The cards that switch their profile, by `device.name`, and the deadlines until which they
    /// may have no nodes.
    var switching: [String: MonotonicTime] = [:]

    /// The last former defaults, with the times at which they were replaced.
    private(set) var formerDefaults: [PortDirection: [(name: String, time: MonotonicTime)]] = [:]
    /// The times at which the user or a program last chose a default.
    var choices: [PortDirection: MonotonicTime] = [:]

    func isSwitching(_ port: PortDescription) -> Bool {
        port.deviceName.flatMap { switching[$0] }.map { now < $0 } ?? false
    }

    var isSwitchingAny: Bool { switching.values.contains { now < $0 } }

    /// Returns the cards that have just changed their profile.
    ///
    /// The session manager adds the nodes of the new profile one by one, and selects a default
    /// among those that it has already.
    func reprofiledDevices(in graph: AudioGraph) -> [Device] {
        guard !profileChanges.isEmpty else { return [] }
        return graph.devices.values.filter { happened(profileChanges[$0.id], within: RouteLimits.change) }
    }

    /// Returns the times at which cards have just changed their profile, by `device.name`.
    func profileChangesByName(in graph: AudioGraph) -> [String: MonotonicTime] {
        var times: [String: MonotonicTime] = [:]
        for device in reprofiledDevices(in: graph) {
            if let name = device.name { times[name] = profileChanges[device.id] }
        }
        return times
    }

    /// Whether the card of a port has just changed its profile.
    func isReprofiled(_ port: PortDescription, in graph: AudioGraph) -> Bool {
        guard let name = port.deviceName else { return false }
        return reprofiledDevices(in: graph).contains { $0.name == name }
    }

    func isAvailable(_ port: PortDescription) -> Bool {
        available.contains(hardwareUID(of: port), port.direction)
    }

    func isNew(_ port: PortDescription) -> Bool {
        happened(available.arrival(of: hardwareUID(of: port)), within: RouteLimits.arrival)
    }

    /// Returns the uid of the hardware's own port if the port is behind a filter, because a filter
    /// that leads elsewhere adds and removes no hardware.
    private func hardwareUID(of port: PortDescription) -> String {
        guard port.isThroughFilter, port.deviceName != nil else { return port.uid }
        let others = port.direction == .output ? available.outputs : available.inputs
        let hardware = others.first {
            !$0.isThroughFilter && $0.deviceName == port.deviceName && $0.routeName == port.routeName
        }
        return (hardware ?? port).uid
    }

    /// Whether the user or a program has just chosen the default of a direction.
    func wasChosen(_ direction: PortDirection) -> Bool { happened(choices[direction], within: RouteLimits.arrival) }

    func hasJustArrived(_ uid: String, at time: MonotonicTime) -> Bool {
        available.arrival(of: uid).map { $0 <= time && time.since($0) < RouteLimits.bounce } ?? false
    }

    /// Whether no further event is expected. The session manager responds to a jack by selecting
    /// the best route. Without a change of a jack, another route is a choice of the user or a
    /// program.
    func isSettled(_ observation: RouteObservation, hasLost: Bool = false) -> Bool {
        observation.isComplete && (observation.isExpected || !(hasLost || hasAvailabilityChanged))
    }

    /// Whether nothing of the port's device is left that could be heard.
    func isCertainlyGone(_ end: RoutePort, _ graph: AudioGraph) -> Bool {
        guard let device = graph.device(named: end.port.deviceName) else {
            return !end.setMembers.contains { graph.device(named: $0) != nil }
        }
        return device.activeProfile?.name == "off" || graph.isUnplugged(end.port)
    }

    /// The deadline for a restarted session manager to re-create its devices. A device that is
    /// removed after it reappeared counts as unplugged.
    func returnDeadline(of end: RoutePort, lost: MonotonicTime, _ graph: AudioGraph) -> MonotonicTime? {
        guard let time = sessionManager.returnTime, now < time + RouteLimits.recreation,
            lost <= time || !isCertainlyGone(end, graph)
        else { return nil }
        return time + RouteLimits.recreation
    }

    /// The deadline for an input to return. Unlike outputs, an input does not wait for a session
    /// manager without limit, because its absence is not heard.
    func inputReturnDeadline(of end: RoutePort, lost: MonotonicTime, _ graph: AudioGraph) -> MonotonicTime? {
        guard let loss = sessionManager.lossTime else { return returnDeadline(of: end, lost: lost, graph) }
        let deadline = loss + RouteLimits.restart
        return now < deadline ? deadline : nil
    }

    /// Whether outputs are available but the default is unknown.
    ///
    /// While a program queries the session manager's defaults, PipeWire (0.3.65 and 1.4) notifies
    /// no other program of a change. When a session manager starts, all programs query them.
    func lacksDefault(_ graph: AudioGraph) -> Bool {
        !available.outputs.isEmpty && graph.defaultSinkName.map { graph.nodes.known(as: $0).isEmpty } ?? true
    }

    /// Whether a device or node appeared or disappeared, or a jack changed, within this time.
    func hasMoved(within limit: Duration) -> Bool { happened(lastMove, within: limit) }

    /// Adds a default that was replaced. A session manager passes few on its way, and another
    /// program could send any number.
    mutating func noteFormerDefault(_ name: String, _ direction: PortDirection) {
        formerDefaults[direction] = formerDefaults[direction, default: []].suffix(7) + [(name, now)]
    }

    /// Whether the port was the default a moment ago, so that the session manager may still move
    /// streams away from it.
    func wasDefault(_ end: RoutePort, _ graph: AudioGraph) -> Bool {
        guard let former = formerDefaults[end.port.direction] else { return false }
        return end.nodes.contains { node in
            guard let name = graph.nodes[node]?.name else { return false }
            return former.contains { $0.name == name && happened($0.time, within: RouteLimits.change) }
        }
    }

    private var hasAvailabilityChanged: Bool {
        available.haveChanged { happened($0, within: RouteLimits.change) }
    }

    func happened(_ time: MonotonicTime?, within limit: Duration) -> Bool {
        time.map { now.since($0) < limit } ?? false
    }
}
