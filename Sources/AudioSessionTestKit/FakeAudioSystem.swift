public import AudioSessionCore
public import AudioSessionText
public import AudioSessions
import Glibc
import PipeWireGraph

/// A computer's audio without PipeWire, for tests of a program's reaction to unplugged headphones.
///
/// The system starts in the state of any ``PipeWireDump``, and acts like a session manager. It
/// selects the best device route when a jack changes, and another default when a device is removed.
/// It plays no sound.
///
/// The system changes only by the calls of the test, and all effects are synchronous. When a call
/// returns, every handler has run and every event is in its sequence.
///
/// A call with the name of a device, device route or node that the system does not have ends the
/// process with a message. It lists the existing names.
///
/// Cards keep their profile, because a dump does not contain the nodes of other profiles. If a
/// session needs another profile, its request has no effect.
///
///     let system = FakeAudioSystem(dump)
///     let manager = try await system.connect()
///     system.setAvailable(false, route: "analog-output-headphones")
public final class FakeAudioSystem: Sendable {
    private let executor = InlineExecutor()
    private let taskExecutor: InlineTaskExecutor
    private let clock: ManualClock
    private let state: Locked<State>
    private let board: FakeBoard

    private struct State {
        private(set) var graph: AudioGraph
        private var mixers = RouteMixers()
        /// Removed devices with their nodes, and the events that restore the nodes' mixers.
        var removed: [ObjectID: (device: Device, nodes: [Node], mixers: [GraphEvent])] = [:]
        var refusesSettings = false
        /// The number of times that PipeWire was started. `isDown` is true between a failure and a
        /// restart.
        var runs: UInt32 = 1
        var isDown = false
        var slept = Duration.zero
        var watches: [WeakWatch] = []

        init(graph: AudioGraph) {
            self.graph = graph
            for device in graph.devices.values { mixers.keep(device.activeRoutes, of: device.id) }
        }

        mutating func apply(_ event: GraphEvent) {
            graph.apply(event)
            if case .deviceActiveRoutes(let id, let routes) = event { mixers.keep(routes, of: id) }
        }

        /// Returns an event of a card that activates device routes, with their volumes and mutes.
        func withMixers(_ event: GraphEvent) -> GraphEvent {
            guard case .deviceActiveRoutes(let id, let routes) = event else { return event }
            return .deviceActiveRoutes(id, mixers.restored(routes, of: id))
        }

        /// Ends the process if no device, present or removed, has this name.
        func checkKnown(device name: String) {
            let names = (graph.devices.values + removed.values.map { $0.device }).compactMap(\.name)
            if !names.contains(name) { failUnknown("device", name, among: names) }
        }
    }

    private struct WeakWatch {
        weak var watch: FakeWatch?
    }

    /// Creates a system in the state of a dump.
    ///
    /// - Parameter dump: the objects of the computer.
    public convenience init(_ dump: PipeWireDump) { self.init(graph: dump.graph) }

    package init(graph: AudioGraph) {
        taskExecutor = InlineTaskExecutor(executor)
        clock = ManualClock(executor: executor)
        board = FakeBoard(executor: executor)
        var graph = graph
        graph.sessionManager = graph.sessionManager ?? FakeConnection.sessionManager
        state = Locked(State(graph: graph))
    }

    /// Connects an `AudioSessionManager` to this system.
    ///
    /// - Parameter configuration: the configuration of the manager.
    /// - Returns: a manager that uses only this system.
    /// - Throws: the errors of `AudioSessionManager.connect(_:)`. Between ``fail()`` and
    ///   ``restart()``, the call fails or waits as it does without PipeWire. Apart from that, a
    ///   fake system causes none of them.
    public func connect(
        _ configuration: AudioSessionManager.Configuration = .init()
    ) async throws(AudioSessionError) -> AudioSessionManager {
        try await AudioSessionManager.connect(configuration, in: environment)
    }

    package var environment: ManagerEnvironment {
        let process = board.makeProcess()
        return ManagerEnvironment(
            executor: executor, taskExecutor: taskExecutor,
            connect: { [self] (options, receive, failed) throws(PipeWireError) in
                let (graph, cookie, isDown) = state.withLock { ($0.graph, $0.runs, $0.isDown) }
                guard !isDown else { throw PipeWireError(code: EHOSTDOWN, during: .connecting) }
                let connection = FakeConnection(
                    on: executor, graph: graph, cookie: cookie, board: board, receive: receive, failed: failed,
                    setSilentMode: { [weak self] in self?.programSetsSilentMode($0) },
                    switchCard: { [weak self] in self?.programSwitches($0) })
                connection.become(board.join(connection, name: options.applicationName, process: process).id)
                return connection
            },
            now: { [clock] in clock.now },
            sleptTime: { [state] in state.withLock(\.slept) },
            makeTimer: { [clock] in clock.makeTimer($0) },
            watchSocket: { [self] _, appeared in
                let watch = FakeWatch(appeared)
                state.withLock { $0.watches.append(WeakWatch(watch: watch)) }
                return watch
            })
    }

