public import AudioSessions
import PipeWireGraph

/// A player that plays a queue of sound files to its session's output.
///
/// It reads WAV, FLAC, Ogg/Vorbis, Opus, MP3 and all other formats of libsndfile. Files of equal
/// sample rate and channel count follow each other without a gap. Between other files there is a
/// short gap, in which a stream of the new format is made.
///
/// When the output in use is lost (headphones pulled), the player is silent before anything is
/// heard on another output, and pauses. It resumes only if its session has asked for that
/// (`AudioSession.Configuration.resumesOnReplug`) and the same output returns. When a device is
/// plugged in, the sound moves there without a pause.
///
/// The actor runs on its manager's thread. `nonisolated` members read a snapshot from any thread
/// and never wait. Files are read on a thread of the player's own, which sleeps while the player
/// does not play. Another one checks files while they are loaded. A player with a queue also keeps
/// some descriptors open, so a program with hundreds of players may have to raise its limit
/// (`ulimit -n`).
///
/// Counterpart of `AVAudioPlayer` and `AVQueuePlayer`.
public actor AudioPlayer {
    /// The maximum number of files in the queue, which bounds the memory of long lists.
    public static let maximumQueueLength = 10_000

    /// The session that governs the player's sound.
    public nonisolated let session: AudioSession
    /// The configuration with which the player was made.
    public nonisolated let configuration: Configuration
    private let ownsSession: Bool
    package nonisolated let environment: PlayerEnvironment
    nonisolated let snapshot: Locked<Snapshot>
    nonisolated let broadcaster = EventBroadcaster<Event>()
    /// Sends the number of items whenever the queue changes.
    package nonisolated let queueChanges = EventBroadcaster<Int>()
    package var driver: StreamDriver<PlayerStateMachine>
    package var decoder: Decoder?
    /// Shared by calls at the same time, so that their files are read in the order of the calls.
    weak var inspector: SoundFileInspector?
    var ring: FrameRing?
    /// The file of the queue's first item.
    var firstFile: OpenSoundFile?
    package var gateTriggers: [ObjectID] = []

    public nonisolated var unownedExecutor: UnownedSerialExecutor { session.unownedExecutor }

    /// Makes a player with a session of its own, of category playback.
    /// - Parameters:
    ///   - manager: The manager of the session.
    ///   - configuration: The player's role and names in mixers.
    // It is hidden from the optimizer, like all initializers here, as AudioSession explains.
    @_semantics("optimize.no.crossmodule")
    public init(manager: AudioSessionManager, configuration: Configuration = Configuration()) {
        self.init(AudioSession(for: .output, on: manager), ownsSession: true, configuration, in: .pipeWire)
    }

    /// Makes a player of an existing session, whose category must allow playback.
    /// - Parameters:
    ///   - session: The session that governs the player's sound.
    ///   - configuration: The player's role and names in mixers.
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
        self.configuration = configuration
        self.environment = environment
        driver = StreamDriver(
            PlayerStateMachine(
                pausesOnRouteLoss: session.configuration.pausesOnRouteLoss,
                resumesAfterInterruption: session.configuration.resumesAfterInterruption))
        snapshot = Locked(Snapshot())
    }

    isolated deinit { shutDown() }

    // MARK: Queue

    /// Replaces the queue by these files, and stops at the beginning of the first one.
    ///
    /// The first file of the queue stays open until the queue is replaced or the player is closed.
    /// It can be played after it was renamed, replaced or deleted, as with `AVAudioPlayer`. Other
    /// files are opened again when they are played. A relative path is resolved by this call, so
    /// the program can change its current folder afterwards.
    /// - Parameter paths: Paths, or file URLs (`file:///…`). See ``SoundFileName`` for names that
    ///   are not UTF-8.
    /// - Throws: The error of the first file that cannot be played; `tooManyItems`; `closed` after
    ///   ``close()``. The player is then unchanged.
    public func load(_ paths: [String]) async throws(AudioSessionError) {
        let (items, first) = try await inspect(paths, behind: 0)
        firstFile = first
        handle(.load(items))
    }

    /// Appends files to the queue. A playing player continues with them, without a gap if sample
    /// rate and channel count are the same.
    /// - Parameter paths: Paths, or file URLs (`file:///…`).
    /// - Throws: The errors of ``load(_:)``. The queue is then unchanged.
    public func enqueue(_ paths: [String]) async throws(AudioSessionError) {
        let (items, first) = try await inspect(paths, behind: machine.queue.count)
        // Another call may have appended files during the wait.
        try checkLength(machine.queue.count + items.count)
        if machine.queue.isEmpty { firstFile = first }
        handle(.enqueue(items))
    }

    /// All loaded items in order, including those already played.
    public nonisolated var queue: [Item] { snapshot.withLock(\.queue) }

    /// The item that plays or would play next; `nil` if the queue is empty.
    public nonisolated var currentItem: Item? { snapshot.withLock { $0.item } }

    /// The index of ``currentItem`` in ``queue``; `nil` if the queue is empty.
    public nonisolated var currentIndex: Int? { snapshot.withLock(\.current) }

    // MARK: Control

    /// Starts or resumes playing. After the end of the queue it plays the first item that was not
    /// played yet, or else the whole queue again.
    ///
    /// An inactive session is activated first. During an interruption the player stores the
    /// request, and plays when the session is active again. Counterpart of `play()`.
    /// - Throws:
    ///   - `nothingLoaded` if the queue is empty.
    ///   - `incompatibleCategory` if the session's category does not play.
    ///   - The errors of `AudioSession.activate()`, unchanged.
    ///   - `mediaServicesFailed` without PipeWire.
    ///   - `timedOut` if PipeWire does not answer within the manager's timeout.
    ///   - `closed` after ``close()``.
    public func play() async throws(AudioSessionError) {
        try checkUsable()
        guard !machine.queue.isEmpty else { throw .nothingLoaded }
        try await playInTurn()
    }

    /// Pauses the player. It keeps its position, and ``play()`` continues with the next frame.
    public func pause() { handle(.pause) }

    /// Pauses the player on behalf of a desktop client, which may not be the user.
    /// - Parameter process: The process of the client by the bus; `nil` if it is unknown.
    package func pauseFromDesktop(by process: Int?) {
        handle(
            .pauseFromDesktop(isAsleep: manager.isAsleep, isOfSessionManager: manager.isSessionManager(process)))
    }

    /// Stops playing and returns to the beginning of the current item.
    public func stop() { handle(.stop) }

    /// Moves to a time in the current item, also while playing.
    /// - Parameter time: The time from the item's beginning. A time after its end counts as its
    ///   end.
    /// - Throws: `nothingLoaded` if the queue is empty; `closed` after ``close()``. A file whose
    ///   format does not allow it fails by an event, ``Event/failed(_:at:)``.
    public func seek(to time: Duration) throws(AudioSessionError) {
        try checkUsable()
        guard let current = machine.current else { throw .nothingLoaded }
        let frame = time.frames(rate: machine.queue[current].format.sampleRate)
        handle(.seek(PlaybackTimeline.Position(item: current, frame: frame)))
    }

    /// Moves to the beginning of an item of the queue, and continues playing there if it was
    /// playing.
    /// - Parameter index: The index in ``queue``.
    /// - Throws: `noSuchItem` if the queue has no such index; `closed` after ``close()``.
    public func skip(to index: Int) throws(AudioSessionError) {
        try checkUsable()
        guard machine.queue.indices.contains(index) else {
            throw AudioSessionError(
                .noSuchItem,
                "The queue has \(machine.queue.count) items, and none with the index \(index). Indices begin at 0.")
        }
        handle(.seek(PlaybackTimeline.Position(item: index, frame: 0)))
    }

    /// Skips to the next item of the queue.
    /// - Throws: `noSuchItem` at the last item; `closed` after ``close()``.
    public func skipToNext() throws(AudioSessionError) { try skip(to: (machine.current ?? -1) + 1) }

    /// Skips to the previous item of the queue.
    /// - Throws: `noSuchItem` at the first item; `closed` after ``close()``.
    public func skipToPrevious() throws(AudioSessionError) { try skip(to: (machine.current ?? 0) - 1) }

    /// Sets how often the only file of the queue is played again after its end, without a gap.
    ///
    /// A queue of several files is not repeated, and neither is a file without frames or one that
    /// cannot be read to its end. ``stop()`` and the end count from the beginning again.
    /// - Parameters:
    ///   - count: The number of repetitions; a negative number repeats without end.
    ///   - restarts: Whether repetitions that were played before do not count.
    @_spi(Compatibility) public func setRepetitions(_ count: Int, restarts: Bool = false) {
        handle(.setRepetitions(count, restarts: restarts))
    }

    /// Sets the player's own volume. The change is smoothed within one cycle of the graph.
    /// - Parameter volume: 0 to 1, on the scale of the desktop's sliders: its cube is the
    ///   amplitude. Other values are clamped to this range.
    /// - Throws: `badParam` if `volume` is not a number. The volume is then unchanged.
    public func setVolume(_ volume: Float) throws(AudioSessionError) {
        guard !volume.isNaN else { throw .volumeIsNoNumber }
        snapshot.withLock { $0.volume = min(max(volume, 0), 1) }
        stream?.setVolume(linearVolume)
    }

    /// Closes the player: stops playing and releases its stream and files. Event sequences end, and
    /// later calls fail with `closed`.
    public func close() {
        shutDown()
        if ownsSession { session.assumeIsolated { $0.close() } }
    }

    // MARK: Snapshots

    /// The player's state, with the reason of a pause.
    public nonisolated var state: State { snapshot.withLock(\.state) }

    /// The player's own volume, as set by ``setVolume(_:)``: the user's scale from 0 to 1, whose
    /// cube is the amplitude. The user's volume in a mixer is separate.
    public nonisolated var volume: Float { snapshot.withLock(\.volume) }

    /// The position in ``currentItem`` of the next frame that the stream reads. That frame is heard
    /// ``Statistics/latency`` later.
    public nonisolated var position: Duration { snapshot.withLock(\.position) }

    /// The duration of ``currentItem`` by its file's header, zero if that has none; `nil` if the
    /// queue is empty.
    public nonisolated var duration: Duration? { currentItem?.duration }

    /// How often playback broke off because a file could not be read fast enough.
    public nonisolated var underrunCount: Int { snapshot.withLock(\.underruns) }

    /// The player's current route, or the one that it would have if it played.
    public nonisolated var route: RouteDescription { snapshot.withLock(\.route) ?? session.currentRoute }

    // MARK: Events

    /// Returns the player's events from now on, for one listener.
    /// - Parameter capacity: The maximum number of events in the buffer. Further events drop the
    ///   oldest ones.
    public nonisolated func events(bufferingNewest capacity: Int = 256) -> EventSequence<Event> {
        broadcaster.events(bufferingNewest: capacity)
    }

    /// Calls a handler for each event on the PipeWire loop's thread, with the least possible delay.
    /// The handler must not block.
    /// - Parameter handler: Receives each event.
    /// - Returns: The observation. The handler is unregistered when its last reference is released.
    public nonisolated func observe(_ handler: @escaping @Sendable (Event) -> Void) -> EventObservation {
        broadcaster.observe(handler)
    }
}

