package import AudioSessionCore
import PipeWireGraph

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
        /// How long each call that waits for PipeWire waits at most, ``AudioSessionManager/connect(_:)`` and those of
        /// sessions among them. Then it fails with `timedOut`.
        public var timeout: Duration
        /// Whether ``AudioSessionManager/connect(_:)`` waits until PipeWire runs, for no longer than ``timeout``; otherwise
        /// it fails at once without. A PipeWire that ends later is waited for in either case.
        public var waitsForPipeWire: Bool
        /// Whether it waits for that without limit: for connections that no caller waits for.
        package var waitsWithoutLimit = false
        /// Whether the manager's thread asks for the priority of PipeWire's own processes (nice -11), so that gates close
        /// before the session manager moves a stream. Has no effect where the system does not permit that, and in a
        /// program that was given another nice value than 0 or another policy than `SCHED_OTHER`: it keeps its own. Other
        /// threads are not affected.
        public var raisesThreadPriority: Bool

        /// A configuration of which nothing has to be set.
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
    }

    /// What a manager tells.
    public enum Event: Sendable, Hashable {
        /// The output that sound goes to is gone; comes before the ``routeChanged(_:)`` that belongs to it.
        case becameNoisy(PortDescription, at: MonotonicTime)
        /// The machine's default route is another one.
        case routeChanged(RouteChange)
        /// Something can be chosen that could not be before, or cannot any more. The route need not have changed.
        case availablePortsChanged
        /// The machine's silent mode was turned on or off, by whomever.
        case silentModeChanged(Bool)
        /// PipeWire is gone. What can be read keeps its last values, and what needs PipeWire fails, until
        /// ``mediaServicesReset``. Nothing has to be done about it.
        case mediaServicesLost
        /// PipeWire is back, and everything is known again. Sessions have their places, players are ready, but start no
        /// sound by themselves. Alternates with ``mediaServicesLost``.
        case mediaServicesReset
    }

    /// What the manager was connected with.
    public nonisolated let configuration: Configuration
    package nonisolated let environment: ManagerEnvironment
    nonisolated let snapshot = Locked(Snapshot())
    nonisolated let broadcaster = EventBroadcaster<Event>()
    /// Whether any session plays or records, when that changes.
    package nonisolated let soundingChanges = EventBroadcaster<Bool>()
    var machine = GraphModel()
    var followers: [FollowerID: WeakFollower] = [:]
    var lastFollower: UInt64 = 0
    /// As whom the participants of sessions follow their routes.
    var participantFollowers: [ParticipantID: FollowerID] = [:]
    var graphConnection: (any GraphConnection)?
    var timers: [TimerID: any GraphTimer] = [:]
    var board: BoardPart
    var cards = CardPart()
    var silentMode = SilentMode()
    var questions: OpenQuestions
    var askers: [UInt64: CheckedContinuation<OpenQuestions.Outcome, Never>] = [:]
    var lastQuestion: UInt64 = 0
    /// Whether anything was muted when that was last looked at.
    var wasAnythingMuted = false
    /// Streams of this process of which is told whether they are muted.
    var watchedStreams: Set<ObjectID> = []
    /// Recorders, while they record.
    var inputFollowers: [ObjectIdentifier: WeakFollower] = [:]
    var machineSound = SoundState()
    /// Sessions that play or record, whose numbers move without news.
    var soundingSessions: Set<SessionUUID> = []
    var isLookingAgain = false
    var reconnection = ReconnectionStateMachine()
    var socketWatch: (any GraphWatch)?
    /// From the loss of PipeWire until everything is known again.
    var isLost = false
    var isClosed = false
    var sleep = SleepPart()
    /// Unsafe, for `finishOpening` sees to all that would be checked, and a checked one makes every program start later: the class
    /// would have to be laid out at run time.
    var opening: UnsafeContinuation<Result<Void, AudioSessionError>, Never>?

    struct Snapshot {
        var isConnected = false
        var route = RouteDescription()
        var outputs: [PortDescription] = []
        var inputs: [PortDescription] = []
        var isSilentMode = false
        var isInputMuted = false
        var sound = SoundState()
        /// It has just come, and puts volumes and defaults back one after the other.
        var isSessionManagerNew = false

        /// A route that outlasts its session manager keeps its numbers too.
        func keeping(_ new: SoundState, besides old: SoundState) -> SoundState {
            let kept = new.keeping(
                old, areOutputs: !outputs.isEmpty || !route.outputs.isEmpty,
                areInputs: !inputs.isEmpty || !route.inputs.isEmpty)
            return isSessionManagerNew ? kept.holding(old) : kept
        }
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { environment.executor.asUnownedSerialExecutor() }

    // For the reason given at AudioSession's.
    @_semantics("optimize.no.crossmodule")
    private init(_ configuration: Configuration, _ environment: ManagerEnvironment) {
        self.configuration = configuration
        self.environment = environment
        board = BoardPart(timeout: configuration.timeout)
        questions = OpenQuestions(timeout: configuration.timeout)
    }

    isolated deinit { close() }

    /// Connects to PipeWire and returns when everything on the machine is known.
    ///
    /// Should PipeWire end later, the manager finds it again by itself; see ``Event/mediaServicesLost``.
    /// - Throws: `mediaServicesFailed` if PipeWire does not run or cannot be reached, `timedOut` if it does not
    ///   answer within ``Configuration/timeout``, `forked` in a child of a process that had a manager,
    ///   `resourcesExhausted` if the system has no thread or file left, `closed` if the task was cancelled.
    public static func connect(
        _ configuration: Configuration = Configuration()
    ) async throws(AudioSessionError) -> AudioSessionManager {
        guard !PipeWireLibrary.isForked else { throw .forked }
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

    /// Where sound goes that asks for nothing special: the route of the default output and input.
    public nonisolated var currentRoute: RouteDescription { snapshot.withLock(\.route) }

    /// Every output that could be chosen now.
    public nonisolated var availableOutputs: [PortDescription] { snapshot.withLock(\.outputs) }

    /// Every input that could be chosen now.
    public nonisolated var availableInputs: [PortDescription] { snapshot.withLock(\.inputs) }

    /// Whether the machine is in silent mode: active sessions of category ambient and soloAmbient are mute, all others
    /// sound. Set by ``setSilentMode(_:)``.
    ///
    /// Counterpart of the ring and silent switch, which Apple shows to no program.
    public nonisolated var isSilentMode: Bool { snapshot.withLock(\.isSilentMode) }

    // MARK: Events

    /// Everything that happens from now on, for one listener.
    /// - Parameter capacity: how many events wait for a slow listener before the oldest are dropped.
    public nonisolated func events(bufferingNewest capacity: Int = 256) -> EventSequence<Event> {
        broadcaster.events(bufferingNewest: capacity)
    }

    /// Calls `handler` on the PipeWire loop's thread, with the least delay there is. It must not block: that thread closes the
    /// gates of players, and is more urgent than others of the program where the system allows that.
    /// - Returns: keep it: when it goes, the handler is not called any more.
    public nonisolated func observe(_ handler: @escaping @Sendable (Event) -> Void) -> EventObservation {
        broadcaster.observe(handler)
    }

    /// The manager's own thread, for a task that is to hear of events right after the handlers of ``observe(_:)``:
    ///
    ///     Task(executorPreference: manager.taskExecutor) {
    ///         for await event in session.events() { … }
    ///     }
    ///
    /// For any other task another thread is woken at each event. All that such a task does runs on the PipeWire loop's thread, unless
    /// an actor with an executor of its own does it, and must not block, as a handler must not.
    public nonisolated var taskExecutor: any TaskExecutor { environment.taskExecutor }

    /// Ends the connection, and with it the turn of all sessions that use it: players fall silent, recordings end. Event
    /// sequences end, the manager's snapshots keep their last values. Closing twice does nothing.
    public func close() {
        guard !PipeWireLibrary.isForked else { return }
        isClosed = true
        tellSessions(.lifecycle(.managerClosed))
        tellFollowers(.connectionLost)
        finishOpening(.failure(.managerClosed))
        stopReconnecting()
        disconnectBoard()
        forgetCards()
        disconnect()
        tell(questions: .disconnected)
        broadcaster.finish()
        soundingChanges.finish()
    }
}