    // MARK: User actions

    /// Plugs or unplugs a jack.
    ///
    /// The call changes the device route's availability. The session manager then selects routes of
    /// the changed devices, and defaults.
    ///
    /// - Parameters:
    ///   - available: whether the jack is plugged.
    ///   - name: the name of the device route.
    ///   - device: `device.name` of the device; `nil` changes all devices that have such a route.
    public func setAvailable(_ available: Bool, route name: String, device: String? = nil) {
        let cards = state.withLock { $0.graph.cards(withRoute: name, device: device) }
        change { _ in
            cards.map { card in
                var routes = card.routes
                for index in routes.indices where routes[index].name == name {
                    routes[index].availability = available ? .yes : .no
                }
                return .deviceRoutes(card.id, routes)
            }
        }
        choose(for: cards.map(\.id))
    }

    /// Unplugs a device. The system removes its nodes and the device, and then selects other
    /// defaults. The call has no effect on a device that is already removed.
    ///
    /// - Parameter name: `device.name` of the device.
    public func remove(device name: String) {
        let gone = state.withLock { state -> [GraphEvent] in
            state.checkKnown(device: name)
            guard let device = state.graph.device(named: name) else { return [] }
            let nodes = state.graph.nodes.values.filter { $0.deviceID == device.id }.sorted { $0.id < $1.id }
            let mixers = nodes.flatMap { state.graph.mixerEvents(of: $0) }
            state.removed[device.id] = (device, nodes, mixers)
            return (nodes.map(\.id) + [device.id]).map { .disappeared($0) }
        }
        change { _ in gone }
        choose()
    }

    /// Plugs in a device that ``remove(device:)`` has removed. The call has no effect on a device
    /// that is present.
    ///
    /// - Parameter name: `device.name` of the device.
    public func restore(device name: String) {
        let (id, back) = state.withLock { state -> (ObjectID?, [GraphEvent]) in
            state.checkKnown(device: name)
            guard let (id, entry) = state.removed.first(where: { $0.value.device.name == name }) else {
                return (nil, [])
            }
            state.removed[id] = nil
            let nodes = entry.nodes.flatMap(FakeConnection.events)
            return (id, FakeConnection.events(for: entry.device) + nodes + entry.mixers)
        }
        change { _ in back }
        choose(for: id.map { [$0] } ?? [])
    }

    /// Selects another default node, as a user does in a mixer.
    ///
    /// - Parameters:
    ///   - direction: the direction of the default.
    ///   - name: `node.name` of the node, which need not exist.
    public func setDefault(_ direction: PortDirection, node name: String) {
        change { _ in [.configuredDefaultChanged(direction, name), .defaultChanged(direction, name)] }
    }

    /// Turns silent mode on or off, as `AudioSessionManager.setSilentMode(_:)` does.
    ///
    /// - Parameter isOn: whether silent mode is on.
    public func setSilentMode(_ isOn: Bool) {
        change { graph in graph.isSilentMode == isOn ? [] : [.silentModeChanged(isOn)] }
    }

    /// Mutes or unmutes a sink or a program's stream, as a mixer does. For a card's node, this is
    /// the mute of its active device route.
    ///
    /// - Parameters:
    ///   - isMuted: whether the node is muted.
    ///   - name: `node.name` of the node.
    public func setMuted(_ isMuted: Bool, node name: String) {
        change { graph in graph.nodes(named: name).flatMap { graph.muting($0, isMuted) } }
    }

    /// Sets the volume of a sink or a source, as a mixer does. For a card's node, this is the
    /// volume of its active device route.
    ///
    /// - Parameters:
    ///   - volume: the volume from 0 to 1 on the scale of sliders; the amplitude is its cube.
    ///   - name: `node.name` of the node.
    public func setVolume(_ volume: Float, node name: String) {
        let linear = volume * volume * volume
        change { graph in
            graph.nodes(named: name).compactMap { node in
                let direction = node.mediaClass?.directions.first ?? .output
                if let device = graph.device(of: node)?.id, let number = node.profileDevice,
                    let route = graph.activeRoute(of: node, direction: direction)?.route
                {
                    let command = GraphCommand.setRouteVolumes(
                        device, index: route.index, number: number, [linear, linear])
                    if let event = graph.obeying(command) { return event }
                }
                return .nodeVolumes(node.id, [linear, linear])
            }
        }
    }

