public import AudioSessionCore
public import AudioSessionText
public import AudioSessions
import Glibc
import PipeWireGraph

/// A machine's audio without PipeWire: for tests of what a program does when headphones are pulled.
///
/// It starts as any machine of which there is a ``PipeWireDump``, and answers as a session manager does: when a jack
/// fills it chooses the best route, when a device goes it chooses another default. There is no sound. Nothing happens
/// by itself and nothing has to be waited for: when a call returns, every handler has been called and every event
/// is in its sequence.
///
///     let system = FakeAudioSystem(dump)
///     let manager = try await system.connect()
///     system.setAvailable(false, route: "analog-output-headphones")
public final class FakeAudioSystem: Sendable {
    private let executor = InlineExecutor()
    private let taskExecutor: InlineTaskExecutor
    private let clock: ManualClock
    private let world: Locked<World>
    private let board: FakeBoard

    private struct World {
        var graph: AudioGraph
        /// Devices that were taken away, with their nodes.
        var removed: [ObjectID: (device: Device, nodes: [Node])] = [:]
        var connections: [FakeConnection] = []
        var refusesSettings = false
        /// How often PipeWire was started; `isDown` until it is again.
        var runs: UInt32 = 1
        var isDown = false
        var slept = Duration.zero
        var watches: [WeakWatch] = []
    }

    private struct WeakWatch {
        weak var watch: FakeWatch?
    }

    /// The machine of which there is this dump.
    public convenience init(_ dump: PipeWireDump) { self.init(graph: dump.graph) }

    package init(graph: AudioGraph) {
        taskExecutor = InlineTaskExecutor(executor)
        clock = ManualClock(executor: executor)
        board = FakeBoard(executor: executor)
        var graph = graph
        graph.sessionManager = graph.sessionManager ?? FakeConnection.sessionManager
        world = Locked(World(graph: graph))
    }

