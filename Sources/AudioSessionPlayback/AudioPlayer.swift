public import AudioSessions
import PipeWireGraph

/// Plays sound files, one after the other, to wherever the machine's sound goes.
///
/// WAV, FLAC, Ogg/Vorbis, Opus and MP3, and whatever else libsndfile reads. Files of equal sample rate and channel
/// count follow each other without a gap; between others there is a short one, while a stream of the new format is
/// made. When the output in use goes (headphones pulled), the player is silent before anything is heard elsewhere,
/// and pauses; it does not start again by itself, unless its session asked for that (`AudioSession.setResumesOnReplug(_:within:)`)
/// and the same output is back. When something is plugged in, the sound moves there without a pause.
///
/// The player runs on its manager's thread. What may be read from anywhere without waiting is `nonisolated`. Files
/// are read on another thread of the player's own; nothing wakes up while it does not play.
///
/// Counterpart of `AVAudioPlayer` and `AVQueuePlayer`.
public actor AudioPlayer {
    /// The longest queue, so that no list from elsewhere fills the memory.
    public static let maximumQueueLength = 10_000

    /// Whose turn it is when the player is heard.
    public nonisolated let session: AudioSession
    private let ownsSession: Bool
    package nonisolated let environment: PlayerEnvironment
    nonisolated let snapshot: Locked<Snapshot>
    nonisolated let broadcaster = EventBroadcaster<Event>()
    package var driver: StreamDriver<PlayerStateMachine>
    var decoder: Decoder?
    var ring: FrameRing?
    /// The nodes of the route whose removal closes the gate.
    var gateTriggers: [ObjectID] = []
    /// Of the stream before this one.
    var formerReport = PlaybackStream.Report()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { session.unownedExecutor }

    /// A player with a session of its own, of category playback: it takes turns with all others on the machine.
    // For the reason given at AudioSession's; and so below.
    @_semantics("optimize.no.crossmodule")
    public init(manager: AudioSessionManager, configuration: Configuration = Configuration()) {
        self.init(AudioSession(playbackOn: manager), ownsSession: true, configuration, in: .pipeWire)
    }

    /// A player that is heard when it is the session's turn. The session's category has to allow playback.
    @_semantics("optimize.no.crossmodule")
    public init(session: AudioSession, configuration: Configuration = Configuration()) {
        self.init(session, ownsSession: false, configuration, in: .pipeWire)
    }

    @_semantics("optimize.no.crossmodule")
    package init(
        _ session: AudioSession, ownsSession: Bool = false, _ configuration: Configuration = .init(),
        in environment: PlayerEnvironment
    ) {
        self.session = session
        self.ownsSession = ownsSession
        self.environment = environment
        driver = StreamDriver(
            PlayerStateMachine(
                pausesOnRouteLoss: configuration.pausesOnRouteLoss,
                resumesAfterInterruption: configuration.resumesAfterInterruption))
        snapshot = Locked(Snapshot(configuration: configuration, route: session.manager.currentRoute))
    }

    isolated deinit { shutDown() }

    // MARK: What to play

    /// Replaces the queue by these files, in order, and stops at the first one's beginning.
    /// - Parameter paths: paths, or file URLs (`file:///…`); see ``SoundFileName`` for names that are not UTF-8.
    /// - Throws: what is wrong with the first file that cannot be played; the player then stays as it was.
    public func load(_ paths: [String]) async throws(PlaybackError) {
        handle(.load(try await inspect(paths, behind: 0)))
    }

    /// Adds files behind the last one. A player that plays goes on to them without a gap.
    /// - Parameter paths: paths, or file URLs (`file:///…`).
    /// - Throws: what is wrong with the first file that cannot be played; then none is added.
    public func enqueue(_ paths: [String]) async throws(PlaybackError) {
        let items = try await inspect(paths, behind: machine.queue.count)
        handle(.enqueue(items))
    }

    /// Everything that was loaded, in order; what was played stays.
    public nonisolated var queue: [Item] { snapshot.withLock(\.queue) }

    /// The item that plays or would play; `nil` when the queue is empty.
    public nonisolated var currentItem: Item? { snapshot.withLock { $0.item } }

    /// The number of ``currentItem`` in ``queue``.
    public nonisolated var currentIndex: Int? { snapshot.withLock(\.current) }

    // MARK: Control

    /// Plays from where it is; after the end from the first item that was not played, else from the beginning.
    ///
    /// An inactive session is activated first. While the session is interrupted the wish is kept: the player goes on
    /// when the session is active again.
    /// - Throws: `nothingLoaded`, `mediaServicesFailed`, `sessionNotActivated` if it is not the session's turn, `timedOut`,
    ///   `closed`.
    public func play() async throws(PlaybackError) {
        try checkUsable()
        guard !machine.queue.isEmpty else { throw .nothingLoaded }
        guard isReady else { throw .notConnected }
        joinSession()
        guard session.configuration.allowsPlayback else { throw .cannotPlay(session.configuration) }
        handle(.play(in: session.state))
        if machine.awaitsActivation { try await activateAndPlay() }
    }

    /// Holds the place: ``play()`` goes on with the very next frame.
    public func pause() { handle(.pause) }

    /// The same for who commands players of which he knows little.
    package func pauseFromDesktop() { handle(.pauseFromDesktop) }

    /// Ends playing and goes back to the beginning of the current item.
    public func stop() { handle(.stop) }

    /// Goes to a time of the current item, at once if it is playing. A time behind its end is its end.
    /// - Throws: `nothingLoaded`, `closed`. A format that does not allow it fails by an event.
    public func seek(to time: Duration) throws(PlaybackError) {
        try checkUsable()
        guard let current = machine.current else { throw .nothingLoaded }
        let frame = time.frames(rate: machine.queue[current].format.sampleRate)
        handle(.seek(PlaybackTimeline.Place(item: current, frame: frame)))
    }

    /// Goes to the beginning of an item of the queue, and plays on there if it is playing.
    /// - Throws: `noSuchItem`, `closed`.
    public func skip(to index: Int) throws(PlaybackError) {
        try checkUsable()
        guard machine.queue.indices.contains(index) else {
            throw PlaybackError(
                .noSuchItem, "The queue has \(machine.queue.count) items, so there is none with the number \(index).")
        }
        handle(.seek(PlaybackTimeline.Place(item: index, frame: 0)))
    }

    /// - Throws: `noSuchItem` at the last one, `closed`.
    public func next() throws(PlaybackError) { try skip(to: (machine.current ?? -1) + 1) }

    /// - Throws: `noSuchItem` at the first one, `closed`.
    public func previous() throws(PlaybackError) { try skip(to: (machine.current ?? 0) - 1) }

    /// The player's own volume, 0 to 1, as the desktop's sliders count it: the amplitude is its cube. What lies outside
    /// is brought inside; what is no number changes nothing. The sound glides there within one cycle of the graph.
    public func setVolume(_ volume: Float) {
        guard !volume.isNaN else { return }
        snapshot.withLock { $0.volume = min(max(volume, 0), 1) }
        stream?.setVolume(linearVolume)
    }

    /// From now on; see ``Configuration/resumesAfterInterruption``. An interruption that has ended stays as it is.
    public func setResumesAfterInterruption(_ resumes: Bool) {
        snapshot.withLock { $0.configuration.resumesAfterInterruption = resumes }
        driver.machine.resumesAfterInterruption = resumes
    }

    /// From the next loss on; see ``Configuration/pausesOnRouteLoss``. Sessions that mix and calls go on in either case.
    public func setPausesOnRouteLoss(_ pauses: Bool) {
        snapshot.withLock { $0.configuration.pausesOnRouteLoss = pauses }
        driver.machine.pausesOnRouteLoss = pauses
    }

    /// Ends playing and lets go of everything; event sequences end. Every later call fails with `closed`.
    public func close() async {
        shutDown()
        if ownsSession { await session.close() }
    }

    // MARK: Snapshots

    /// How the player is set now.
    public nonisolated var configuration: Configuration { snapshot.withLock(\.configuration) }

    /// Whether it plays, and if not, why.
    public nonisolated var state: State { snapshot.withLock(\.state) }

    /// What ``setVolume(_:)`` set: 0 to 1, an amplitude. The user's volume is beside it.
    public nonisolated var volume: Float { snapshot.withLock(\.volume) }

    /// The time in ``currentItem`` of the frame that goes out next; it is heard ``Statistics/latency`` later.
    public nonisolated var position: Duration { snapshot.withLock(\.position) }

    /// The length of ``currentItem`` as its header says; `nil` when the queue is empty.
    public nonisolated var duration: Duration? { currentItem?.duration }

    /// How often the sound broke off because a file could not be read fast enough.
    public nonisolated var underrunCount: Int { snapshot.withLock(\.underruns) }

    /// Where the player's sound goes, or would go.
    public nonisolated var route: RouteDescription { snapshot.withLock(\.route) }

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
}

extension AudioPlayer {
    private func inspect(_ paths: [String], behind count: Int) async throws(PlaybackError) -> [Item] {
        try checkUsable()
        guard count + paths.count <= Self.maximumQueueLength else {
            throw PlaybackError(
                .tooManyItems, "A queue holds \(Self.maximumQueueLength) items; this would be \(count + paths.count)."
            )
        }
        let decoder = try startDecoder()
        var items: [Item] = []
        for path in paths { items.append(try await decoder.inspect(path)) }
        // It may have been closed, or the queue have grown, meanwhile.
        try checkUsable()
        return items
    }

    func checkUsable() throws(PlaybackError) {
        guard driver.isClosed else { return }
        throw PlaybackError(.closed, "The player was closed. Make another one.")
    }
}

extension PlaybackError {
    fileprivate static let nothingLoaded = PlaybackError(
        .nothingLoaded, "There is nothing to play. Load a file first.")
}
