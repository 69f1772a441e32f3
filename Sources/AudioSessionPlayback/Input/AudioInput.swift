public import AudioSessions
package import PipeWireGraph

/// Captures the sound of the microphone while its session is active: for calls, voice assistants
/// and audio engines.
///
/// The sound goes to a *receive callback* in C on the real-time thread, or to Swift in buffers:
///
///     let input = AudioInput(session: session)
///     let buffers = input.buffers()
///     try await input.start()
///     for await buffer in buffers { print(buffer.frameCount) }
///
/// An input follows its session as an ``AudioRecorder`` does. When its microphone is lost, it
/// captures nothing of another microphone before `inputChanged`. It captures nothing
/// while another session interrupts its session. It follows the session's preferred port, and
/// reports mutes. Together with an ``AudioOutput``, in a session of category playAndRecord, it
/// makes a call.
///
/// The actor runs on its manager's thread. `nonisolated` members read a snapshot from any thread
/// without waiting.
///
/// Counterpart of a tap on the input node of `AVAudioEngine`, and of `AVAudioSinkNode`.
public actor AudioInput {
    /// The session that governs the input. Its category must allow recording.
    public nonisolated let session: AudioSession
    /// The configuration with which the input was made.
    public nonisolated let configuration: Configuration
    /// The format of the captured samples. It does not change with the microphone.
    public nonisolated let format: Format
    package nonisolated let environment: RecorderEnvironment
    nonisolated let source: Source
    package nonisolated let snapshot = Locked(CaptureSnapshot())
    nonisolated let broadcaster = EventBroadcaster<Event>()
    nonisolated let listeners = EventBroadcaster<Buffer>()
    package var driver: StreamDriver<RecorderStateMachine>
    package var observed: InputObservation?
    package var echoTarget: String?
    /// The ring that the stream fills, and the timer that empties it.
    var ring: FrameRing?
    var drainTimer: (any GraphTimer)?
    /// The number of frames that were sent since the last start.
    var frames: Int64 = 0
    /// The number of frames that the callback had received before the last start.
    var formerFrames: UInt64 = 0

    public nonisolated var unownedExecutor: UnownedSerialExecutor { session.unownedExecutor }

    /// Makes an input that sends its sound to ``buffers(bufferingNewest:)``.
    /// - Parameters:
    ///   - session: The session. Its category must allow recording.
    ///   - configuration: The format, the names in mixers, and the effect of a lost microphone.
    // For the reason given at AudioSession's; and so below.
    @_semantics("optimize.no.crossmodule")
    public init(session: AudioSession, configuration: Configuration = Configuration()) {
        self.init(session, configuration, in: .pipeWire)
    }

    /// Makes an input that passes its sound to a callback.
    /// - Parameters:
    ///   - session: The session. Its category must allow recording.
    ///   - configuration: The format, the names in mixers, and the effect of a lost microphone.
    ///   - receive: The C function that is called on the real-time thread, and its context.
    @_semantics("optimize.no.crossmodule")
    public init(
        session: AudioSession, configuration: Configuration = Configuration(), receive: ReceiveCallback
    ) {
        self.init(session, configuration, receive, in: .pipeWire)
    }

    @_semantics("optimize.no.crossmodule")
    package init(
        _ session: AudioSession, _ configuration: Configuration = .init(), _ receive: ReceiveCallback? = nil,
        in environment: RecorderEnvironment
    ) {
        self.session = session
        self.configuration = configuration
        self.environment = environment
        let format =
            configuration.format
            ?? (configuration.prefersEchoCancelledInput ? Format(channelCount: 1) : Format(.input, of: session))
        self.format = format
        source = receive.map { Source($0, format) } ?? .buffers
        driver = StreamDriver(
            RecorderStateMachine(
                continuesAfterInterruption: session.configuration.resumesAfterInterruption,
                continuesOnOtherInput: configuration.continuesOnOtherInput, isMuted: session.manager.isInputMuted,
                title: configuration.title))
    }

    isolated deinit { shutDown() }

    // MARK: Control

    /// Starts capturing, or continues after an interruption.
    ///
    /// An inactive session is activated first. If ``stop()`` is called meanwhile, nothing is
    /// captured.
    /// - Throws:
    ///   - `unsupportedRecordingFormat` if no stream has the configured format, or the echo cannot
    ///     be cancelled at its rate.
    ///   - `echoCancellerMissing` if echo-cancelled input is preferred and PipeWire's plugin is not
    ///     installed.
    ///   - `incompatibleCategory` if the session's category does not record.
    ///   - `noMicrophone` if the computer has no input.
    ///   - `sessionNotActive` if another session interrupts this one.
    ///   - The errors of `AudioSession.activate()`, unchanged.
    ///   - `mediaServicesFailed` without PipeWire.
    ///   - `resourcesExhausted` if the system has no memory left.
    ///   - `closed` after ``close()``.
    public func start() async throws(AudioSessionError) {
        try checkUsable()
        try checkSource()
        if case .paused = machine.state { return try await resumeCapture() }
        guard machine.state == .stopped else { return }
        handle(.recordRequested)
        defer { handle(.recordReturned) }
        try await checkEchoCanceller(rate: format.sampleRate)
        // A call of `stop` or `close` may have arrived meanwhile.
        guard machine.request == .record else { return }
        try await takeTurn()
        // Another call may have started it.
        guard machine.request == .record else { return }
        frames = 0
        formerFrames = source.received
        startCapture(.record(path: nil))
    }

    /// Stops capturing. Buffers that were already captured can still be received. The session stays
    /// active.
    public func stop() { handle(.stop) }

    /// Closes the input: stops it and releases its stream and buffers. Sequences of buffers and
    /// events end, and later calls fail with `closed`.
    public func close() {
        handle(.stop)
        shutDown()
    }

    // MARK: What is captured

    /// Returns a sequence of all later buffers, for one listener. With a callback it is empty.
    ///
    /// A buffer has the frames of one cycle or more. If a listener is too slow, the oldest buffers
    /// are dropped, and `EventSequence.droppedCount` counts them.
    /// - Parameter capacity: The number of buffers that are kept for a slow listener.
    /// - Returns: The sequence. It ends when the input is closed.
    public nonisolated func buffers(bufferingNewest capacity: Int = 64) -> EventSequence<Buffer> {
        listeners.events(bufferingNewest: capacity)
    }

    /// Calls `handler` for each later buffer on the PipeWire loop's thread. It must not block.
    package nonisolated func observeBuffers(_ handler: @escaping @Sendable (Buffer) -> Void) -> EventObservation {
        listeners.observe(handler)
    }

    /// The current level of each channel, which is silence while nothing is captured.
    public var currentLevels: [Level] { levels(ofChannels: format.channelCount) }

    /// The time from a sound at the microphone until the callback or the ring receives it, as
    /// PipeWire reports it.
    public var latency: Duration { (stream?.report ?? driver.formerReport).delay }

    /// The activity of the real-time thread for the current stream, or for the last one.
    public var statistics: Statistics { streamStatistics }

    // MARK: Snapshots

    /// The activity of the input, and why it is paused.
    public nonisolated var state: State { snapshot.withLock(\.state) }

    /// The current or last microphone; `nil` before the first one is known.
    public nonisolated var input: PortDescription? { snapshot.withLock(\.input) }

    // MARK: Events

    /// Returns a sequence of all later events, for one listener.
    /// - Parameter capacity: The number of events that are kept for a slow listener. Beyond it the
    ///   oldest events are dropped, and counted.
    /// - Returns: The sequence. It ends when the input is closed.
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

extension AudioInput {
    private func takeTurn() async throws(AudioSessionError) {
        try checkSurroundings()
        joinSession()
        guard session.state != .interrupted else { throw .interrupted }
        try await activate()
        // Much may have happened meanwhile. A call of `stop` is known to the state machine.
        guard !driver.isClosed, machine.request == .record else { return }
        guard session.state == .active else { throw .interrupted }
        try checkSurroundings()
    }
}