    /// A manager that lives on this machine.
    /// - Throws: what `AudioSessionManager.connect(_:)` throws; on a fake machine there is no reason to.
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
                let (graph, cookie, isDown) = world.withLock { ($0.graph, $0.runs, $0.isDown) }
                guard !isDown else { throw PipeWireError(code: EHOSTDOWN, during: .connecting) }
                let connection = FakeConnection(
                    on: executor, graph: graph, cookie: cookie, board: board, receive: receive, failed: failed,
                    setSilentMode: { [weak self] in self?.programSetsSilentMode($0) },
                    switchCard: { [weak self] in self?.programSwitches($0) })
                connection.become(board.join(connection, name: options.applicationName, process: process).id)
                world.withLock { $0.connections.append(connection) }
                return connection
            },
            now: { [clock] in clock.now },
            sleptTime: { [world] in world.withLock(\.slept) },
            makeTimer: { [clock] in clock.makeTimer($0) },
            watchSocket: { [self] _, appeared in
                let watch = FakeWatch(appeared)
                world.withLock { $0.watches.append(WeakWatch(watch: watch)) }
                return watch
            })
    }

    // MARK: What a person does

    /// Fills or empties a jack: the route's availability, then the session manager's choice.
    public func setAvailable(_ available: Bool, route name: String) {
        change { graph in
            var events: [GraphEvent] = []
            for device in graph.devices.values where device.routes.contains(where: { $0.name == name }) {
                var routes = device.routes
                for index in routes.indices where routes[index].name == name {
                    routes[index].availability = available ? .yes : .no
                }
                events.append(.deviceRoutes(device.id, routes))
            }
            return events
        }
        choose()
    }

    /// Pulls a device: its nodes go, then itself, then the session manager chooses another default.
    public func remove(device name: String) {
        let gone = world.withLock { world -> [GraphEvent] in
            guard let device = world.graph.device(named: name) else { return [] }
            let nodes = world.graph.nodes.values.filter { $0.deviceID == device.id }.sorted { $0.id < $1.id }
            world.removed[device.id] = (device, nodes)
            return (nodes.map(\.id) + [device.id]).map { .disappeared($0) }
        }
        change { _ in gone }
        choose()
    }

    /// Plugs a device in again that ``remove(device:)`` has pulled.
    public func restore(device name: String) {
        let back = world.withLock { world -> [GraphEvent] in
            guard let (id, entry) = world.removed.first(where: { $0.value.device.name == name }) else { return [] }
            world.removed[id] = nil
            return FakeConnection.events(for: entry.device) + entry.nodes.flatMap(FakeConnection.events)
        }
        change { _ in back }
        choose()
    }

    /// Makes another node the default, as a person does in a mixer.
    public func setDefault(_ direction: PortDirection, node name: String) {
        change { _ in [.configuredDefaultChanged(direction, name), .defaultChanged(direction, name)] }
    }

    /// Turns silent mode on or off, as `AudioSessionManager.setSilentMode(_:)` does.
    public func setSilentMode(_ isOn: Bool) {
        change { graph in graph.isSilentMode == isOn ? [] : [.silentModeChanged(isOn)] }
    }

    /// Mutes a sink, or a program's stream, in a mixer.
    public func setMuted(_ isMuted: Bool, node name: String) {
        change { graph in graph.nodes.known(as: name).filter { $0.name == name }.map { .nodeMuted($0.id, isMuted) } }
    }

    /// Moves the volume of a sink or a source in a mixer: 0 to 1, as sliders count it. A card's is that of the route that it
    /// has in use.
    public func setVolume(_ volume: Float, node name: String) {
        let linear = volume * volume * volume
        change { graph in
            graph.nodes.known(as: name).filter { $0.name == name }.compactMap { node in
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

    /// Sets the graph's clock, as `pw-metadata -n settings 0 clock.force-rate` and `clock.force-quantum` do; 0 leaves it to
    /// PipeWire.
    public func forceClock(rate: Int = 0, quantum: Int = 0) {
        change { graph in
            var clock = graph.clock
            clock.forcedRate = max(0, rate)
            clock.forcedQuantum = max(0, quantum)
            return [.clockChanged(clock)]
        }
    }

    /// From now on programs may not write settings, as in a sandbox.
    public func refuseSettings() { world.withLock { $0.refusesSettings = true } }

    private func programSetsSilentMode(_ isOn: Bool) {
        if !world.withLock(\.refusesSettings) { setSilentMode(isOn) }
    }

    /// Switches a card to another route, as a person does in a mixer, or a session of another program.
    public func setActive(route name: String) {
        change { graph in
            graph.devices.values.compactMap { device in
                guard let route = device.routes.first(where: { $0.name == name }), let number = route.devices.first
                else { return nil }
                return graph.switching(device.id, toRoute: route.index, number: number)
            }
        }
    }

    private func programSwitches(_ command: GraphCommand) {
        change { graph in
            switch command {
            case .setRoute(let device, let index, let number):
                [graph.switching(device, toRoute: index, number: number)].compactMap(\.self)
            case .setProfile(let device, let index):
                graph.devices[device]?.profiles.first { $0.index == index }.map {
                    [.deviceActiveProfile(device, $0)]
                } ?? []
            default: [graph.obeying(command)].compactMap(\.self)
            }
        }
    }

    /// The computer sleeps for so long, and no timer counts it. What happens next is found when it woke up.
    public func sleep(for duration: Duration) { world.withLock { $0.slept += duration } }

    /// Lets time pass for everything that waits.
    public func advance(by duration: Duration) { clock.advance(by: duration) }

    /// PipeWire dies. ``restart()`` starts it again.
    public func fail() {
        let connections = world.withLock { world in
            world.isDown = true
            defer { world.connections = [] }
            return world.connections
        }
        board.clear()
        for connection in connections { executor.run { connection.fail() } }
        clock.advance(by: .zero)
    }

    /// PipeWire runs again, and the session manager with it.
    public func restart() {
        let watches = world.withLock { world in
            world.isDown = false
            world.runs += 1
            // It kept it itself.
            world.graph.apply(.silentModeChanged(false))
            return world.watches.compactMap(\.watch)
        }
        for watch in watches { executor.run { watch.appeared() } }
        clock.advance(by: .zero)
    }

    /// Lets news happen on the machine, as PipeWire would tell it.
    package func send(_ events: GraphEvent...) { change { _ in events } }

    // MARK: The session manager

    /// What the machine's session manager does after something was plugged or pulled.
    private func choose() {
        change { graph in graph.bestRoutes() }
        change { graph in graph.bestDefaults() }
    }

    private func change(_ events: (AudioGraph) -> [GraphEvent]) {
        let (news, connections) = world.withLock { world in
            let news = events(world.graph)
            for event in news { world.graph.apply(event) }
            return (news, world.connections)
        }
        for event in news {
            for connection in connections { executor.run { connection.send(event) } }
        }
    }
}

/// Whoever waits for the fake machine's PipeWire.
private final class FakeWatch: GraphWatch {
    let appeared: () -> Void

    init(_ appeared: @escaping () -> Void) { self.appeared = appeared }
}
