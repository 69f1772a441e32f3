public import AudioSessions
import PipeWireGraph

/// Plays the sound that the program renders, while its session is active: for games, synthesizers,
/// calls and audio engines.
///
/// The sound comes from a *render callback* in C on the real-time thread, or from a *ring* that the
/// program fills in Swift:
///
///     let output = AudioOutput(session: session)
///     try await output.start()
///     try await output.write([Float](repeating: 0, count: 480 * output.format.channelCount))
///
/// An output follows its session as an ``AudioPlayer`` does, without code in the program. When its
/// device is lost, it is silent before anything is heard on another device. It is silent while
/// another session interrupts its session, and ducked while another one ducks it. It follows the
/// route and the session's preferred port, and resumes when its session is advised to.
///
/// The actor runs on its manager's thread. `nonisolated` members read a snapshot from any thread
/// without waiting.
///
/// Counterpart of `AVAudioEngine` with an `AVAudioSourceNode`, or of `AVAudioPlayerNode` with
/// scheduled buffers.
public actor AudioOutput {
    /// The session that governs the output's sound.
    public nonisolated let session: AudioSession
    /// The configuration with which the output was made.
    public nonisolated let configuration: Configuration
    /// The format that the callback renders or ``write(_:)`` takes. It does not change with the
    /// route.
    public nonisolated let format: Format
    package nonisolated let environment: PlayerEnvironment
    nonisolated let source: Source
    nonisolated let snapshot: Locked<Snapshot>
    nonisolated let broadcaster = EventBroadcaster<Event>()
    package var driver: StreamDriver<OutputStateMachine>
    /// Whether the session or its manager was closed, after which nothing can play any more.
    var hasSessionEnded = false
    package var gateTriggers: [ObjectID] = []

    public nonisolated var unownedExecutor: UnownedSerialExecutor { session.unownedExecutor }

    /// Makes an output that plays the samples that are written to it.
    /// - Parameters:
    ///   - session: The session. Its category must allow playback.
    ///   - configuration: The format, the length of the ring, and the names in mixers.
    // For the reason given at AudioSession's; and so below.
    @_semantics("optimize.no.crossmodule")
    public init(session: AudioSession, configuration: Configuration = Configuration()) {
        self.init(session, configuration, in: .pipeWire)
    }

    /// Makes an output that plays the samples that a callback renders.
    /// - Parameters:
    ///   - session: The session. Its category must allow playback.
    ///   - configuration: The format, and the names in mixers.
    ///   - render: The C function that is called on the real-time thread, and its context.
    @_semantics("optimize.no.crossmodule")
    public init(
        session: AudioSession, configuration: Configuration = Configuration(), render: RenderCallback
    ) {
        self.init(session, configuration, render, in: .pipeWire)
    }

    @_semantics("optimize.no.crossmodule")
    package init(
        _ session: AudioSession, _ configuration: Configuration = .init(), _ render: RenderCallback? = nil,
        in environment: PlayerEnvironment
    ) {
        self.session = session
        self.configuration = configuration
        self.environment = environment
        format = configuration.format ?? Format(.output, of: session)
        if let render {
            source = Source(render, format, isTimed: configuration.reportsLateCallbacks)
        } else {
            source = Source(format, holding: configuration.bufferDuration)
        }
        driver = StreamDriver(
            OutputStateMachine(
                render == nil
                    ? .ring(rate: format.sampleRate) : .callback(isTimed: configuration.reportsLateCallbacks),
                title: configuration.title, pausesOnRouteLoss: session.configuration.pausesOnRouteLoss,
                resumesAfterInterruption: session.configuration.resumesAfterInterruption))
        snapshot = Locked(Snapshot())
    }

    isolated deinit { shutDown() }

    // MARK: Control

    /// Starts playing, or continues after a pause.
    ///
    /// An inactive session is activated first. While the session is interrupted, the output keeps
    /// the request, and plays when the session is active again.
    /// - Throws:
    ///   - `unsupportedFormat` if no stream has the configured format.
    ///   - `incompatibleCategory` if the session's category does not play.
    ///   - The errors of `AudioSession.activate()`, unchanged.
    ///   - `mediaServicesFailed` without PipeWire.
    ///   - `resourcesExhausted` if the system has no memory left.
    ///   - `closed` after ``close()``.
    public func start() async throws(AudioSessionError) {
        try checkUsable()
        try checkSource()
        if !hasSessionEnded { source.writer?.open() }
        do {
            try await playInTurn()
        } catch {
            // Frames that were written before are for the next start.
            if machine.state == .stopped, !machine.awaitsActivation { source.writer?.end(.stopped, flushes: false) }
            throw error
        }
    }

    /// Stops, and drops frames that were written and not played. Waiting writes fail with
    /// `stopped`.
    public func stop() { handle(.stop) }

    /// Sets the output's own volume. The change is smoothed within one cycle of the graph.
    /// - Parameter volume: 0 to 1, on the scale of the desktop's sliders: its cube is the
    ///   amplitude. Other values are clamped to this range.
    /// - Throws: `badParam` if `volume` is not a number. The volume is then unchanged.
    public func setVolume(_ volume: Float) throws(AudioSessionError) {
        guard !volume.isNaN else { throw .volumeIsNoNumber }
        snapshot.withLock { $0.volume = min(max(volume, 0), 1) }
        stream?.setVolume(linearVolume)
    }

    /// Closes the output: stops it and releases its stream and buffers. Event sequences end, and
    /// later calls fail with `closed`.
    public func close() { shutDown() }

    // MARK: Snapshots

    /// The activity of the output, and why it is paused.
    public nonisolated var state: State { snapshot.withLock(\.state) }

    /// The volume that ``setVolume(_:)`` set, 0 to 1. The user's volume applies in addition.
    public nonisolated var volume: Float { snapshot.withLock(\.volume) }

    /// The route of the output's sound, also while it is silent.
    public nonisolated var route: RouteDescription { snapshot.withLock(\.route) ?? session.currentRoute }

    /// The number of frames that the real-time thread has taken from the ring or the callback since
    /// the output was made. Frames that ``stop()`` and ``flush()`` drop are included.
    public nonisolated var position: UInt64 { source.position }

    /// The number of frames that were silent because the ring was empty, since the output was made.
    ///
    /// It is 0 with a callback. The time before the first frames, also after a ``stop()`` or
    /// ``flush()``, and the end of a ``drain()`` are not counted.
    public nonisolated var missingFrameCount: UInt64 { source.missing }

    /// The time from writing or rendering a frame until it is heard: the buffered frames, and
    /// PipeWire's latency in the last cycle.
    public var latency: Duration {
        let buffered = source.writer?.waiting ?? 0
        return Duration(frames: Int64(buffered), rate: format.sampleRate) + streamStatistics.latency
    }

    /// The activity of the real-time thread for the current stream, or for the last one. Times of
    /// earlier streams are kept.
    public var statistics: Statistics { streamStatistics }

    // MARK: Events

    /// Returns a sequence of all later events, for one listener.
    /// - Parameter capacity: The number of events that are kept for a slow listener. Beyond it the
    ///   oldest events are dropped, and counted.
    /// - Returns: The sequence. It ends when the output is closed.
    public nonisolated func events(bufferingNewest capacity: Int = 256) -> EventSequence<Event> {
        broadcaster.events(bufferingNewest: capacity)
    }

    /// Calls `handler` for each later event, on the thread of the PipeWire loop.
    /// - Parameter handler: The handler. It must not block.
    /// - Returns: The observation. When it is released, the handler is not called any more.
    public nonisolated func observe(_ handler: @escaping @Sendable (Event) -> Void) -> EventObservation {
        broadcaster.observe(handler)
    }
}

