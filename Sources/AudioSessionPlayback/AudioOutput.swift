public import AudioSessions
package import PipeWireGraph

/// Plays what the program renders, in its session's turn: for games, synthesizers, calls, and
/// engines of all kinds.
///
/// The sound comes from a *render callback* in C on the real-time thread, or from a *ring* that
/// Swift writes:
///
///     let output = AudioOutput(session: session)
///     try await output.start()
///     try await output.write([Float](repeating: 0, count: 480 * output.format.channelCount))
///
/// Everything else is as with an ``AudioPlayer``, without a line of the program: the output is
/// silent before anything is heard on another device when its device is lost, and while another
/// session interrupts; it is ducked, follows the route and the session's preferred port, and
/// resumes when its session is advised to.
///
/// An output runs on its manager's thread. What may be read from anywhere without waiting is
/// `nonisolated`.
///
/// Counterpart of an `AVAudioEngine` with an `AVAudioSourceNode`, or of an `AVAudioPlayerNode` that
/// is given buffers.
public actor AudioOutput {
    /// Whose turn it is when the output is heard.
    public nonisolated let session: AudioSession
    /// What the output was made with.
    public nonisolated let configuration: Configuration
    /// What the callback renders, or ``write(_:)`` takes. Constant, whatever the route.
    public nonisolated let format: Format
    package nonisolated let environment: PlayerEnvironment
    nonisolated let source: Source
    nonisolated let snapshot: Locked<Snapshot>
    nonisolated let broadcaster = EventBroadcaster<Event>()
    package var driver: StreamDriver<OutputStateMachine>
    package var gateTriggers: [ObjectID] = []
    package var formerReport = PlaybackStream.Report()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { session.unownedExecutor }

    /// An output that plays what is written to it.
    /// - Parameters:
    ///   - session: Its category has to be one that plays.
    ///   - configuration: The format, the length of the ring, and the names in mixers.
    // For the reason given at AudioSession's; and so below.
    @_semantics("optimize.no.crossmodule")
    public init(session: AudioSession, configuration: Configuration = Configuration()) {
        self.init(session, configuration, in: .pipeWire)
    }

    /// An output that plays what a callback renders.
    /// - Parameters:
    ///   - session: Its category has to be one that plays.
    ///   - configuration: The format, and the names in mixers.
    ///   - render: A C function, which is called on the real-time thread, and its context.
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
        format = configuration.format ?? Format(hardwareOf: session)
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
        snapshot = Locked(Snapshot(route: session.manager.currentRoute))
    }

    isolated deinit { shutDown() }

    // MARK: Control

    /// Starts playing, or continues after a pause.
    ///
    /// An inactive session is activated first. While the session is interrupted the request is
    /// kept: the output plays when the session is active again.
    /// - Throws: `unsupportedFormat`, `resourcesExhausted`, `mediaServicesFailed`, `closed`;
    ///   `incompatibleCategory` if the session's category does not play; and the errors of
    ///   `AudioSession.activate()`, unchanged.
    public func start() async throws(AudioSessionError) {
        try checkUsable()
        try checkSource()
        source.writer?.open()
        do {
            try await playInTurn()
        } catch {
            if machine.state == .stopped { source.writer?.end(.stopped) }
            throw error
        }
    }

    /// Stops, and drops what was written and not played. Writes that wait fail with `stopped`.
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

    /// Stops for good and lets go of everything; event sequences end. Every later call fails with
    /// `closed`.
    public func close() { shutDown() }

    // MARK: Snapshots

    /// Whether the output plays, and if not, why.
    public nonisolated var state: State { snapshot.withLock(\.state) }

    /// What ``setVolume(_:)`` set: 0 to 1. The user's volume is beside it.
    public nonisolated var volume: Float { snapshot.withLock(\.volume) }

    /// Where the output's sound goes, or would go.
    public nonisolated var route: RouteDescription { snapshot.withLock(\.route) }

    /// Frames that the real-time thread has taken from the ring or the callback since the output
    /// was made. What ``stop()`` and ``flush()`` drop counts as taken.
    public nonisolated var position: UInt64 { source.position }

    /// Frames that were silent because the ring was empty, since the output was made; 0 with a
    /// callback. Waiting for the first frames, or for the first after a ``stop()`` or ``flush()``,
    /// does not count, and neither does the end of a ``drain()``.
    public nonisolated var missingFrameCount: UInt64 { source.missing }

    /// From the moment that a frame is written or rendered until it is heard: what waits in the
    /// ring, and PipeWire's latency as of the last cycle.
    public var latency: Duration {
        let buffered = source.writer?.waiting ?? 0
        return Duration(frames: Int64(buffered), rate: format.sampleRate) + streamStatistics.latency
    }

    /// What the real-time side of the stream that plays, or of the last one, did. Times outlive
    /// streams.
    public var statistics: Statistics { streamStatistics }

    // MARK: Events

    /// Everything that happens from now on, for one listener.
    /// - Parameter capacity: how many events wait for a slow listener before the oldest are
    ///   dropped.
    public nonisolated func events(bufferingNewest capacity: Int = 256) -> EventSequence<Event> {
        broadcaster.events(bufferingNewest: capacity)
    }

    /// Calls `handler` on the PipeWire loop's thread, with the least delay there is. It must not
    /// block.
    /// - Returns: keep it: when it goes, the handler is not called any more.
    public nonisolated func observe(_ handler: @escaping @Sendable (Event) -> Void) -> EventObservation {
        broadcaster.observe(handler)
    }
}

/// Writing, for outputs without a callback.
extension AudioOutput {
    /// Writes samples, and returns when all of them are in the ring. While the ring is full it
    /// waits, also through a pause.
    ///
    /// Of several tasks that write, one is served after the other.
    /// - Parameter samples: interleaved, full scale is 1.
    /// - Throws: `stopped` if the output is stopped, also while it waits; `cancelled` if the task
    ///   is; `badParam` if the samples are no whole frames, or the output has a callback;
    ///   `unsupportedFormat`, `closed`.
    public nonisolated func write(_ samples: [Float]) async throws(AudioSessionError) {
        let writer = try requireWriter()
        guard let id = try writer.begin(samples) else { return }
        await wait()
        try await writer.finish(id)
    }

    /// Writes as many frames as there is room for, without waiting, from any thread: for game
    /// loops. None while a ``write(_:)`` waits. Before ``start()`` it fills the ring with what is
    /// to be heard first.
    /// - Returns: the number of frames written.
    /// - Throws: `badParam`, `unsupportedFormat`, `closed`; see ``write(_:)``.
    @discardableResult
    public nonisolated func writeAvailable(_ samples: Span<Float>) throws(AudioSessionError) -> Int {
        try requireWriter().writeAvailable(samples)
    }

    /// Waits until everything that was written has been played. Running empty then is no underrun.
    /// - Throws: as ``write(_:)``.
    public nonisolated func drain() async throws(AudioSessionError) {
        let writer = try requireWriter()
        guard let id = try writer.beginDrain() else { return }
        await wait()
        try await writer.finish(id)
    }

    /// Drops what was written and not played, so that what is written next is heard next.
    public nonisolated func flush() { source.writer?.flush() }

    private func wait() { handle(.writerWaits) }

    private nonisolated func requireWriter() throws(AudioSessionError) -> OutputWriter {
        if let writer = source.writer { return writer }
        try checkSource()
        throw AudioSessionError(
            .badParam, "This output plays what its callback renders. Make one without a callback to write to it.")
    }
}
