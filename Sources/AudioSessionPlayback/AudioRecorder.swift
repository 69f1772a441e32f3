public import AudioSessions
import PipeWireGraph

/// Records what the microphone hears: to a WAV or FLAC file, as buffers for the program, or both.
///
///     let recorder = AudioRecorder(manager: manager)
///     try await recorder.record(to: "memo.flac")
///     …
///     let recording = try await recorder.stop()
///
/// The file can be read at any moment, up to the last second, also if the program is killed. When another session takes
/// over, when the microphone is pulled, and when the session's category no longer records, the recording ends, keeps
/// what it has, and says why (``Event/finished(_:reason:)``); nothing of another microphone gets into it. A microphone
/// that is missing is an error, one that is muted an event.
///
/// The recorder runs on its manager's thread. What may be read from anywhere without waiting is `nonisolated`. Files
/// are written on another thread of the recorder's own; nothing wakes up while it does not record.
///
/// Counterpart of `AVAudioRecorder`, and of a tap on `AVAudioEngine`'s input node.
public actor AudioRecorder {
    /// Whose turn it is when something is recorded.
    public nonisolated let session: AudioSession
    /// What the recorder was made with.
    public nonisolated let configuration: Configuration
    private let ownsSession: Bool
    package nonisolated let environment: RecorderEnvironment
    nonisolated let snapshot: Locked<Snapshot>
    nonisolated let broadcaster = EventBroadcaster<Event>()
    nonisolated let listeners = EventBroadcaster<Buffer>()
    package var driver: StreamDriver<RecorderStateMachine>
    var writer: RecordingWriter?
    /// What the stream was last seen to record from.
    var observed: InputObservation?
    /// Of the stream before this one.
    var formerReport = CaptureStream.Report()
    /// Those who wait for a recording's file to be closed.
    var waiting: [UInt64: [CheckedContinuation<Recording?, Never>]] = [:]
    var last: Recording?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { session.unownedExecutor }

    /// A recorder with a session of its own, of category record: others are silent meanwhile.
    // For the reason given at AudioSession's; and so below.
    @_semantics("optimize.no.crossmodule")
    public init(manager: AudioSessionManager, configuration: Configuration = Configuration()) {
        self.init(AudioSession(recordingOn: manager), ownsSession: true, configuration, in: .pipeWire)
    }

    /// A recorder that records when it is the session's turn. The session's category has to be one that records:
    /// record, playAndRecord or multiRoute.
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
                isMuted: session.manager.isInputMuted))
        snapshot = Locked(Snapshot())
    }

    isolated deinit { shutDown() }

    // MARK: Control

    /// Records to a file, from now until ``stop()`` or one of the other ends. A file that is there is replaced when the
    /// recording begins, and is as it was if it does not. Only the user may read the new one, unless
    /// ``Configuration/filePermissions`` says otherwise. An inactive session is activated first; stopped or paused while
    /// it waits for that, nothing is recorded.
    /// - Parameters:
    ///   - path: a regular file, or the name of one that is to be, in a folder that the program may write into.
    ///   - type: `nil` takes what the name ends with, else WAV.
    /// - Throws: `categoryDoesNotRecord`, `noMicrophone`, `alreadyRecording`, `sessionNotActivated` if it is not the
    ///   session's turn, `cannotWrite`, `unsupportedFormat`, `mediaServicesFailed`, `closed`. Nothing is recorded then.
    public func record(to path: String, as type: FileType? = nil) async throws(RecordingError) {
        let (type, configuration) = (type ?? FileType(path: path), configuration)
        try await start(path) { writer throws(RecordingError) in
            try RecordingFile.check(
                path, type, configuration.format, followsSymbolicLinks: configuration.followsSymbolicLinks)
            return { () async throws(RecordingError) in try await writer.open(path, type, configuration) }
        }
    }

    /// Records without a file: for ``buffers(bufferingNewest:)`` and ``currentLevels``.
    /// - Throws: as ``record(to:as:)``.
    public func record() async throws(RecordingError) {
        try await start(nil) { _ throws(RecordingError) in
            try RecordingFile.check(configuration.format)
            return { () async throws(RecordingError) in }
        }
    }

    /// Records no more until ``resume()``. The file is whole as it is.
    public func pause() { handle(.pause) }

    /// Goes on with a paused recording, in the same file. A session whose turn is over takes it back. Paused or stopped
    /// again while it waits for that, it stays so.
    /// - Throws: `notPaused`, and what ``record(to:as:)`` throws. It stays paused then.
    public func resume() async throws(RecordingError) {
        try checkUsable()
        guard case .paused = machine.state else {
            throw RecordingError(.notPaused, "There is no paused recording. Call record(to:) to begin one.")
        }
        try checkMachine()
        handle(.resumeRequested)
        defer { handle(.resumeReturned) }
        try await activate()
        guard session.state == .active else { throw .interrupted }
        try checkMachine()
        handle(.resume)
    }

    /// Ends the recording, and returns when its file is closed. The session stays active, and others silent, until it is
    /// deactivated or the recorder closed.
    /// - Returns: what the file holds; `nil` if nothing was recorded. If the end of the file could not be written,
    ///   ``Event/failed(_:)`` said why.
    @discardableResult
    public func stop() async -> Recording? {
        await withCheckedContinuation { continuation in
            let number = machine.recording
            let isOver = machine.state == .stopped && !machine.isFinishing(number)
            if !isOver { waiting[number, default: []].append(continuation) }
            handle(.stop)
            if isOver { continuation.resume(returning: last) }
        }
    }

    /// Ends the recording and lets go of everything; event sequences end. Every later call fails with `closed`.
    public func close() async {
        _ = await stop()
        shutDown()
        if ownsSession { await session.close() }
    }

    // MARK: What is recorded

    /// Whether it records, and if not, why.
    public nonisolated var state: State { snapshot.withLock(\.state) }

    /// What is recorded, or was last; `nil` before.
    public nonisolated var input: PortDescription? { snapshot.withLock(\.input) }

    /// How loud it is now, one for each channel; silence while nothing is recorded.
    public var currentLevels: [Level] {
        guard machine.state == .recording, let levels = stream?.report.levels, !levels.isEmpty else {
            let count = configuration.format.channelCount
            return Array(repeating: .silence, count: max(0, min(count, FrameRing.maximumChannels)))
        }
        return levels.map { Level(meanSquare: $0.meanSquare, peak: $0.peak) }
    }

    /// What is being recorded, ten times a second, from now on and for one listener, who gets every recording of this
    /// recorder one after the other. The file does not wait for it: what it is too slow for is lost for it, and
    /// counted in `EventSequence.droppedCount`.
    /// - Parameter capacity: how many buffers wait for it.
    public nonisolated func buffers(bufferingNewest capacity: Int = 64) -> EventSequence<Buffer> {
        listeners.events(bufferingNewest: capacity)
    }

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