    /// Sets the graph's clock, as `pw-metadata -n settings 0 clock.force-rate` and
    /// `clock.force-quantum` do.
    ///
    /// - Parameters:
    ///   - rate: frames per second; 0 lets PipeWire choose.
    ///   - quantum: frames in each cycle; 0 lets PipeWire choose.
    public func forceClock(rate: Int = 0, quantum: Int = 0) {
        change { graph in
            var clock = graph.clock
            clock.forcedRate = max(0, rate)
            clock.forcedQuantum = max(0, quantum)
            return [.clockChanged(clock)]
        }
    }

    /// Denies programs to write settings from now on, as a sandbox does.
    public func refuseSettings() { state.withLock { $0.refusesSettings = true } }

    private func programSetsSilentMode(_ isOn: Bool) {
        if !state.withLock(\.refusesSettings) { setSilentMode(isOn) }
    }

    /// Activates another device route of a card, as a mixer or a session of another program does.
    ///
    /// - Parameters:
    ///   - name: the name of the device route.
    ///   - device: `device.name` of the device; `nil` changes all devices that have such a route.
    public func setActive(route name: String, device: String? = nil) {
        change(restoresMixers: true) { graph in
            graph.cards(withRoute: name, device: device).compactMap { graph.switching($0, toRoute: name) }
        }
    }

    private func programSwitches(_ command: GraphCommand) {
        switch command {
        case .setRoute(let device, let index, let number):
            change(restoresMixers: true) { graph in
                [graph.switching(device, toRoute: index, number: number)].compactMap(\.self)
            }
        // The nodes of another profile are unknown, and without them the card would be silent.
        case .setProfile: break
        default: change { graph in [graph.obeying(command)].compactMap(\.self) }
        }
    }

    /// Suspends the computer for a duration that no timer counts. Later events are received as
    /// after waking up.
    ///
    /// - Parameter duration: the duration of the sleep. A negative one ends the process.
    public func sleep(for duration: Duration) {
        checkPasses(duration)
        state.withLock { $0.slept += duration }
    }

    /// Advances the system's clock, and fires the timers that become due.
    ///
    /// - Parameter duration: the time that passes. A negative one ends the process.
    public func advance(by duration: Duration) {
        checkPasses(duration)
        clock.advance(by: duration)
    }

    /// Ends the process at a negative duration, because time that went back would leave timers
    /// that never fire.
    private func checkPasses(_ duration: Duration) {
        if duration < .zero { fatalError("Time cannot pass by \(duration). Pass zero or a positive duration.") }
    }

    /// Ends PipeWire, so that all connections fail. ``restart()`` starts it again.
    public func fail() {
        state.withLock { $0.isDown = true }
        for connection in board.clear() { executor.run { connection.fail() } }
        clock.advance(by: .zero)
    }

    /// Starts PipeWire and the session manager again after ``fail()``. Silent mode and a forced
    /// clock are off then. The call has no effect while PipeWire runs.
    public func restart() {
        let watches = state.withLock { state -> [FakeWatch] in
            guard state.isDown else { return [] }
            state.isDown = false
            state.runs += 1
            // Silent mode and a forced clock were state of the daemon that ended.
            state.apply(.silentModeChanged(false))
            var clock = state.graph.clock
            (clock.forcedRate, clock.forcedQuantum) = (0, 0)
            state.apply(.clockChanged(clock))
            return state.watches.compactMap(\.watch)
        }
        for watch in watches { executor.run { watch.appeared() } }
        clock.advance(by: .zero)
    }

    /// Sends graph events to all connections, as PipeWire does.
    package func send(_ events: GraphEvent...) { change { _ in events } }

    // MARK: The session manager

    /// Selects device routes of the changed devices, and defaults, as the session manager does
    /// after a device or jack changed.
    private func choose(for devices: [ObjectID] = []) {
        change(restoresMixers: true) { graph in graph.bestRoutes(of: devices) }
        change { graph in graph.bestDefaults() }
    }

    /// Applies events to the system, and sends them to all connections.
    ///
    /// - Parameter restoresMixers: whether active device routes have the volume and the mute with
    ///   which they were last active, because a session manager stores them.
    private func change(restoresMixers: Bool = false, _ events: (AudioGraph) -> [GraphEvent]) {
        let sent = state.withLock { state in
            let sent = events(state.graph).map { restoresMixers ? state.withMixers($0) : $0 }
            for event in sent { state.apply(event) }
            return sent
        }
        for event in sent { board.broadcast(event) }
    }
}

/// A client that waits for the fake system's PipeWire.
private final class FakeWatch: GraphWatch {
    let appeared: () -> Void

    init(_ appeared: @escaping () -> Void) { self.appeared = appeared }
}
