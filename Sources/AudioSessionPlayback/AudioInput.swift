public import AudioSessions
import PipeWireGraph

/// Gives the program what the microphone hears, in its session's turn: for calls, voice assistants,
/// and engines of all kinds.
///
/// The sound goes to a *receive callback* in C on the real-time thread, or to Swift as buffers:
///
///     let input = AudioInput(session: session)
///     let buffers = input.buffers()
///     try await input.start()
///     for await buffer in buffers { print(buffer.frameCount) }
///
/// Everything else is as with an ``AudioRecorder``: the input is closed before another microphone
/// is heard when its microphone is lost, and while another session interrupts; it follows the
/// session's preferred port, and reports mutes. With an ``AudioOutput`` in the same session, of
/// category playAndRecord, it makes a call.
///
/// An input runs on its manager's thread. What may be read from anywhere without waiting is
/// `nonisolated`.
///
/// Counterpart of a tap on `AVAudioEngine`'s input node, and of an `AVAudioSinkNode`.
public actor AudioInput {
    /// Whose turn it is when the input captures. Its category has to be one that records.
    public nonisolated let session: AudioSession
    /// What the input was made with.
    public nonisolated let configuration: Configuration
    /// What the callback or the buffers get, whichever microphone it comes from.
    public nonisolated let format: Format
    package nonisolated let environment: RecorderEnvironment
    nonisolated let source: Source
    nonisolated let snapshot: Locked<Snapshot>
    nonisolated let broadcaster = EventBroadcaster<Event>()
    nonisolated let listeners = EventBroadcaster<Buffer>()
    package var driver: StreamDriver<RecorderStateMachine>
    package var observed: InputObservation?
    package var echoTarget: String?
    /// Of the stream before this one.
    var formerReport = CaptureStream.Report()
    /// What the stream fills, and what empties it.
    var ring: FrameRing?
    var drainTimer: (any GraphTimer)?
    /// Frames handed over since the last start.
    var frames: Int64 = 0

    public nonisolated var unownedExecutor: UnownedSerialExecutor { session.unownedExecutor }

    /// An input whose sound Swift takes from ``buffers(bufferingNewest:)``.
    /// - Parameters:
    ///   - session: Its category has to be one that records.
    ///   - configuration: The format, and what the input does when its microphone is lost.
    // For the reason given at AudioSession's; and so below.
    @_semantics("optimize.no.crossmodule")
    public init(session: AudioSession, configuration: Configuration = Configuration()) {
        self.init(session, configuration, in: .pipeWire)
    }

    /// An input whose sound a callback takes.
    /// - Parameters:
    ///   - session: Its category has to be one that records.
    ///   - configuration: The format, and what the input does when its microphone is lost.
    ///   - receive: A C function, which is called on the real-time thread, and its context.
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
            ?? (configuration.prefersEchoCancelledInput ? Format(channelCount: 1) : Format(inputOf: session))
        self.format = format
        source = receive.map { Source($0, format) } ?? .buffers
        driver = StreamDriver(
            RecorderStateMachine(
                continuesAfterInterruption: session.configuration.resumesAfterInterruption,
                continuesOnOtherInput: configuration.continuesOnOtherInput, isMuted: session.manager.isInputMuted))
        snapshot = Locked(Snapshot())
    }

    isolated deinit { shutDown() }

    // MARK: Control

    /// Starts capturing, or continues after an interruption, which takes the turn back. An inactive
    /// session is activated first; stopped while it waits for that, nothing is captured.
    /// - Throws: `unsupportedRecordingFormat`, `resourcesExhausted`, `echoCancellerMissing`,
    ///   `incompatibleCategory`, `noMicrophone`, `sessionNotActive` if another session interrupts
    ///   this one, `mediaServicesFailed`, `closed`; and the errors of `AudioSession.activate()`,
    ///   unchanged.
    public func start() async throws(AudioSessionError) {
        try checkUsable()
        try checkSource()
        try checkEchoCanceller(rate: format.sampleRate)
        if case .paused = machine.state { return try await resume() }
        guard machine.state == .stopped, !machine.isStarting else { return }
        handle(.recordRequested)
        defer { handle(.recordReturned) }
        try await takeTurn()
        frames = 0
        handle(.record(path: nil))
    }

    /// Stops capturing. Buffers that were captured until now can still be taken. The session stays
    /// active.
    public func stop() { handle(.stop) }

    /// Stops for good and lets go of everything; sequences of buffers and events end. Every later
    /// call fails with `closed`.
    public func close() {
        handle(.stop)
        shutDown()
    }

    // MARK: What is captured

    /// What is captured, in pieces of a cycle or more, from now on and for one listener. Empty if
    /// the input has a callback.
    ///
    /// A listener that is too slow loses the oldest buffers, and `EventSequence.droppedCount` says
    /// how many.
    /// - Parameter capacity: how many buffers wait for it.
    public nonisolated func buffers(bufferingNewest capacity: Int = 64) -> EventSequence<Buffer> {
        listeners.events(bufferingNewest: capacity)
    }

    /// Calls `handler` for each later buffer on the PipeWire loop's thread. It must not block.
    package nonisolated func observeBuffers(_ handler: @escaping @Sendable (Buffer) -> Void) -> EventObservation {
        listeners.observe(handler)
    }

    /// How loud it is now, one for each channel; silence while nothing is captured.
    public var currentLevels: [Level] { levels(ofChannels: format.channelCount) }

    /// From the moment that a sound is at the microphone until the callback or the ring has it, as
    /// PipeWire reports it.
    public var latency: Duration { (stream?.report ?? formerReport).delay }

    /// What the real-time side of the stream that captures, or of the last one, did.
    public var statistics: Statistics { statistics(of: formerReport) }

    // MARK: Snapshots

    /// Whether the input captures, and if not, why.
    public nonisolated var state: State { snapshot.withLock(\.state) }

    /// The microphone in use, or the last one; `nil` before.
    public nonisolated var input: PortDescription? { snapshot.withLock(\.input) }

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

extension AudioInput {
    private func resume() async throws(AudioSessionError) {
        handle(.resumeRequested)
        defer { handle(.resumeReturned) }
        try checkSurroundings()
        try await activate()
        guard session.state == .active else { throw .interrupted }
        try checkSurroundings()
        handle(.resume)
    }

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