extension AudioPlayer {
    /// Reads the formats and tags of files.
    /// - Returns: The items, and the open file of the first one if the queue is empty until then.
    private func inspect(
        _ paths: [String], behind count: Int
    ) async throws(AudioSessionError) -> (items: [Item], first: OpenSoundFile?) {
        try checkUsable()
        try checkLength(count + paths.count)
        try startDecoder()
        let inspector = try startInspector()
        var items: [Item] = []
        var first: OpenSoundFile?
        for path in paths {
            if items.isEmpty, count == 0 {
                let (item, file) = try await inspector.open(path)
                items.append(item)
                first = file
            } else {
                items.append(try await inspector.inspect(path))
            }
        }
        // The player may have been closed, or the queue changed, during the wait.
        try checkUsable()
        return (items, first)
    }

    private func checkLength(_ count: Int) throws(AudioSessionError) {
        guard count > Self.maximumQueueLength else { return }
        throw AudioSessionError(
            .tooManyItems,
            "A queue has at most \(Self.maximumQueueLength) items, not \(count). Load the rest later.")
    }

    package func checkUsable() throws(AudioSessionError) {
        guard driver.isClosed else { return }
        throw AudioSessionError(.closed, "The player was closed. Make another one.")
    }
}

extension AudioSessionError {
    fileprivate static let nothingLoaded = AudioSessionError(
        .nothingLoaded, "The queue is empty. Load a file first.")
}