extension AudioRecorder {
    private typealias Opening = () async throws(RecordingError) -> Void

    /// What can go wrong without disturbing others goes wrong before they are disturbed.
    private func start(
        _ path: String?, _ prepare: (RecordingWriter) throws(RecordingError) -> Opening
    ) async throws(RecordingError) {
        try checkUsable()
        guard machine.state == .stopped, !machine.isStarting else {
            throw RecordingError(
                .alreadyRecording, "A recording is under way. Stop it first, or make another recorder.")
        }
        handle(.recordRequested)
        defer { handle(.recordReturned) }
        try checkMachine()
        let writer = try startWriter()
        let open = try prepare(writer)
        joinSession()
        guard session.state != .interrupted else { throw .interrupted }
        try await activate()
        guard machine.request != .cancelledRecord else { return }
        try await open()
        guard try await isWanted(writer) else { return }
        try await writer.moveIntoPlace()
        guard try await isWanted(writer) else { return }
        handle(.record(path: path))
    }

    /// Whether the recording is still to begin: much may have happened while the recorder waited. If it is not, what was
    /// opened is discarded.
    private func isWanted(_ writer: RecordingWriter) async throws(RecordingError) -> Bool {
        do throws(RecordingError) {
            try checkUsable()
            guard session.state == .active else { throw .interrupted }
            try checkMachine()
        } catch {
            await writer.discard()
            throw error
        }
        if machine.request != .cancelledRecord { return true }
        await writer.discard()
        return false
    }

    private func checkMachine() throws(RecordingError) {
        guard isReady else { throw .notConnected }
        try checkCategory()
        try checkMicrophone()
    }

    private func activate() async throws(RecordingError) {
        guard session.state != .active else { return }
        do {
            try await session.activate()
        } catch {
            throw RecordingError(.sessionNotActivated, error.message, sessionError: error)
        }
        try checkUsable()
    }

    private func checkCategory() throws(RecordingError) {
        do {
            try session.configuration.require(.input, for: "Recording")
        } catch {
            throw RecordingError(.categoryDoesNotRecord, error.message, sessionError: error)
        }
    }

    private func checkMicrophone() throws(RecordingError) {
        guard !manager.availableInputs.isEmpty else { throw .noMicrophone }
    }

    private func checkUsable() throws(RecordingError) {
        guard driver.isClosed else { return }
        throw RecordingError(.closed, "The recorder was closed. Make another one.")
    }
}

extension RecordingError {
    fileprivate static let interrupted = RecordingError(
        .sessionNotActivated,
        "Another session has its turn, so nothing is recorded. Record again when the interruption has ended, or "
            + "activate the session to take the turn back.")
}
