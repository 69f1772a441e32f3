public import AudioSessionCore
import PipeWireGraph

/// What a part of a program is heard for, and its turn among all others on the machine.
///
///     let session = try AudioSession(manager: manager, configuration: .init(.playback))
///     try await session.activate()
///     for await event in session.events() { … }
///
/// An active session is heard. When a session of another program interrupts it, the session is silent and notifies its
/// listeners (``AudioSessionEvent/interruptionBegan(reason:by:at:)``), and again when it may resume. A program may have
/// several sessions; those of one process, or of one named group, never act on one another. Configuring, observing and
/// reading activate nothing.
///
/// The session runs on its manager's thread. What may be read from anywhere without waiting is `nonisolated`. When
/// the last reference goes, the session gives up its place.
///
/// Counterpart of `AVAudioSession`.
public actor AudioSession {
    /// What a session's sound is for.
    public typealias Configuration = AudioSessionConfiguration

    /// Tells the session apart from all others on the machine.
    public nonisolated let id: ID
    /// The manager that it was made with, and whose connection it uses.
    public nonisolated let manager: AudioSessionManager
    nonisolated let token: SessionUUID
    nonisolated let snapshot: Locked<Snapshot>
    nonisolated let broadcaster = EventBroadcaster<Event>()
    var machine: SessionStateMachine
    var inbox: [SessionInput] = []
    var isReceiving = false
    var soundReporter = SoundReporter()
    var participants: [ParticipantID: WeakParticipant] = [:]
    /// How many parts of the program need it to be active.
    var holds = 0

    public nonisolated var unownedExecutor: UnownedSerialExecutor { manager.unownedExecutor }

    /// - Throws: `badParam` if the configuration is illegal.
    // Swift 6.3.1's optimiser stops with "circular reference" where it sees, from another module, how an actor is made that
    // has an isolated deinit. It is not to see that.
    @_semantics("optimize.no.crossmodule")
    public init(
        manager: AudioSessionManager, configuration: Configuration = Configuration()
    ) throws(AudioSessionError) {
        try self.init(manager: manager, configuration: configuration, preferring: SoundPreferences())
    }

    /// A session that prefers such numbers from its beginning.
    @_semantics("optimize.no.crossmodule")
    package init(
        manager: AudioSessionManager, configuration: Configuration, preferring preferences: SoundPreferences
    ) throws(AudioSessionError) {
        try configuration.validate()
        self.init(manager, configuration, preferences)
    }

    /// A session of category playback, which is legal.
    @_semantics("optimize.no.crossmodule")
    package init(playbackOn manager: AudioSessionManager) { self.init(manager, Configuration(.playback)) }

    /// A session of category record, which is legal.
    @_semantics("optimize.no.crossmodule")
    package init(recordingOn manager: AudioSessionManager) { self.init(manager, Configuration(.record)) }

    /// - Parameter configuration: a legal one.
    private init(
        _ manager: AudioSessionManager, _ configuration: Configuration,
        _ preferences: SoundPreferences = SoundPreferences()
    ) {
        self.manager = manager
        id = ID.random()
        token = id.token
        snapshot = Locked(Snapshot(configuration: configuration, soundPreferences: preferences))
        machine = SessionStateMachine(configuration, preferring: preferences)
    }

    isolated deinit { shutDown() }

    // MARK: Configuration

    /// What the session's sound is for. Set by ``configure(_:)``.
    public nonisolated var configuration: Configuration { snapshot.withLock(\.configuration) }

    /// Sets what the sound is for. If the session is active this is an activation with the new configuration: it goes
    /// on top of all others, whom it may interrupt. The same configuration again does nothing. Otherwise it is kept
    /// for the next activation.
    /// - Throws: `badParam` if it is illegal; what ``activate(_:)`` throws. The old configuration then stays.
    public func configure(_ configuration: Configuration) async throws(AudioSessionError) {
        try checkUsable()
        let old = self.configuration
        guard configuration != old else { return }
        try configuration.validate()
        open()
        receive(.configuration(.requested(configuration)))
        do {
            try await ask(.configure(TokenTraits(configuration)))
        } catch {
            receive(.configuration(.denied(old: old, new: configuration)))
            throw error
        }
        receive(.configuration(.granted(old: old)))
    }

    /// Sets category, mode, policy and options; **none of them is kept** if it is left out. Priority and group stay.
    /// - Throws: what ``configure(_:)`` throws.
    public func setCategory(
        _ category: Configuration.Category, mode: Configuration.Mode = .default,
        policy: Configuration.RouteSharingPolicy = .default, options: Configuration.CategoryOptions = []
    ) async throws(AudioSessionError) {
        var configuration = configuration
        configuration.setCategory(category, mode: mode, policy: policy, options: options)
        try await configure(configuration)
    }

    // MARK: Activation

    /// Asks for the turn, and returns when the session has it. An active session stays where it is; an interrupted one
    /// takes back.
    /// - Throws: `insufficientPriority` if one of higher priority, such as a call, has it; `cannotInterruptOthers` in the
    ///   background; `mediaServicesFailed` without PipeWire; `timedOut` if PipeWire does not answer within the manager's
    ///   timeout, and then the session is what it was; `expiredSession` after ``close()``; `resourcesExhausted` if the
    ///   manager has 256 other sessions, or there are more tokens than count; `forked` in
    ///   a child of the process that made the session.
    public func activate(_ options: ActivationOptions = []) async throws(AudioSessionError) {
        try options.validate()
        try checkUsable()
        open()
        try await ask(.activate)
    }

    /// Gives up the turn. Streams that still run are stopped first, which is reported and is no failure. Deactivating
    /// an inactive session does nothing. Returns when PipeWire has taken note, so that others hear of it even if the
    /// program then ends.
    /// - Parameter options: by default those whom the session interrupted are told that they may resume.
    /// - Throws: `badParam` for bits that mean nothing; `timedOut` if PipeWire does not answer within the manager's
    ///   timeout, `mediaServicesFailed` if it ends before it does. The session is inactive even then, and silent from the
    ///   call on.
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

    /// Ends the session for good. Event sequences end. Closing twice does nothing.
    public func close() { shutDown() }

    // MARK: Snapshots

    /// Whether the session has its turn.
    public nonisolated var state: State { snapshot.withLock(\.state) }

    /// What others lower this session's sound to, 0 to 1; 0 if silent mode silences it. Programs that render by
    /// themselves multiply with it; `AudioPlayer` does so by itself.
    public nonisolated var gain: Float { snapshot.withLock(\.gain) }

    /// Whether it was last deactivated without notice to others.
    package nonisolated var leavesSilently: Bool { snapshot.withLock(\.leavesSilently) }

    /// Why nothing, or less, is heard of this session, most important first; empty if it is heard as it is.
    public nonisolated var silence: [Silence] { snapshot.withLock(\.silence) }

    /// Whether another program plays, be it by a session or by a stream that knows nothing of sessions.
    public nonisolated var isOtherAudioPlaying: Bool { snapshot.withLock(\.isOtherAudioPlaying) }

    /// Whether a program whose sound is secondary (a game's music) had better not add to what another plays.
    public nonisolated var secondaryAudioShouldBeSilencedHint: Bool { snapshot.withLock(\.hint) }

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
}
