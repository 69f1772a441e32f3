package import AudioSessionCore
package import PipeWireGraph

/// A program's view of the machine's audio: where sound goes, what could be chosen, and what changes.
///
/// The manager runs on the PipeWire loop's own thread. Its snapshots (``currentRoute`` and the like) may be read
/// from anywhere without waiting; its asynchronous calls cost one hop to that thread. A program may have several.
///
/// Counterpart of the parts of `AVAudioSession.sharedInstance()` that observe; there is no shared instance here.
public actor AudioSessionManager {
    /// How a manager connects.
    public struct Configuration: Sendable, Hashable {
        /// Name or absolute path of PipeWire's socket; `nil` takes the environment's.
        public var remote: String?
        /// How the program shows in other people's mixers; `nil` leaves it to PipeWire.
        public var applicationName: String?
        /// How long ``AudioSessionManager/connect(_:)`` waits for an answer.
        public var timeout: Duration

        public init(remote: String? = nil, applicationName: String? = nil, timeout: Duration = .seconds(5)) {
            self.remote = remote
            self.applicationName = applicationName
            self.timeout = timeout
        }
    }

    /// What a manager tells.
    public enum Event: Sendable, Hashable {
        /// The output that sound goes to is gone; comes before the ``routeChanged(_:)`` that belongs to it.
        case becameNoisy(PortDescription, at: MonotonicTime)
        /// The machine's default route is another one.
        case routeChanged(RouteChange)
        /// Something can be chosen that could not be before, or cannot any more. The route need not have changed.
        case availablePortsChanged
        /// PipeWire is gone. Nothing more will come.
        case mediaServicesLost
    }

    public nonisolated let configuration: Configuration
    package nonisolated let environment: ManagerEnvironment
    private nonisolated let snapshot = Locked(Snapshot())
    private nonisolated let broadcaster = EventBroadcaster<Event>()
    private var registry = RegistryStateMachine()
    private var routes: RouteStateMachine?
    private var followers: [FollowerID: any RouteFollower] = [:]
    private var graphConnection: (any GraphConnection)?
    private var deadline: (any GraphTimer)?
    private var timeout: (any GraphTimer)?
    private var opening: CheckedContinuation<Result<Void, AudioSessionError>, Never>?

    private struct Snapshot {
        var route = RouteDescription()
        var outputs: [PortDescription] = []
        var inputs: [PortDescription] = []
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { environment.executor.asUnownedSerialExecutor() }

    private init(_ configuration: Configuration, _ environment: ManagerEnvironment) {
        self.configuration = configuration
        self.environment = environment
    }

    isolated deinit { close() }

    /// Connects to PipeWire and returns when everything on the machine is known.
    /// - Throws: `mediaServicesFailed` if PipeWire does not run or cannot be reached, `timedOut` if it does not
    ///   answer, `resourcesExhausted` if the system has no thread or file left.
    public static func connect(
        _ configuration: Configuration = Configuration()
    ) async throws(AudioSessionError) -> AudioSessionManager {
        let environment: ManagerEnvironment
        do {
            environment = try .pipeWire()
        } catch {
            throw AudioSessionError(error, remote: configuration.remote)
        }
        return try await connect(configuration, in: environment)
    }

    package static func connect(
        _ configuration: Configuration, in environment: ManagerEnvironment
    ) async throws(AudioSessionError) -> AudioSessionManager {
        let manager = AudioSessionManager(configuration, environment)
        try await manager.open().get()
        return manager
    }

    // MARK: Snapshots

    /// Where sound goes that asks for nothing special: the route of the default output and input.
    public nonisolated var currentRoute: RouteDescription { snapshot.withLock(\.route) }

    /// Every output that could be chosen now.
    public nonisolated var availableOutputs: [PortDescription] { snapshot.withLock(\.outputs) }

    /// Every input that could be chosen now.
    public nonisolated var availableInputs: [PortDescription] { snapshot.withLock(\.inputs) }

    // MARK: Events

    /// Everything that happens from now on, for one listener.
    /// - Parameter capacity: how many events wait for a slow listener before the oldest are dropped.
    public nonisolated func events(bufferingNewest capacity: Int = 256) -> EventSequence<Event> {
        broadcaster.events(bufferingNewest: capacity)
    }

    /// Calls `handler` on the PipeWire loop's thread, with the least delay there is. It must not block.
    /// - Returns: keep it: when it goes, the handler is not called any more.
    public nonisolated func observe(_ handler: @escaping @Sendable (Event) -> Void) -> EventObservation {
        broadcaster.observe(handler)
    }

    /// Ends the connection; event sequences end, snapshots keep their last values. Closing twice does nothing.
    public func close() {
        finishOpening(.failure(AudioSessionError(.closed, "The audio session manager was closed.")))
        disconnect()
        broadcaster.finish()
    }
}

// MARK: - Life of the connection

extension AudioSessionManager {
    private func open() async -> Result<Void, AudioSessionError> {
        do {
            let options = Connection.Options(
                remote: configuration.remote, applicationName: configuration.applicationName)
            let connection = try environment.connect(
                options, { [unowned self] in self.receive($0) }, { [unowned self] in self.connectionFailed($0) })
            graphConnection = connection
            try connection.watch()
            for command in registry.start() { connection.perform(command) }
        } catch {
            return .failure(AudioSessionError(error, remote: configuration.remote))
        }
        deadline = environment.makeTimer { [unowned self] in self.deadlinePassed() }
        timeout = environment.makeTimer { [unowned self] in self.timedOut() }
        guard let timeout, deadline != nil else {
            disconnect()
            return .failure(AudioSessionError(.resourcesExhausted, "The system gives this process no more timers."))
        }
        guard routes == nil else { return .success(()) }
        timeout.arm(after: configuration.timeout)
        return await withCheckedContinuation { opening = $0 }
    }

    private func finishOpening(_ result: Result<Void, AudioSessionError>) {
        timeout?.disarm()
        opening?.resume(returning: result)
        opening = nil
    }

    private func timedOut() {
        finishOpening(
            .failure(
                AudioSessionError(
                    .timedOut,
                    "PipeWire accepted the connection but did not answer within \(configuration.timeout). "
                        + "It, or the session manager, may hang: see 'systemctl --user status pipewire wireplumber'.")
            ))
        disconnect()
    }

    private func connectionFailed(_ message: String) {
        let wasOpen = routes != nil
        finishOpening(
            .failure(AudioSessionError(.mediaServicesFailed, "PipeWire ended the connection: \(message).")))
        for follower in followers.values { follower.connectionLost() }
        if wasOpen { broadcaster.send(.mediaServicesLost) }
        // Not from within PipeWire's own callback: the connection it comes from would be freed under it.
        timeout = environment.makeTimer { [unowned self] in self.disconnect() }
        timeout?.arm(after: .zero)
    }

    private func disconnect() {
        timeout = nil
        deadline = nil
        graphConnection = nil
    }
}

// MARK: - News

extension AudioSessionManager {
    private func receive(_ event: GraphEvent) {
        if let endangered = routes?.endangered(by: event, now: environment.now()) {
            for id in endangered { followers[id]?.closeGate() }
        }
        for command in registry.receive(event) { graphConnection?.perform(command) }
        if routes != nil {
            perform(routes?.receive(event, graph: registry.graph, now: environment.now()) ?? [])
        } else if registry.isSynchronized {
            routes = RouteStateMachine(graph: registry.graph, now: environment.now())
            updateSnapshot()
            finishOpening(.success(()))
        }
    }

    private func deadlinePassed() {
        perform(routes?.deadlinePassed(graph: registry.graph, now: environment.now()) ?? [])
    }

    private func perform(_ actions: [RouteAction]) {
        if !actions.isEmpty { updateSnapshot() }
        for action in actions {
            switch action {
            case .closeGate(let id): followers[id]?.closeGate()
            case .openGate(let id): followers[id]?.openGate()
            case .becameNoisy(let id, let port, let time): tellNoisy(id, port, time)
            case .routeChanged(let id, let change): tellChange(id, change)
            case .availablePortsChanged: broadcaster.send(.availablePortsChanged)
            case .barrier: graphConnection?.perform(.barrier(.routes))
            case .wake(let time): arm(time)
            }
        }
    }

    private func tellNoisy(_ id: FollowerID, _ port: PortDescription, _ time: MonotonicTime) {
        followers[id]?.becameNoisy(port, at: time)
        if id == .machine { broadcaster.send(.becameNoisy(port, at: time)) }
    }

    private func tellChange(_ id: FollowerID, _ change: RouteChange) {
        followers[id]?.routeChanged(change)
        if id == .machine { broadcaster.send(.routeChanged(change)) }
    }

    private func arm(_ time: MonotonicTime?) {
        guard let time else {
            deadline?.disarm()
            return
        }
        deadline?.arm(after: time.since(environment.now()))
    }

    private func updateSnapshot() {
        guard let routes else { return }
        snapshot.withLock { snapshot in
            snapshot.route = routes.route(of: .machine)
            snapshot.outputs = routes.availableOutputs
            snapshot.inputs = routes.availableInputs
        }
    }
}

// MARK: - Followers

extension AudioSessionManager {
    /// The connection over which streams are made; `nil` while there is none, and in a test without PipeWire.
    package var connection: Connection? { graphConnection as? Connection }

    package var graph: AudioGraph { registry.graph }

    package func follow(_ follower: any RouteFollower) -> FollowerID {
        let id = routes?.follow(graph: registry.graph) ?? .machine
        followers[id] = follower
        return id
    }

    /// The global ids of the nodes of the follower's running streams; empty while it is paused.
    package func setStreams(_ streams: Set<ObjectID>, of id: FollowerID) {
        perform(
            routes?.setStreams(streams, of: id, graph: registry.graph, now: environment.now()) ?? [])
    }

    package func unfollow(_ id: FollowerID) {
        followers[id] = nil
        routes?.unfollow(id)
    }

    package func route(of id: FollowerID) -> RouteDescription { routes?.route(of: id) ?? RouteDescription() }
}
