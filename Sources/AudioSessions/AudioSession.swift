public import AudioSessionCore
import Glibc
import PipeWireGraph

/// The default group of this program's sessions, read from the environment once.
private let environmentGroup = getenv(AudioSessionConfiguration.groupVariable).map { String(cString: $0) }

/// A session declares what a program's sound is for, and takes part in arbitration with the
/// sessions of all programs.
///
///     let session = try AudioSession(manager: manager, configuration: .init(.playback))
///     try await session.activate()
///     for await event in session.events() { … }
///
/// An active session is heard. When a session of another program interrupts it, it is silent and
/// notifies its listeners (``AudioSessionEvent/interruptionBegan(reason:by:at:)``), and again when
/// it may resume. A program may have several sessions. Those of one process, or of one named group,
/// never act on one another. Only an activation makes a session active: configuring, observing and
/// reading do not.
///
/// The actor runs on its manager's thread. `nonisolated` members read a snapshot from any thread
/// and never wait. When its last reference is released, the session gives up its place.
///
/// Counterpart of `AVAudioSession`.
public actor AudioSession {
    /// The declaration of what a session's sound is for.
    public typealias Configuration = AudioSessionConfiguration

    /// The session's identity, unique on the computer.
    public nonisolated let id: ID
    /// The manager of this session, whose connection it uses.
    public nonisolated let manager: AudioSessionManager
    nonisolated let snapshot: Locked<Snapshot>
    nonisolated let broadcaster = EventBroadcaster<Event>()
    var machine: SessionStateMachine
    var inbox: [SessionInput] = []
    var isReceiving = false
    var soundReporter = SoundReporter()
    var participants: [ParticipantID: WeakParticipant] = [:]
    /// The number of holds that keep the session active.
    var holds = 0

    public nonisolated var unownedExecutor: UnownedSerialExecutor { manager.unownedExecutor }

    /// Makes an inactive session.
    /// - Parameters:
    ///   - manager: The manager whose connection the session uses.
    ///   - configuration: The session's category, mode, policy, options, priority and group.
    /// - Throws: `badParam` if the configuration is illegal.
    // Swift 6.3.1's optimizer stops with "circular reference" if another module sees the
    // initializer of an actor with an isolated deinit. This attribute hides it.
    @_semantics("optimize.no.crossmodule")
    public init(
        manager: AudioSessionManager, configuration: Configuration = Configuration()
    ) throws(AudioSessionError) {
        try self.init(manager: manager, configuration: configuration, preferring: SoundPreferences())
    }

    /// Makes a session with preferred numbers.
    @_semantics("optimize.no.crossmodule")
    init(
        manager: AudioSessionManager, configuration: Configuration, preferring preferences: SoundPreferences
    ) throws(AudioSessionError) {
        let configuration = try configuration.inDefaultGroup(environmentGroup)
        try configuration.validate()
        self.init(manager, configuration, preferences)
    }

    /// Makes a session of category playback or record, which are always legal.
    @_semantics("optimize.no.crossmodule")
    package init(for direction: PortDirection, on manager: AudioSessionManager) {
        let configuration = Configuration(direction == .output ? .playback : .record)
        // Without the group of the environment if that is illegal.
        self.init(manager, (try? configuration.inDefaultGroup(environmentGroup)) ?? configuration)
    }

    /// Makes a session from a legal configuration.
    private init(
        _ manager: AudioSessionManager, _ configuration: Configuration,
        _ preferences: SoundPreferences = SoundPreferences()
    ) {
        self.manager = manager
        var generator = SystemRandomNumberGenerator()
        id = ID.random(using: &generator)
        machine = SessionStateMachine(configuration, preferring: preferences)
        snapshot = Locked(Snapshot(machine: machine))
        // It receives events before its first call. The task does not keep the session.
        guard !PipeWireLibrary.isForked else { return }
        Task(executorPreference: manager.environment.taskExecutor) { [weak self] in await self?.open() }
    }

    isolated deinit { shutDown() }

    // MARK: Configuration

    /// The session's configuration. It is set by ``configure(_:)``.
    public nonisolated var configuration: Configuration { snapshot.withLock(\.machine.configuration) }

    /// Sets what the session's sound is for.
    ///
    /// If the session is active, this activates it with the new configuration: it moves to the top
    /// of the stack and may interrupt other sessions. Setting an equal configuration has no effect.
    /// For a session that is not active, the configuration is stored for the next activation.
    /// - Parameter configuration: The new configuration.
    /// - Throws: `badParam` if it is illegal, and the errors of ``activate()``. The old
    ///   configuration then stays.
    public func configure(_ configuration: Configuration) async throws(AudioSessionError) {
        try await changeConfiguration { $0 = configuration }
    }

    /// Changes the configuration that was set last, whether or not PipeWire has granted it.
    ///
    /// A caller outside the actor that reads the configuration and then sets it would undo what
    /// another thread sets in between.
    /// - Parameter change: Changes the configuration.
    /// - Throws: The errors of ``configure(_:)``.
    package func changeConfiguration(
        _ change: @Sendable (inout Configuration) -> Void
    ) async throws(AudioSessionError) {
        try checkUsable()
        // Nothing is awaited between here and the request.
        var configuration = machine.configuration
        change(&configuration)
        configuration = try configuration.inDefaultGroup(environmentGroup)
        try configuration.validate()
        let old = self.configuration
        let isSame = configuration == old.withPolicies(of: configuration)
        // While PipeWire may still refuse the former one, it is asked for an equal one as well.
        if isSame, !machine.isReconfiguring {
            guard configuration != old else { return }
            return receive(.configuration(.policies(configuration)))
        }
        open()
        receive(.configuration(.requested(configuration)))
        do {
            let traits = TokenTraits(configuration)
            try await ask(isSame ? .configureAgain(traits) : .configure(traits))
        } catch {
            receive(.configuration(.denied))
            throw error
        }
        receive(.configuration(.granted(configuration)))
    }

    /// Sets category, mode, route-sharing policy and options. Priority and group stay as they are.
    ///
    /// **A parameter that is left out is reset to its default.** Counterpart of
    /// `setCategory(_:mode:policy:options:)`.
    /// - Parameters:
    ///   - category: The kind of sound.
    ///   - mode: The special purpose within the category.
    ///   - policy: The rule by which the session shares its route.
    ///   - options: The options for mixing and for the permitted ports.
    /// - Throws: The errors of ``configure(_:)``.
    public func setCategory(
        _ category: Configuration.Category, mode: Configuration.Mode = .default,
        policy: Configuration.RouteSharingPolicy = .default, options: Configuration.CategoryOptions = []
    ) async throws(AudioSessionError) {
        try await changeConfiguration { $0.setCategory(category, mode: mode, policy: policy, options: options) }
    }

    // MARK: Activation

    /// Activates the session, and returns when it is active.
    ///
    /// An active session keeps its place. Activating an interrupted session ends its interruption,
    /// and may interrupt the session that caused it. A program that renders by itself also
    /// activates its session when it plays again after ``AudioSessionEvent/becameNoisy(_:at:)``,
    /// because otherwise it is not advised to resume after the next interruption. Counterpart of
    /// `setActive(true)`.
    /// - Throws:
    ///   - `insufficientPriority` if a session of higher priority is active, such as a call.
    ///   - `cannotInterruptOthers` if the program is in the background, and neither now playing nor
    ///     advised to resume.
    ///   - `mediaServicesFailed` without PipeWire.
    ///   - `timedOut` if PipeWire does not answer within the manager's timeout. The session's state
    ///     is then unchanged.
    ///   - `expiredSession` after ``close()``.
    ///   - `resourcesExhausted` if the manager has 256 other sessions, the limit of tokens is
    ///     reached, or 32 other calls of this session wait.
    ///   - `forked` in a child of the process that made the session.
    public func activate() async throws(AudioSessionError) {
        try checkUsable()
        open()
        receive(.lifecycle(.activating))
        try await ask(.activate)
    }

    /// Deactivates the session. Running streams are stopped first, which the result reports.
    ///
    /// Deactivating an inactive session has no effect. The call returns when PipeWire has received
    /// the release, so that other sessions are notified even if the program then ends. Counterpart
    /// of `setActive(false, options:)`.
    /// - Parameter options: By default the sessions that this one interrupted are advised to
    ///   resume.
    /// - Returns: The streams that were stopped.
    /// - Throws: `badParam` for unknown bits in `options`; `timedOut` if PipeWire does not answer
    ///   within the manager's timeout; `mediaServicesFailed` if PipeWire ends before it answers.
    ///   Even then the session is inactive, and silent from the call on. `forked` in a child of the
    ///   process that made the session.
    @discardableResult
    public func deactivate(
        _ options: DeactivationOptions = .notifyOthersOnDeactivation
    ) async throws(AudioSessionError) -> DeactivationReport {
        try options.validate()
        guard !PipeWireLibrary.isForked else { throw .forked }
        guard machine.isOpen else { return DeactivationReport(stoppedStreams: []) }
        let stopped = liveParticipants.compactMap(\.facts.title)
        let notify = options.contains(.notifyOthersOnDeactivation)
        receive(.lifecycle(.deactivating(notify: notify)))
        try await ask(.deactivate(notify: notify))
        return DeactivationReport(stoppedStreams: stopped)
    }

    /// Closes the session permanently. Event sequences end. Closing twice has no effect.
    ///
    /// The configuration decides whether the sessions that this one interrupted are advised to
    /// resume (``AudioSessionConfiguration/notifiesOthersWhenLost``). Call ``deactivate(_:)``
    /// before to choose.
    public func close() { shutDown() }

    // MARK: Snapshots

    /// The session's state: inactive, active or interrupted.
    public nonisolated var state: State { snapshot.withLock(\.machine.state) }

    /// The gain that arbitration applies to this session, 0 to 1, a linear amplitude; 0 if silent
    /// mode silences it.
    ///
    /// `AudioPlayer` applies it. Programs that render their own sound multiply their samples by it.
    public nonisolated var gain: Float { snapshot.withLock(\.machine.gain) }

    /// Whether the last deactivation did not notify other sessions.
    package nonisolated var leavesSilently: Bool { snapshot.withLock(\.machine.leavesSilently) }

    /// The reasons why this session is silent or ducked, most important first; empty if it is heard
    /// unchanged.
    public nonisolated var silenceReasons: [SilenceReason] { snapshot.withLock(\.machine.silenceReasons) }

    /// Whether another program plays, with or without a session. Counterpart of
    /// `isOtherAudioPlaying`.
    public nonisolated var isOtherAudioPlaying: Bool { snapshot.withLock(\.machine.otherAudio.isPlaying) }

    /// Whether a program should silence its secondary sound, such as a game's music, because
    /// another program plays. Counterpart of `secondaryAudioShouldBeSilencedHint`.
    public nonisolated var secondaryAudioShouldBeSilencedHint: Bool {
        snapshot.withLock(\.machine.otherAudio.isPrimaryPlaying)
    }

    // MARK: Events

    /// Returns the session's events from now on, for one listener.
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
}