/// This extension writes samples to outputs without a callback.
extension AudioOutput {
    /// Writes samples, and returns when all of them are in the ring. It waits while the ring is
    /// full, also during a pause.
    ///
    /// Writes of several tasks are served one after the other.
    /// - Parameter samples: Interleaved samples with full scale 1.
    /// - Throws:
    ///   - `stopped` if the output is stopped, or its session or manager is closed, also while the
    ///     write waits.
    ///   - `cancelled` if the task is cancelled.
    ///   - `badParam` if the samples are no whole number of frames, or the output has a callback.
    ///   - `unsupportedFormat` if no stream has the configured format.
    ///   - `closed` after ``close()``.
    public nonisolated func write(_ samples: [Float]) async throws(AudioSessionError) {
        let writer = try requireWriter()
        guard let id = try writer.begin(samples) else { return }
        await wait()
        if let error = await writer.finish(id).error { throw error }
    }

    /// Writes as many frames as fit into the ring, without waiting, from any thread: for game
    /// loops.
    ///
    /// While a ``write(_:)`` waits, it writes none. Before ``start()``, it fills the ring with the
    /// frames that are heard first.
    /// - Parameter samples: Interleaved samples with full scale 1.
    /// - Returns: The number of frames that were written.
    /// - Throws: `badParam`, `unsupportedFormat`, `closed`; see ``write(_:)``.
    @discardableResult
    public nonisolated func writeAvailable(_ samples: Span<Float>) throws(AudioSessionError) -> Int {
        try requireWriter().writeAvailable(samples)
    }

