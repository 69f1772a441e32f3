public import AudioSessions
package import PipeWireGraph

/// A recorder that records its session's input to a WAV or FLAC file, delivers it as buffers, or
/// both.
///
///     let recorder = AudioRecorder(manager: manager)
///     try await recorder.record(to: "memo.flac")
///     …
///     let recording = await recorder.stop()
///
/// The file can be read at any moment up to the last second, also if the program is killed. The
/// recording ends when another session interrupts this one, when the microphone is pulled, and when
/// the session's category no longer records. It then keeps its content and reports the reason
/// (``Event/finished(_:reason:at:)``). No other microphone replaces one that is lost; one that is
/// chosen before is recorded from ``Event/inputChanged(_:at:)`` on. A missing microphone is an
/// error, a muted one an event.
///
/// The actor runs on its manager's thread. `nonisolated` members read a snapshot from any thread
/// and never wait. Files are written on a thread of the recorder's own, which sleeps while nothing
/// is recorded.
///
/// Counterpart of `AVAudioRecorder`, and of a tap on `AVAudioEngine`'s input node.
public actor AudioRecorder {
    /// The session that governs the recorder.
    public nonisolated let session: AudioSession
    /// The configuration with which the recorder was made.
    public nonisolated let configuration: Configuration
    private let ownsSession: Bool
    package nonisolated let environment: RecorderEnvironment
    package nonisolated let snapshot = Locked(CaptureSnapshot())
    nonisolated let broadcaster = EventBroadcaster<Event>()
    nonisolated let listeners = EventBroadcaster<Buffer>()
    package var driver: StreamDriver<RecorderStateMachine>
    var writer: RecordingWriter?
    package var observed: InputObservation?
    package var echoTarget: String?
    /// The calls that wait until a recording's file is closed.
    var waiting: [UInt64: [CheckedContinuation<Recording?, Never>]] = [:]
    var last: Recording?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { session.unownedExecutor }

    /// Makes a recorder with a session of its own, of category record, which interrupts other
    /// sessions.
    /// - Parameters:
    ///   - manager: The manager of the session.
    ///   - configuration: The format, the names in mixers, and the handling of files and
    ///     interruptions.
    // It is hidden from the optimizer, like all initializers here, as AudioSession explains.
    @_semantics("optimize.no.crossmodule")
    public init(manager: AudioSessionManager, configuration: Configuration = Configuration()) {
        self.init(AudioSession(for: .input, on: manager), ownsSession: true, configuration, in: .pipeWire)
    }

    /// Makes a recorder of an existing session, whose category must be record, playAndRecord or
    /// multiRoute.
    /// - Parameters:
    ///   - session: The session that governs the recorder.
    ///   - configuration: The format, the names in mixers, and the handling of files and
    ///     interruptions.
    @_semantics("optimize.no.crossmodule")
    public init(session: AudioSession, configuration: Configuration = Configuration()) {
        self.init(session, ownsSession: false, configuration, in: .pipeWire)
    }

    @_semantics("optimize.no.crossmodule")
    package init(
        _ session: AudioSession, ownsSession: Bool = false, _ configuration: Configuration = .init(),
        in environment: RecorderEnvironment
    ) {
        self.session = session
        self.ownsSession = ownsSession
        self.configuration = configuration
        self.environment = environment
        driver = StreamDriver(
            RecorderStateMachine(
                continuesAfterInterruption: configuration.continuesAfterInterruption,
                keepsPausedRecordings: configuration.keepsPausedRecordings,
                isMuted: session.manager.isInputMuted))
    }

    isolated deinit { shutDown() }

    // MARK: Control

    /// Starts a recording to a file, until ``stop()`` or another end.
    ///
    /// An existing file is replaced when the recording begins, and stays unchanged if it does not
    /// begin. Only the user may read the new file, unless ``Configuration/filePermissions`` says
    /// otherwise. An inactive session is activated first. If ``stop()`` or ``pause()`` is called
    /// meanwhile, nothing is recorded. Counterpart of `record()`.
    /// - Parameters:
    ///   - path: The path of a regular file, or a free name in a folder that the program may write
    ///     to.
    ///   - type: The file type; `nil` derives it from the end of the path, or else takes WAV.
    /// - Throws: In each case nothing is recorded.
    ///   - `incompatibleCategory` if the session's category has no input.
    ///   - `noMicrophone` if the computer has no input.
    ///   - `alreadyRecording` during another recording.
    ///   - `sessionNotActive` if another session interrupts this one.
    ///   - The errors of `AudioSession.activate()`, unchanged.
    ///   - `cannotWrite` if the file cannot be created.
    ///   - `unsupportedRecordingFormat` if no file of the configured format can be written, or the
    ///     echo cannot be cancelled in it.
    ///   - `echoCancellerMissing` if echo-cancelled input is preferred and cannot be had.
    ///   - `mediaServicesFailed` without PipeWire.
    ///   - `closed` after ``close()``.
    public func record(to path: String, as type: FileType? = nil) async throws(AudioSessionError) {
        try await start(to: path, as: type ?? FileType(path: path))
    }

    /// Starts a recording without a file, for ``buffers(bufferingNewest:)`` and ``currentLevels``.
    /// - Throws: The errors of ``record(to:as:)`` except those of files.
    public func record() async throws(AudioSessionError) { try await start(to: nil, as: .wav) }

    /// Pauses the recording until ``resume()``. Its file is complete soon after.
    public func pause() { handle(.pause) }

    /// Resumes a paused recording in the same file.
    ///
    /// A session that is not active is activated first. If ``stop()`` or ``pause()`` is called
    /// meanwhile, the recording stays stopped or paused.
    /// - Throws: `notPaused` without a paused recording, and the errors of ``record(to:as:)``. The
    ///   recording then stays paused.
    public func resume() async throws(AudioSessionError) {
        try checkUsable()
        guard case .paused = machine.state else {
            throw AudioSessionError(.notPaused, "There is no paused recording. Call record(to:) to begin one.")
        }
        try await resumeCapture()
    }

    /// Stops the recording, and returns when its file is closed.
    ///
    /// The session stays active, and other sessions interrupted, until the session is deactivated
    /// or the recorder closed. Counterpart of `stop()`.
    /// - Returns: The recording; `nil` if nothing was recorded. If the end of the file could not be
    ///   written, ``Event/failed(_:at:)`` has reported why.
    @discardableResult
    public func stop() async -> Recording? {
        // The recording before is not the one that is stopped.
        let cancelsStart = machine.isStarting
        let recording = await withCheckedContinuation { continuation in
            let number = machine.recording
            let isOver = machine.state == .stopped && !machine.isFinishing(number)
            if !isOver { waiting[number, default: []].append(continuation) }
            handle(.stop)
            if isOver { continuation.resume(returning: last) }
        }
        return cancelsStart ? nil : recording
    }

    /// Closes the recorder: stops the recording and releases its stream and file. Event sequences
    /// end, and later calls fail with `closed`.
    public func close() async {
        _ = await stop()
        shutDown()
        if ownsSession { await session.close() }
    }

    // MARK: State and buffers

    /// The recorder's state, with the reason of a pause.
    public nonisolated var state: State { snapshot.withLock(\.state) }

    /// The port of the current or last recording; `nil` before the first one.
    public nonisolated var input: PortDescription? { snapshot.withLock(\.input) }

    /// The current level of each channel; silence while nothing is recorded.
    public var currentLevels: [Level] { levels(ofChannels: configuration.format.channelCount) }

    /// Returns the buffers of all recordings of this recorder from now on, ten a second, for one
    /// listener.
    ///
    /// A slow listener does not delay the file. It loses the oldest buffers, which
    /// `EventSequence.droppedCount` counts.
    /// - Parameter capacity: The maximum number of buffers that wait for the listener.
    public nonisolated func buffers(bufferingNewest capacity: Int = 64) -> EventSequence<Buffer> {
        listeners.events(bufferingNewest: capacity)
    }

    /// Calls `handler` for each later buffer on the PipeWire loop's thread. It must not block.
    package nonisolated func observeBuffers(_ handler: @escaping @Sendable (Buffer) -> Void) -> EventObservation {
        listeners.observe(handler)
    }

    // MARK: Events

    /// Returns the recorder's events from now on, for one listener.
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

extension AudioRecorder {
    /// Starts a recording. Whatever can fail without an effect on other sessions is tried before
    /// they are interrupted.
    /// - Parameters:
    ///   - path: The path of the file; `nil` for a recording without one.
    ///   - type: The type of the file. Without a path, it decides only which formats are permitted.
    private func start(to path: String?, as type: FileType) async throws(AudioSessionError) {
        try checkUsable()
        guard machine.state == .stopped, !machine.isStarting else {
            throw AudioSessionError(
                .alreadyRecording, "A recording is in progress. Stop it first, or make another recorder.")
        }
        handle(.recordRequested)
        defer { handle(.recordReturned) }
        try await checkEchoCanceller(rate: configuration.format.sampleRate)
        try checkUsable()
        guard machine.request != .cancelledRecord else { return }
        try checkSurroundings()
        let writer = try startWriter()
        if let path {
            try await writer.check(path, type, configuration)
        } else {
            try RecordingFile.check(configuration.format, as: type)
        }
        try checkUsable()
        guard machine.request != .cancelledRecord else { return }
        joinSession()
        guard session.state != .interrupted else { throw .interrupted }
        try await activate()
        guard machine.request != .cancelledRecord else { return }
        if let path { try await writer.open(path, type, configuration) }
        // Calls of stop() and pause() that arrived during the activation come first.
        await Task.yield()
        guard try await isWanted(writer) else { return }
        startCapture(.record(path: path))
        // When the call returns, the file has its path.
        if let error = await writer.waitForCommands() { throw error }
    }

    /// Whether the recording is still to begin after the recorder has waited. Otherwise the opened
    /// file is discarded.
    private func isWanted(_ writer: RecordingWriter) async throws(AudioSessionError) -> Bool {
        do throws(AudioSessionError) {
            try checkUsable()
            guard session.state == .active else { throw .interrupted }
            try checkSurroundings()
        } catch {
            await writer.discard()
            throw error
        }
        if machine.request != .cancelledRecord { return true }
        await writer.discard()
        return false
    }

    package func checkUsable() throws(AudioSessionError) {
        guard driver.isClosed else { return }
        throw AudioSessionError(.closed, "The recorder was closed. Make another one.")
    }
}
