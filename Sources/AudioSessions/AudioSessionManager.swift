package import AudioSessionCore
import PipeWireGraph

/// A program's connection to PipeWire: its routes, available ports, and changes of both.
///
/// The actor runs on the PipeWire loop's own thread. Its snapshots, such as ``currentRoute``, can
/// be read from any thread without waiting. Its asynchronous calls cost one hop to that thread. A
/// program may have several managers.
///
/// Counterpart of the observing parts of `AVAudioSession.sharedInstance()`. There is no shared
/// instance here.
public actor AudioSessionManager {
    /// The settings with which a manager connects.
    public struct Configuration: Sendable, Hashable {
        /// The name or absolute path of PipeWire's socket; `nil` takes that of the environment.
        public var remote: String?
        /// The name of the program in mixers; `nil` leaves it to PipeWire.
        public var applicationName: String?
        /// The timeout of each call that waits for PipeWire, including
        /// ``AudioSessionManager/connect(_:)`` and the calls of sessions. Such a call then fails
        /// with `timedOut`. It must be longer than zero.
        public var timeout: Duration
        /// Whether ``AudioSessionManager/connect(_:)`` waits up to ``timeout`` for PipeWire to run.
        /// If false, it fails at once without PipeWire.
        ///
        /// The manager waits for a PipeWire that ends later in either case.
        public var waitsForPipeWire: Bool
        /// Whether the manager waits for PipeWire without limit, for connections that no caller
        /// waits for.
        @_spi(Compatibility) public var waitsWithoutLimit = false
        /// Whether the manager's thread requests the priority of PipeWire's own processes (nice
        /// -11), so that gates close before the session manager moves a stream.
        ///
        /// It has no effect where the system does not permit it, or if the program has another nice
        /// value than 0 or another policy than `SCHED_OTHER`. Other threads are not affected.
        public var raisesThreadPriority: Bool

        /// Makes a configuration. Every parameter has a default.
        ///
        /// Each parameter sets the property of its name.
        public init(
            remote: String? = nil, applicationName: String? = nil, timeout: Duration = .seconds(5),
            waitsForPipeWire: Bool = false, raisesThreadPriority: Bool = true
        ) {
            self.remote = remote
            self.applicationName = applicationName
            self.timeout = timeout
            self.waitsForPipeWire = waitsForPipeWire
            self.raisesThreadPriority = raisesThreadPriority
        }

        /// Checks the values before anything is opened with them.
        fileprivate func check() throws(AudioSessionError) {
            guard timeout <= .zero else { return }
            throw AudioSessionError(
                .badParam, rule: "The timeout must be longer than zero, and it is \(timeout).",
                fix: "Set some seconds, or leave it out for the default.")
        }
    }

    /// An event of a manager.
    @nonexhaustive
    public enum Event: Sendable, Hashable {
        /// The default output was lost. The event is sent before the ``routeChanged(_:)`` that
        /// belongs to it.
        case becameNoisy(PortDescription, at: MonotonicTime)
        /// The default route has changed.
        case routeChanged(RouteChange)
        /// The lists of available ports have changed. The route may be the same.
        case availablePortsChanged(at: MonotonicTime)
        /// Silent mode was turned on or off, by any program.
        case silentModeChanged(Bool, at: MonotonicTime)
        /// PipeWire was lost. Until ``mediaServicesReset(at:)``, snapshots keep their last values,
        /// and calls that need PipeWire fail. The manager reconnects without action of the program.
        case mediaServicesLost(at: MonotonicTime)
        /// PipeWire is connected again, and all objects are known. Sessions have their places
        /// again. Players are ready, but do not start. The event alternates with
        /// ``mediaServicesLost(at:)``.
        case mediaServicesReset(at: MonotonicTime)
    }

    /// The configuration with which the manager was connected.
    public nonisolated let configuration: Configuration
    package nonisolated let environment: ManagerEnvironment
    nonisolated let snapshot = Locked(Snapshot())
    nonisolated let broadcaster = EventBroadcaster<Event>()
    /// The broadcaster of whether any session plays or records.
    package nonisolated let soundingChanges = EventBroadcaster<Bool>()
    var model = GraphModel()
    var followers: [FollowerID: WeakFollower] = [:]
    var lastFollower: UInt64 = 0
    /// When the change of routes happened whose actions are being executed.
    var routeChangeTime: MonotonicTime?
    /// The followers by which the sessions' participants follow their routes.
    var participantFollowers: [ParticipantID: FollowerID] = [:]
    var graphConnection: (any GraphConnection)?
    /// The end of the connection, once ``close()`` was called.
    private var end: ConnectionEnd?
    var timers: [TimerID: any GraphTimer] = [:]
    var arbitration: ArbitrationDriver
    var cards = CardPart()
    var programMarks = ProgramMarks()
    var otherStreams = OtherStreams()
    var silentMode = SilentMode()
    var questions: OpenQuestions
    var questionWaiters: [UInt64: CheckedContinuation<OpenQuestions.Outcome, Never>] = [:]
    var lastQuestion: UInt64 = 0
    /// Whether anything was muted at the last evaluation.
    var wasAnythingMuted = false
    /// The nodes whose mutes and volumes are watched.
    var watchedNodes: Set<ObjectID> = []
    /// The recorders that record now.
    var inputFollowers: [ObjectIdentifier: WeakFollower] = [:]
    var computerSound = SoundState()
    /// The sessions that play or record. Their numbers change without events.
    var soundingSessions: Set<AudioSessionID> = []
    var isEvaluationPending = false
    var reconnection = ReconnectionStateMachine()
    var socketWatch: (any GraphWatch)?
    /// Whether PipeWire was lost and its objects are not known again.
    var isLost = false
    var isClosed = false
    /// The time that the computer slept, as last read; `nil` before the first event.
    var sleptTime: Duration?
    /// The continuation of the caller that waits for the opening.
    var opening: CheckedContinuation<Result<Void, AudioSessionError>, Never>?

    struct Snapshot {
        var isConnected = false
        var route = RouteDescription()
        var outputs: [PortDescription] = []
        var inputs: [PortDescription] = []
        var isSilentMode = false
        var isInputMuted = false
        /// The settings of the graph's clock, with which streams are made.
        var clock = ClockSettings()
        var sound = SoundState()
        /// Whether a sleep of the computer was announced and has not ended.
        var isAsleep = false
        /// The session manager's process; `nil` if it is not known.
        var sessionManagerProcess: Int?
        /// Whether the session manager has just started and is restoring volumes and defaults.
        var isSessionManagerNew = false

        /// Keeps the numbers of a route that outlasts its session manager.
        func keeping(_ new: SoundState, besides old: SoundState) -> SoundState {
            let kept = new.keeping(
                old, areOutputs: !outputs.isEmpty || !route.outputs.isEmpty,
                areInputs: !inputs.isEmpty || !route.inputs.isEmpty)
            return isSessionManagerNew ? kept.holding(old) : kept
        }
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { environment.executor.asUnownedSerialExecutor() }

    // It is hidden from the optimizer for the reason given at AudioSession.
    @_semantics("optimize.no.crossmodule")
    private init(_ configuration: Configuration, _ environment: ManagerEnvironment) {
        self.configuration = configuration
        self.environment = environment
        arbitration = ArbitrationDriver(timeout: configuration.timeout)
        questions = OpenQuestions(timeout: configuration.timeout)
    }

    isolated deinit { shutDown() }

    /// Connects to PipeWire and returns when all of its objects are known.
    ///
    /// If PipeWire ends later, the manager reconnects by itself; see
    /// ``Event/mediaServicesLost(at:)``.
    /// - Parameter configuration: The socket, name, timeout and priority of the connection.
    /// - Throws:
    ///   - `badParam` if ``Configuration/timeout`` is zero or less.
    ///   - `mediaServicesFailed` if PipeWire does not run or cannot be reached.
    ///   - `timedOut` if PipeWire does not answer within ``Configuration/timeout``, or, with
    ///     ``Configuration/waitsForPipeWire``, does not start within it.
    ///   - `forked` in a child of a process that had a manager.
    ///   - `resourcesExhausted` if the system has no thread or file left.
    ///   - `closed` if the task was cancelled.
    public static func connect(
        _ configuration: Configuration = Configuration()
    ) async throws(AudioSessionError) -> AudioSessionManager {
        guard !PipeWireLibrary.isForked else { throw .forked }
        try configuration.check()
        let environment: ManagerEnvironment
        do {
            environment = try .pipeWire(raisesThreadPriority: configuration.raisesThreadPriority)
        } catch {
            throw AudioSessionError(error, remote: configuration.remote)
        }
        return try await connect(configuration, in: environment)
    }

    package static func connect(
        _ configuration: Configuration, in environment: ManagerEnvironment
    ) async throws(AudioSessionError) -> AudioSessionManager {
        try configuration.check()
        let manager = AudioSessionManager(configuration, environment)
        let result = await withTaskCancellationHandler {
            await manager.open()
        } onCancel: {
            Task { await manager.close() }
        }
        try result.get()
        return manager
    }

    // MARK: Snapshots

    /// The route of the default output and input, which sessions without preferences use.
    public nonisolated var currentRoute: RouteDescription { snapshot.withLock(\.route) }

    /// The outputs that can be chosen now.
    public nonisolated var availableOutputs: [PortDescription] { snapshot.withLock(\.outputs) }

    /// The inputs that can be chosen now. Counterpart of `availableInputs`.
    public nonisolated var availableInputs: [PortDescription] { snapshot.withLock(\.inputs) }

    /// Whether silent mode is on. Active sessions of category ambient and soloAmbient are then
    /// silent, all others are heard. It is set by ``setSilentMode(_:)``.
    ///
    /// Counterpart of the ring and silent switch, whose position Apple reveals to no program.
    public nonisolated var isSilentMode: Bool { snapshot.withLock(\.isSilentMode) }

    // MARK: Events

    /// Returns the manager's events from now on, for one listener.
    /// - Parameter capacity: The maximum number of events in the buffer. Further events drop the
    ///   oldest ones.
    public nonisolated func events(bufferingNewest capacity: Int = 256) -> EventSequence<Event> {
        broadcaster.events(bufferingNewest: capacity)
    }

    /// Calls a handler for each event on the PipeWire loop's thread, with the least possible delay.
    ///
    /// The handler must not block: that thread closes the gates of players, and has a raised
    /// priority where the system permits it.
    /// - Parameter handler: Receives each event.
    /// - Returns: The observation. The handler is unregistered when its last reference is released.
    public nonisolated func observe(_ handler: @escaping @Sendable (Event) -> Void) -> EventObservation {
        broadcaster.observe(handler)
    }

    /// The executor of the manager's thread, for a task that receives events right after the
    /// handlers of ``observe(_:)``:
    ///
    ///     Task(executorPreference: manager.taskExecutor) {
    ///         for await event in session.events() { … }
    ///     }
    ///
    /// For other tasks, each event wakes another thread. A task on this executor must not block,
    /// because it runs on the PipeWire loop's thread, except where it calls an actor with an
    /// executor of its own.
    public nonisolated var taskExecutor: any TaskExecutor { environment.taskExecutor }

    /// Closes the connection and deactivates all sessions that use it: players fall silent, and
    /// recordings end.
    ///
    /// Event sequences end, and snapshots keep their last values. Closing twice has no effect.
    ///
    /// The call returns when PipeWire has received all requests of this manager, such as the return
    /// of a card to its former output, and has answered its questions; after 300 ms at most. If a
    /// program ends earlier, PipeWire can keep an old state of a card for all programs.
    public func close() async {
        guard !PipeWireLibrary.isForked else { return }
        end = graphConnection?.end ?? end
        shutDown()
        // A stream that the program keeps holds the connection.
        guard let end, let limit = environment.makeTimer({ end.pass() }) else { return }
        limit.arm(after: .milliseconds(300))
        await withCheckedContinuation { waiter in end.wait { waiter.resume() } }
        limit.disarm()
    }

    func shutDown() {
        guard !PipeWireLibrary.isForked else { return }
        isClosed = true
        sendToSessions(.lifecycle(.managerClosed))
        finishOpening(.failure(.managerClosed))
        stopReconnecting()
        disconnectArbitration()
        forgetCards()
        disconnect()
        send(questions: .disconnected)
        broadcaster.finish()
        soundingChanges.finish()
    }
}