    /// Waits until all written frames have been played. The empty ring is then no underrun.
    /// - Throws: The errors of ``write(_:)``.
    public nonisolated func drain() async throws(AudioSessionError) {
        let writer = try requireWriter()
        guard let id = try writer.beginDrain() else { return }
        await wait()
        if let error = await writer.finish(id).error { throw error }
    }

    /// Drops frames that were written and not played, so that the next written frame is heard next.
    public nonisolated func flush() { source.writer?.flush() }

    /// Writes as many frames as fit, as ``writeAvailable(_:)`` does, and fails if the output is
    /// stopped.
    package nonisolated func writeWithoutWaiting(_ samples: Span<Float>) throws(AudioSessionError) -> Int {
        try requireWriter().writeAvailable(samples, afterStart: true)
    }

    /// Whether a caller waits for a write or a drain. Its limit has begun then.
    package nonisolated var hasWaitingWrite: Bool { source.writer?.hasWaiter ?? false }

    /// Begins what ``write(_:)`` does.
    /// - Returns: The number of a write that waits, for ``finish(_:within:)``; `nil` if all frames
    ///   are in the ring.
    package nonisolated func beginWrite(_ samples: [Float]) throws(AudioSessionError) -> UInt64? {
        try requireWriter().begin(samples)
    }

    /// Waits as ``drain()`` does, for at most a time.
    package func drain(within limit: Duration?) async throws(AudioSessionError) {
        guard let id = try requireWriter().beginDrain() else { return }
        if let error = await finish(id, within: limit).error { throw error }
    }

    /// Waits for the end of a write or a drain, for at most a time. At the limit it fails with
    /// `timedOut`. Its outcome counts the frames in the ring even if it fails.
    package func finish(_ id: UInt64, within limit: Duration?) async -> WriteOutcome {
        guard let writer = source.writer else { return WriteOutcome(error: nil, frameCount: 0) }
        handle(.writerWaits)
        let timer = limit.flatMap { limit in
            limit > .zero ? manager.environment.makeTimer { writer.fail(id, .writeTimedOut) } : nil
        }
        if let limit, let timer {
            timer.arm(after: limit)
        } else if limit != nil {
            // No wait is allowed, or the system has no timer left.
            writer.fail(id, .writeTimedOut)
        }
        let outcome = await writer.finish(id)
        withExtendedLifetime(timer) {}
        return outcome
    }

    private func wait() { handle(.writerWaits) }

    private nonisolated func requireWriter() throws(AudioSessionError) -> OutputWriter {
        if let writer = source.writer { return writer }
        try checkSource()
        throw AudioSessionError(
            .badParam, "This output plays what its callback renders. Make one without a callback to write to it.")
    }
}
