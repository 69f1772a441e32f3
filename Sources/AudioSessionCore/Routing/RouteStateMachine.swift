/// Watches where sound goes: for the machine, and for every part of the program that plays.
///
/// One action of a person makes several PipeWire events: an empty jack, a new route, another default, links. They are
/// one change here. The loss of an output closes the gate at its first sign; the change is told when the daemon has
/// told everything and the session manager has made its choice.
package struct RouteStateMachine: Sendable {
    private var trackers: [FollowerID: RouteTracker]
    private var world: RouteWorld
    private var isBarrierPending = false
    private var isBarrierStale = false
    /// The list of available ports is made anew at the first news, and again at the barrier after the last: at most
    /// twice, however many objects come at a time.
    private var isAvailabilityStale = false
    private var isAvailabilityUntold = false
    /// When arrivals and departures that are long ago go, which until then are passed over.
    private var nextForgetting = MonotonicTime(nanoseconds: 0)
    private var wakeTime: MonotonicTime?
    /// Whether anything has happened since the ports were last looked at.
    private var isSurveyStale = true
    /// The nodes and devices whose going can change a route.
    private var relevant: Set<ObjectID>
    /// The sinks in use by running streams: what the trackers know, in the form in which it is found fastest.
    private var guarded: [Guarded] = []
    /// Of those, the ones that can be acted upon without thinking.
    private var armed: [FollowerID: [ObjectID]] = [:]
    package private(set) var availableOutputs: [PortDescription]
    package private(set) var availableInputs: [PortDescription]

    private struct Guarded: Sendable {
        var node: ObjectID
        var id: FollowerID
        /// Before this its going may be a contact that bounces.
        var calmFrom: MonotonicTime
    }

    /// - Parameters:
    ///   - graph: the whole graph, as it is after the initial sync.
    ///   - followers: those who are there already, beside the machine.
    package init(graph: AudioGraph, followers: some Sequence<FollowerID> = [], now: MonotonicTime) {
        let ports = PortSurvey(of: graph)
        availableOutputs = ports.available(.output)
        availableInputs = ports.available(.input)
        relevant = Set(graph.devices.keys).union(graph.nodes.ports.map(\.id))
        world = RouteWorld(hasSessionManager: graph.sessionManager != nil, now: now)
        world.ports = ports
        world.availableOutputs = ports.availableUIDs(.output)
        world.availableInputs = ports.availableUIDs(.input)
        trackers = [.machine: RouteTracker(id: .machine, graph: graph, ports: ports)]
        for id in followers { follow(id, graph: graph) }
    }

    package mutating func follow(_ id: FollowerID, graph: AudioGraph) {
        surveyPorts(graph)
        var tracker = RouteTracker(id: id, graph: graph, ports: world.ports)
        if let machine = trackers[.machine] { tracker.holdInput(of: machine) }
        trackers[id] = tracker
    }

    package mutating func unfollow(_ id: FollowerID) {
        trackers[id] = nil
        guarded.removeAll { $0.id == id }
        armed[id] = nil
    }

    /// The nodes of a follower's running streams: from now on its route is theirs.
    package mutating func setStreams(
        _ streams: Set<ObjectID>, of id: FollowerID, graph: AudioGraph, now: MonotonicTime
    ) -> [RouteAction] {
        guard trackers[id] != nil, trackers[id]?.streams != streams else { return [] }
        trackers[id]?.streams = streams
        trackers[id]?.links = graph.links(from: streams)
        return look(graph, now, isNews: false)
    }

    /// What a follower records from, by `node.name`; `nil`: the default.
    package mutating func setSource(
        _ source: String?, of id: FollowerID, graph: AudioGraph, now: MonotonicTime
    ) -> [RouteAction] {
        guard trackers[id] != nil, trackers[id]?.source != source else { return [] }
        trackers[id]?.source = source
        return look(graph, now, isNews: false)
    }

    /// A change that the follower hears of soon has this reason, unless the output was lost: it was asked for.
    /// - Parameter ports: the uids of the ports that it was asked for.
    package mutating func expect(
        _ reason: RouteChangeReason, to ports: Set<String>, of id: FollowerID, now: MonotonicTime
    ) {
        trackers[id]?.expectation = RouteExpectation(reason: reason, ports: ports, until: now + Limits.wish)
    }

    /// A card was asked for another profile. Its nodes go and others come: that is no loss.
    package mutating func expectSwitch(of device: String, now: MonotonicTime) {
        world.switching = world.switching.filter { now < $0.value }
        world.switching[device] = now + Limits.profile
    }

    /// The route that was last told.
    package func route(of id: FollowerID) -> RouteDescription { trackers[id]?.route ?? RouteDescription() }

    /// The followers whose gate has to close at once, before anything else is done about the event.
    package mutating func endangered(by event: GraphEvent, now: MonotonicTime) -> [FollowerID] {
        switch event {
        case .disappeared(let node):
            return guarded.filter { entry in
                guard entry.node == node else { return false }
                return now >= entry.calmFrom || isEndangered(entry.id, by: event, now)
            }.map(\.id)
        case .deviceRoutes:
            return trackers.values.filter { !$0.streams.isEmpty }.map(\.id).filter {
                isEndangered($0, by: event, now)
            }
        default: return []
        }
    }

    private mutating func isEndangered(_ id: FollowerID, by event: GraphEvent, _ now: MonotonicTime) -> Bool {
        world.now = now
        return trackers[id]?.isEndangered(by: event, world) ?? false
    }

    /// - Parameter graph: as it is after `event`.
    package mutating func receive(_ event: GraphEvent, graph: AudioGraph, now: MonotonicTime) -> [RouteAction] {
        if event == .barrier(.routes) { return passedBarrier(graph, now) }
        world.now = now
        isSurveyStale = true
        guard concerns(event, graph) else { return [] }
        isAvailabilityStale = true
        surveyPorts(graph)
        if !isBarrierPending { updateAvailablePorts(now) }
        // The loss of an output in use is told before its loss from the list.
        guard isAvailabilityUntold, !isBarrierPending, !trackers.values.contains(where: { $0.gone(graph) != nil })
        else { return look(graph: graph, now: now) }
        return tellAvailablePorts() + [.look]
    }

    /// Thinks about routes after something has happened.
    package mutating func look(graph: AudioGraph, now: MonotonicTime) -> [RouteAction] {
        look(graph, now, isNews: true)
    }

    package mutating func deadlinePassed(graph: AudioGraph, now: MonotonicTime) -> [RouteAction] {
        wakeTime = nil
        guard trackers.values.contains(where: { $0.deadline.map { $0 <= now } ?? false }) else {
            world.now = now
            return inOrder(guardSinks())
        }
        return conclude(graph, now, isAtBarrier: false)
    }

    private mutating func passedBarrier(_ graph: AudioGraph, _ now: MonotonicTime) -> [RouteAction] {
        isBarrierPending = false
        if isBarrierStale {
            isBarrierStale = false
            isBarrierPending = true
            return [.barrier]
        }
        return conclude(graph, now, isAtBarrier: true)
    }

    private mutating func look(_ graph: AudioGraph, _ now: MonotonicTime, isNews: Bool) -> [RouteAction] {
        world.now = now
        world.isAtBarrier = false
        world.isNews = isNews
        surveyPorts(graph)
        let isFirst = isNews && !isBarrierPending
        if isFirst, isAvailabilityStale { updateAvailablePorts(now) }
        let actions = forEachTracker(graph) { tracker, world, actions in tracker.look(world, &actions) }
        let told = isFirst ? tellAvailablePorts() : []
        return inOrder(actions + told + (isNews || isAvailabilityStale ? [.barrier] : []))
    }

    private mutating func conclude(_ graph: AudioGraph, _ now: MonotonicTime, isAtBarrier: Bool) -> [RouteAction] {
        world.now = now
        world.isAtBarrier = isAtBarrier
        world.isNews = false
        surveyPorts(graph)
        if isAvailabilityStale { updateAvailablePorts(now) }
        let actions = forEachTracker(graph) { tracker, world, actions in tracker.conclude(world, &actions) }
        return inOrder(actions + tellAvailablePorts())
    }

    private mutating func surveyPorts(_ graph: AudioGraph) {
        guard isSurveyStale else { return }
        isSurveyStale = false
        world.ports.update(graph)
    }

    private mutating func tellAvailablePorts() -> [RouteAction] {
        // The loss of a port in use is told before its loss from the list.
        guard isAvailabilityUntold, !trackers.values.contains(where: \.isSuspecting) else { return [] }
        isAvailabilityUntold = false
        return [.availablePortsChanged]
    }

    /// Runs `body` on every tracker: those that play first, for nothing may delay the closing of a gate.
    private mutating func forEachTracker(
        _ graph: AudioGraph, _ body: (inout RouteTracker, RouteWorld, inout [RouteAction]) -> Void
    ) -> [RouteAction] {
        // Held no longer than this call: a second holder would make every change of the graph copy it whole.
        world.graph = graph
        defer { world.graph = AudioGraph() }
        var actions: [RouteAction] = []
        for id in trackers.keys.sorted(by: >) {
            guard let place = trackers.index(forKey: id) else { continue }
            body(&trackers.values[place], world, &actions)
        }
        return actions + guardSinks()
    }

    private mutating func guardSinks() -> [RouteAction] {
        guarded = trackers.values.filter { !$0.streams.isEmpty }.flatMap { tracker in
            tracker.endsInUse.map { end in
                let calm = world.arrivals[end.port.uid].map { $0 + Limits.bounce }
                return Guarded(node: end.node, id: tracker.id, calmFrom: calm ?? MonotonicTime(nanoseconds: 0))
            }
        }
        let old = armed
        armed = [:]
        for entry in guarded where entry.calmFrom <= world.now { armed[entry.id, default: []].append(entry.node) }
        let changed = Set(old.keys).union(armed.keys).filter { old[$0] != armed[$0] }
        return changed.sorted().map { .guardNodes($0, armed[$0] ?? []) }
    }

    /// Gates before events; one barrier at most, and only one under way.
    private mutating func inOrder(_ actions: [RouteAction]) -> [RouteAction] {
        let gates = actions.filter { if case .closeGate = $0 { true } else { false } }
        var result = gates + actions.filter { $0 != .barrier && $0 != .readDefaults && !gates.contains($0) }
        if actions.contains(.barrier) { result += askForBarrier() }
        let calm = guarded.map(\.calmFrom).filter { $0 > world.now }
        let wake = (trackers.values.compactMap(\.deadline) + calm).min()
        if wake != wakeTime {
            wakeTime = wake
            result.append(.wake(at: wake))
        }
        // It may bring news at once.
        if actions.contains(.readDefaults) { result.append(.readDefaults) }
        return result
    }

    private mutating func askForBarrier() -> [RouteAction] {
        isBarrierStale = isBarrierPending
        defer { isBarrierPending = true }
        return isBarrierPending ? [] : [.barrier]
    }

    private mutating func updateAvailablePorts(_ now: MonotonicTime) {
        isAvailabilityStale = false
        availableOutputs = world.ports.available(.output)
        availableInputs = world.ports.available(.input)
        let outputs = world.ports.availableUIDs(.output)
        let inputs = world.ports.availableUIDs(.input)
        guard outputs != world.availableOutputs || inputs != world.availableInputs else { return }
        note(from: [world.availableOutputs, world.availableInputs], to: [outputs, inputs], now)
        world.availableOutputs = outputs
        world.availableInputs = inputs
        isAvailabilityUntold = true
    }

    private mutating func note(from old: [Set<String>], to new: [Set<String>], _ now: MonotonicTime) {
        if nextForgetting <= now {
            nextForgetting = now + Limits.arrival
            world.arrivals = world.arrivals.filter { now < $0.value + Limits.arrival }
            world.departures = world.departures.filter { now < $0.value + Limits.arrival }
        }
        for uid in new.joined() where !old.contains(where: { $0.contains(uid) }) { world.arrivals[uid] = now }
        for uid in old.joined() where !new.contains(where: { $0.contains(uid) }) { world.departures[uid] = now }
    }

    /// Most of a machine's news (streams, links and clients of other programs) cannot change a route.
    private mutating func concerns(_ event: GraphEvent, _ graph: AudioGraph) -> Bool {
        let isManagerNews = world.hasSessionManager != (graph.sessionManager != nil)
        world.hasSessionManager = graph.sessionManager != nil
        if isManagerNews {
            world.sessionManagerReturn = world.hasSessionManager ? world.now : nil
            world.sessionManagerLoss = world.hasSessionManager ? nil : world.now
        }
        switch event {
        case .nodeAppeared, .nodeState, .nodeMuted, .nodeVolumes, .silentModeChanged, .clockChanged, .clientAppeared,
            .deviceAppeared:
            return isManagerNews
        case .metadataAppeared, .defaultChanged: return true
        case .nodeProperties(let id, _):
            return note(node: id, graph)
        case .deviceRoutes(let id, _), .deviceActiveProfile(let id, _), .barrier(.device(let id)):
            return noteMove(note(device: id, graph))
        case .deviceProperties(let id, _), .deviceActiveRoutes(let id, _), .deviceProfiles(let id, _):
            return note(device: id, graph)
        case .barrier: return false
        case .linkAppeared(let link): return noteLink(link)
        case .disappeared(let id):
            if relevant.contains(id) { world.lastMove = world.now }
            return noteDisappearance(id) || isManagerNews
        }
    }

    private mutating func note(node id: ObjectID, _ graph: AudioGraph) -> Bool {
        guard graph.nodes[id]?.isPort == true else { return false }
        if relevant.insert(id).inserted { world.lastMove = world.now }
        return true
    }

    private mutating func noteMove(_ isRelevant: Bool) -> Bool {
        if isRelevant { world.lastMove = world.now }
        return isRelevant
    }

    private mutating func note(device id: ObjectID, _ graph: AudioGraph) -> Bool {
        guard graph.devices[id] != nil else { return false }
        relevant.insert(id)
        for node in graph.nodes.ports where node.deviceID == id { relevant.insert(node.id) }
        return true
    }

    private mutating func noteLink(_ link: Link) -> Bool {
        var isOurs = false
        for id in trackers.keys where trackers[id]?.streams.contains(link.outputNode) == true {
            trackers[id]?.links[link.id] = link
            isOurs = true
        }
        return isOurs
    }

    private mutating func noteDisappearance(_ id: ObjectID) -> Bool {
        var isOurs = relevant.remove(id) != nil
        for follower in trackers.keys where trackers[follower]?.links.removeValue(forKey: id) != nil { isOurs = true }
        return isOurs
    }
}
