public import AudioSessions
import DesktopBus
package import PipeWireGraph

/// Pauses or ducks programs without sessions while a session is active.
///
/// Their media players (MPRIS: browsers, mpv, VLC, Spotify …) are paused, and resumed afterwards.
/// If the session ducks others, their streams are ducked instead.
///
///     let session = try AudioSession(
///         manager: manager, configuration: .init(.playAndRecord, mode: .voiceChat))
///     let unmanaged = try UnmanagedAudio(session: session)
///     try await session.activate()       // the browser is paused
///     try await session.deactivate()     // and plays again
///
/// Keep the object for as long as the session. It runs on a thread of its own.
///
/// **Pausing.** A player is paused only if it plays and a stream of its program runs on this
/// PipeWire. A telephone that the desktop shows as a player is therefore not paused, and neither
/// are programs with sessions, which arbitration governs. Streams of a paused player that still run
/// after 100 ms are muted until they stop or the session becomes inactive.
///
/// **Resuming.** A player is resumed only if this object paused it, the user has not changed it
/// since, and no other session needs it silent. Players that the user starts while the session is
/// active are left unchanged. If the session deactivates without notifying others, its players stay
/// paused. If a headset is in its mode for calls, players resume when it has left that mode. If
/// this process is killed, a watchdog resumes players and unmutes streams: see `Docs/Desktop.md`.
///
/// **Ducking.** All streams of programs without sessions are ducked by 14 dB, including those that
/// start later. No mixer or session manager stores the ducked volume. If the session manager itself
/// ducks streams by their roles, this object ducks none and sends
/// ``Event/leftToRolePolicy(at:)``.
///
/// **Failures.** Without a session bus no player is paused, and
/// ``Event/unavailable(reason:at:)`` reports the reason. A player that hangs delays neither
/// other players nor the end of this process, even if it replaces the files that are read about it.
///
/// Apple has no counterpart, because on iOS every program has a session.
public actor UnmanagedAudio {
    /// The session whose state decides what other programs do.
    public nonisolated let session: AudioSession
    let executor: LoopExecutor
    let environment: Environment
    let sandboxes: SandboxReader
    nonisolated let state: Locked<State>
    nonisolated let broadcaster = EventBroadcaster<Event>()
    /// Receives the session's events, until this object is closed or released.
    nonisolated let following = Locked<Task<Void, Never>?>(nil)
    let scope: UnmanagedScope
    var machine: UnmanagedPlayers
    var programs = UnmanagedProgramsStateMachine()
    var host: HostedProgramStateMachine
    var bus: DesktopBus?
    var watchdog: PlayerWatchdog?
    var ducker: StreamDucker?
    var muter: StreamDucker?
    var timers: [TimerID: LoopTimer] = [:]
    /// The players that were asked to pause, each with the deadline by which it must obey.
    var deadlines: [(time: MonotonicTime, owner: String)] = []
    /// Receives changes of the computer's outputs, until this object is closed.
    var outputsTask: Task<Void, Never>?
    var names = PlayerSurvey()
    /// The names of the previous survey, until the present one is complete.
    var formerNames = PlayerSurvey()
    /// The programs that have playback streams, and their traces.
    var playing = PlayingPrograms()
    var playingTraces: [StreamProcess: ProgramTrace] = [:]
    var surveyTask: Task<Void, Never>?
    /// The programs of the audible streams, by process.
    var traces: [StreamProcess: ProgramTrace] = [:]
    var audible: [ObjectID: StreamProcess?]?
    var traceTask: Task<Void, Never>?
    var isWatchingStreams = false
    /// The players that appeared later and are being identified.
    var lookups: Set<String> = []
    static let lookupLimit = 100
    /// The streams that follow the session, as a participant of it.
    var participant: HostedParticipant?
    /// The task by which the participant leaves the session when this object is closed.
    var departure: Task<Void, Never>?
    var sessionState = AudioSession.State.inactive
    var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0
    var isClosed = false

    /// A caller that waits until everything is restored.
    struct Waiter: Sendable {
        var continuation: CheckedContinuation<Bool, Never>
        /// Whether players that resume only on a headset are awaited too.
        var awaitsHeadset: Bool
    }

    struct State: Sendable {
        var paused: [Player] = []
        var ducked: [Stream] = []
    }

    /// The environment on which this object depends. Tests replace it.
    package struct Environment: Sendable {
        package var address: @Sendable () throws -> String
        /// Returns the programs that have playback streams.
        package var programs: @Sendable () async -> PlayingPrograms
        /// The time until the survey of players is repeated; `nil` for one survey.
        package var repetition: Duration? = UnmanagedPlayers.repetition
        /// How long players stay paused after an interruption that ended with advice: as long as a
        /// session keeps its claim.
        package var returnLimit = Duration.seconds(3)
        /// How long players that were paused for a call wait for their headset.
        package var headsetLimit = HeadsetMode.returnLimit
        package var remote: String?
        package var connect:
            @Sendable (LoopExecutor, @escaping (GraphEvent) -> Void, @escaping (String) -> Void) throws ->
                any GraphConnection
        /// Returns the path of the file in which Flatpak names the sandbox of a process.
        package var sandboxFile: @Sendable (Int) -> String = { "/proc/\($0)/root/.flatpak-info" }

        /// Holds no strong reference to the manager. If that reference outlived the executor, the
        /// manager would be released on no executor.
        init(_ manager: AudioSessionManager) {
            let configuration = manager.configuration
            self.init(
                address: { try DesktopBus.sessionAddress() },
                programs: { [weak manager] in await manager?.playingPrograms ?? PlayingPrograms() },
                pipeWire: .init(remote: configuration.remote, applicationName: configuration.applicationName))
        }

        package init(
            address: @escaping @Sendable () throws -> String,
            programs: @escaping @Sendable () async -> PlayingPrograms,
            pipeWire: Connection.Options = .init()
        ) {
            self.address = address
            self.programs = programs
            remote = pipeWire.remote
            connect = { executor, receive, failed in
                var options = pipeWire
                options.interests = RegistryInterest.ofDuckers
                return try Connection(options, on: executor, receive: receive, failed: failed)
            }
        }
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Begins to follow the session's state.
    ///
    /// Call it before the session is activated. An active session affects other programs only from
    /// its next activation on.
    ///
    /// - Parameters:
    ///   - session: The session whose state decides what other programs do, and whose configuration
    ///     has the policy (`AudioSession.Configuration.unmanagedAudioPolicy`).
    ///   - exceptions: The programs that are left unchanged.
    /// - Throws: `resourcesExhausted` if the system has no thread or file left.
    // It is hidden from the optimizer for the reason given at AudioSession.
    @_semantics("optimize.no.crossmodule")
    public init(
        session: AudioSession, exceptions: Exceptions = Exceptions()
    ) throws(AudioSessionError) {
        try self.init(session, .others(except: exceptions), in: Environment(session.manager))
    }

    /// Follows the session in an environment that tests can replace.
    ///
    /// - Parameters:
    ///   - session: The session whose state decides what other programs do.
    ///   - scope: The programs that are silenced. A hosted program and attached streams follow the
    ///     session.
    ///   - environment: The bus, the connection to PipeWire and the times that it uses.
    /// - Throws: `resourcesExhausted` if the system has no thread or file left.
    @_semantics("optimize.no.crossmodule")
    package init(
        _ session: AudioSession, _ scope: UnmanagedScope = .allOthers, in environment: Environment
    ) throws(AudioSessionError) {
        executor = try LoopExecutor.make(for: "Observing other programs' players")
        self.session = session
        self.environment = environment
        self.scope = scope
        machine = UnmanagedPlayers(scope)
        host = HostedProgramStateMachine(isAttached: scope.isAttached)
        sandboxes = SandboxReader(path: environment.sandboxFile)
        state = Locked(State())
        let events = session.events()
        let task = Task { [weak self] in
            await self?.followOutputs()
            if scope.followsSession { await self?.beginHosting() }
            var iterator = events.makeAsyncIterator()
            var droppedCount = 0
            // Streams may be attached to an active or interrupted session.
            if scope.isAttached { droppedCount = await self?.catchUp(iterator.backlog) ?? 0 }
            while let event = await iterator.next(isolation: nil) {
                if events.droppedCount == droppedCount {
                    await self?.handle(event)
                } else {
                    droppedCount = await self?.catchUp(iterator.backlog) ?? droppedCount
                }
            }
            if scope.isAttached { await self?.detach() }
            await self?.close()
        }
        following.withLock { $0 = task }
    }

    isolated deinit { shutDown() }

    // MARK: Control

    /// The players that this object currently keeps silent.
    public nonisolated var pausedPlayers: [Player] { state.withLock(\.paused) }

    /// The streams that this object currently ducks.
    public nonisolated var duckedStreams: [Stream] { state.withLock(\.ducked) }

    /// Resumes the players that this object paused, restores the streams that it ducked, and ends.
    ///
    /// The effect is that of the end of the process. All event sequences finish.
    public func close() { shutDown() }

    /// Waits until other programs are as they were before the session became active.
    ///
    /// Players are resumed by then, and PipeWire has the volumes of all streams. This takes some
    /// milliseconds after `AudioSession.deactivate(_:)`. Players that were paused for a call on a
    /// Bluetooth headset are resumed when it has left its mode for calls, after 8 seconds at most.
    /// If the program ends before, its watchdog resumes them at once, and WirePlumber 0.5.11 and
    /// later may pause them for good.
    ///
    /// - Parameter limit: The time limit, because other programs may not answer. A headset may need
    ///   10 seconds.
    /// - Returns: Whether everything was restored in time. After ``close()`` it is `true` at once.
    @discardableResult
    public func waitUntilRestored(within limit: Duration = .seconds(2)) async -> Bool {
        await waitUntilRestored(within: limit, awaitingHeadset: true)
    }

    /// Waits as ``waitUntilRestored(within:)`` does, with or without the players that resume only
    /// when a headset has left its mode for calls.
    @discardableResult
    package func waitUntilRestored(within limit: Duration = .seconds(2), awaitingHeadset: Bool) async -> Bool {
        lastWaiter += 1
        let waiter = lastWaiter
        let timeout = Task { [weak self] in
            try? await Task.sleep(for: limit.withinCentury)
            await self?.timedOut(waiter)
        }
        defer { timeout.cancel() }
        return await withCheckedContinuation { continuation in
            waiters[waiter] = Waiter(continuation: continuation, awaitsHeadset: awaitingHeadset)
            finishIfIdle()
        }
    }

    /// Whether players resume only when a headset has left its mode for calls.
    package var isAwaitingHeadset: Bool { machine.isAwaitingHeadset }

    /// Waits until the players that resume on a headset are resumed, if there are any.
    ///
    /// If the task is cancelled meanwhile, this object is closed. The watchdog then resumes the
    /// players at once.
    package func waitForHeadset() async {
        guard isAwaitingHeadset else { return }
        await withTaskCancellationHandler {
            _ = await waitUntilRestored(within: environment.headsetLimit + .seconds(1))
        } onCancel: {
            Task { await self.close() }
        }
    }

    private func timedOut(_ waiter: Int) {
        waiters.removeValue(forKey: waiter)?.continuation.resume(returning: false)
    }

    // MARK: Events

    /// Returns a sequence of all later events, for one listener.
    ///
    /// - Parameter capacity: The number of events that are kept for a slow listener. Beyond it the
    ///   oldest events are dropped.
    /// - Returns: The sequence. It finishes when this object is closed.
    public nonisolated func events(bufferingNewest capacity: Int = 256) -> EventSequence<Event> {
        broadcaster.events(bufferingNewest: capacity)
    }

    /// Calls `handler` for each later event, on a thread of the library.
    ///
    /// - Parameter handler: The handler. It must not block.
    /// - Returns: The observation. When it is released, the handler is not called any more.
    public nonisolated func observe(_ handler: @escaping @Sendable (Event) -> Void) -> EventObservation {
        broadcaster.observe(handler)
    }
}
