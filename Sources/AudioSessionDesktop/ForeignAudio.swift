public import AudioSessions
import DesktopBus
package import PipeWireGraph

/// What a session's turn means to programs that know nothing of sessions: their media players (MPRIS: browsers, mpv, VLC,
/// Spotify …) are paused, and play again afterwards; or their streams are lowered, if the session ducks others.
///
///     let session = try AudioSession(manager: manager, configuration: .init(.playAndRecord, mode: .voiceChat))
///     let foreign = try ForeignAudio(session: session)
///     try await session.activate()       // the browser is paused
///     try await session.deactivate()     // and plays again
///
/// Keep it for as long as the session. Paused are only players that play, and of whose program a stream runs on this
/// PipeWire: not the telephone that shows on the desktop, and not programs with sessions, which take turns by themselves.
/// Streams of theirs that still run 100 ms later are muted until they stop or the turn ends.
///
/// Let play again are only those that it paused itself, unless somebody touched them meanwhile, or another session
/// still wants silence. They play again, and are muted no longer, also when this process is killed: see
/// `Docs/Desktop.md`. What the user starts during the turn is left alone. Deactivating without notice leaves them paused.
///
/// Lowered are all streams of programs without sessions, also those that come meanwhile, by 14 dB and without being
/// remembered by anybody. Where the session manager itself lowers streams by their roles none are, and
/// `ForeignAudioEvent.leftToRolePolicy` says so.
///
/// Without a session bus no player is paused, and `ForeignAudioEvent.unavailable(reason:)` says why. It runs on a thread
/// of its own. A player that hangs holds up neither others nor the end of this process, whatever it puts in the place of
/// files that are read of it. Apple has no counterpart: there is no program without a session.
public actor ForeignAudio {
    /// What a `ForeignAudio` tells.
    public typealias Event = ForeignAudioEvent

    /// The session whose turn counts.
    public nonisolated let session: AudioSession
    let executor: LoopExecutor
    let world: World
    let sandboxes: SandboxReader
    nonisolated let state: Locked<State>
    nonisolated let broadcaster = EventBroadcaster<Event>()
    let scope: ForeignScope
    var machine: ForeignPlayers
    var host = HostedProgramStateMachine()
    var bus: DesktopBus?
    var watchdog: PlayerWatchdog?
    var ducker: StreamDucker?
    var muter: StreamDucker?
    var timer: LoopTimer?
    /// The players that were told to pause, and until when they have time to obey.
    var deadlines: [(time: MonotonicTime, owner: String)] = []
    var deadlineTimer: LoopTimer?
    var names = PlayerSurvey()
    var programs: [(trace: ProgramTrace, isVerified: Bool)] = []
    var turn: Task<Void, Never>?
    /// Of the streams that can be heard.
    var traces: [StreamProcess: ProgramTrace] = [:]
    var audible: [ObjectID: StreamProcess?]?
    var hearing: Task<Void, Never>?
    var isWatchingStreams = false
    /// How many names and players the survey still looks at, and how many were looked up after it.
    var surveying = 0
    var lookups = 0
    static let lookupLimit = 100
    var surveyTimer: LoopTimer?
    var sessionState = AudioSession.State.inactive
    var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
    private var lastWaiter = 0
    var isClosed = false

    struct State: Sendable {
        var policy: ForeignAudioPolicy?
        var paused: [ForeignPlayer] = []
        var ducked: [ForeignStream] = []
    }

    /// What it needs of the machine, so that a test can be that.
    package struct World: Sendable {
        package var address: @Sendable () throws -> String
        /// The processes of others whose streams run.
        package var processes: @Sendable () async -> Set<StreamProcess>
        package var remote: String?
        package var connect:
            @Sendable (LoopExecutor, @escaping (GraphEvent) -> Void, @escaping (String) -> Void) throws ->
                any GraphConnection
        /// The file in which Flatpak says which sandbox a process runs in.
        package var sandboxFile: @Sendable (Int) -> String = { "/proc/\($0)/root/.flatpak-info" }

        /// Without a reference to the manager: released after the executor, the last one would be released on no executor.
        init(_ manager: AudioSessionManager) {
            let configuration = manager.configuration
            self.init(
                address: { try DesktopBus.sessionAddress() },
                processes: { [weak manager] in await manager?.foreignProcesses ?? [] },
                pipeWire: .init(remote: configuration.remote, applicationName: configuration.applicationName))
        }

        package init(
            address: @escaping @Sendable () throws -> String,
            processes: @escaping @Sendable () async -> Set<StreamProcess>,
            pipeWire: Connection.Options = .init()
        ) {
            self.address = address
            self.processes = processes
            remote = pipeWire.remote
            connect = { executor, receive, failed in
                var options = pipeWire
                options.interests = RegistryInterest.ofDuckers
                return try Connection(options, on: executor, receive: receive, failed: failed)
            }
        }
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - session: whose turn counts.
    ///   - policy: see ``setPolicy(_:)``.
    ///   - exceptions: programs that are left as they are.
    /// - Throws: `resourcesExhausted` if the system has no thread or file left.
    // For the reason given at AudioSession's.
    @_semantics("optimize.no.crossmodule")
    public init(
        session: AudioSession, policy: ForeignAudioPolicy? = nil,
        exceptions: ForeignAudioExceptions = ForeignAudioExceptions()
    ) throws(AudioSessionError) {
        try self.init(session, policy, .others(except: exceptions), in: World(session.manager))
    }

    /// - Parameter scope: whose sound. A hosted program's follows the session.
    @_semantics("optimize.no.crossmodule")
    package init(
        _ session: AudioSession, _ policy: ForeignAudioPolicy?, _ scope: ForeignScope = .allOthers, in world: World
    ) throws(AudioSessionError) {
        do {
            executor = try LoopExecutor()
        } catch {
            throw AudioSessionError(
                .resourcesExhausted, rule: "Other programs' players are listened to by a thread of its own.",
                fix: "Close files or threads, or raise the process's limits.")
        }
        self.session = session
        self.world = world
        self.scope = scope
        machine = ForeignPlayers(scope)
        sandboxes = SandboxReader(path: world.sandboxFile)
        state = Locked(State(policy: policy))
        let events = session.events()
        Task { [weak self] in
            if scope.isHosted { await self?.beginHosting() }
            for await event in events { await self?.hear(event) }
            await self?.close()
        }
    }

    isolated deinit { shutDown() }

    // MARK: Control

    /// From the next activation on.
    /// - Parameter policy: `nil`: `duck` for sessions that duck others, `leave` for others that mix, `pause` for all
    ///   others.
    public nonisolated func setPolicy(_ policy: ForeignAudioPolicy?) { state.withLock { $0.policy = policy } }

    /// What the session's next activation does; follows its configuration unless it was set.
    public nonisolated var policy: ForeignAudioPolicy {
        if let policy = state.withLock(\.policy) { return policy }
        let configuration = session.configuration
        return configuration.ducksOthers ? .duck : configuration.isMixable ? .leave : .pause
    }

    /// Those that are silent for this session now.
    public nonisolated var pausedPlayers: [ForeignPlayer] { state.withLock(\.paused) }

    /// Those that are lower for this session now.
    public nonisolated var duckedStreams: [ForeignStream] { state.withLock(\.ducked) }

    /// Lets those play that it paused, and those be loud that it lowered, as the end of the process would. Event sequences end.
    public func close() { shutDown() }

    /// Returns when everything is as it was before the session's turn: players play again, and PipeWire has the volumes of
    /// all streams. That takes some milliseconds after `AudioSession.deactivate(_:)`.
    ///
    /// - Parameter limit: how long to wait at most, because other programs may not answer.
    /// - Returns: whether everything was put back in time. `true` at once after ``close()``.
    @discardableResult
    public func waitUntilRestored(within limit: Duration = .seconds(2)) async -> Bool {
        lastWaiter += 1
        let waiter = lastWaiter
        let timeout = Task { [weak self] in
            try? await Task.sleep(for: limit)
            await self?.giveUp(waiter)
        }
        defer { timeout.cancel() }
        return await withCheckedContinuation { continuation in
            waiters[waiter] = continuation
            finishIfIdle()
        }
    }

    private func giveUp(_ waiter: Int) { waiters.removeValue(forKey: waiter)?.resume(returning: false) }

    // MARK: Events

    /// Everything that happens from now on, for one listener.
    /// - Parameter capacity: how many events wait for a slow listener before the oldest are dropped.
    public nonisolated func events(bufferingNewest capacity: Int = 256) -> EventSequence<Event> {
        broadcaster.events(bufferingNewest: capacity)
    }

    /// Calls `handler` on a thread of the library's. It must not block.
    /// - Returns: keep it: when it goes, the handler is not called any more.
    public nonisolated func observe(_ handler: @escaping @Sendable (Event) -> Void) -> EventObservation {
        broadcaster.observe(handler)
    }
}
