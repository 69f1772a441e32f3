@_spi(Compatibility) import AudioSessionPlayback
import AudioSessions
import Dispatch
public import Foundation

/// Records to a WAV or FLAC file, with the interface of Apple's `AVAudioRecorder`.
///
/// The session's category must allow recording. An interruption pauses the recording, and
/// ``record()`` continues it in the same file. If the interruption ends with the advice to resume,
/// recording continues automatically. Unplugging the microphone finishes the recording. Calls wait
/// for PipeWire, as described for ``AVAudioSession``.
///
/// Tests may subclass it.
// Unchecked, because the compiler checks only final classes. Its properties are Sendable constants.
open class AVAudioRecorder: NSObject, @unchecked Sendable {
    private let file: URL
    /// The recorder of the library; `nil` for a recorder that was created without a file.
    private let prepared: Prepared?
    private let state: Locked<State>

    private struct Prepared: Sendable {
        let session: SessionImplementation
        let recorder: AudioRecorder
        let type: AudioRecorder.FileType
    }

    private struct State {
        weak var delegate: (any AVAudioRecorderDelegate)?
        var settings: [String: Any]
        var isMeteringEnabled = false
        var levels: [AudioRecorder.Level] = []
        /// The recorded seconds, and the time since which more is recorded.
        var recorded = 0.0
        var since: TimeInterval?
        var phase = AudioRecorder.State.stopped
        /// The recorded seconds at which the recording ends.
        var limit: TimeInterval?
        /// The start and the end that are scheduled.
        var start: DispatchWorkItem?
        var end: DispatchWorkItem?
        var observation: EventObservation?

        func time(at now: TimeInterval) -> TimeInterval { recorded + (since.map { now - $0 } ?? 0) }
    }

    /// Creates a recorder without a file, for a subclass. It does not record.
    public override init() {
        file = URL(fileURLWithPath: "/dev/null")
        prepared = nil
        state = Locked(State(settings: [:]))
    }

    /// Creates a recorder of a format. The file is created when recording begins.
    ///
    /// - Parameters:
    ///   - url: the file of the recording, whose name decides whether it is WAV or FLAC.
    ///   - format: the rate and the number of channels.
    /// - Throws: the errors of ``init(url:settings:)``.
    public convenience init(url: URL, format: AVAudioFormat) throws {
        var settings = format.settings
        settings[AVFormatIDKey] = nil
        try self.init(url: url, settings: settings)
    }

    /// Creates a recorder. The file is created when recording begins.
    ///
    /// - Parameters:
    ///   - url: the file of the recording.
    ///   - settings: `AVFormatIDKey` (linear PCM or FLAC; without it, the file's name decides),
    ///     `AVSampleRateKey`, `AVNumberOfChannelsKey`, `AVLinearPCMBitDepthKey` (16 or 24). Other
    ///     settings are ignored.
    /// - Throws: `fmt?` for other formats, and for a rate or number of channels that no file has;
    ///   `mediaServicesFailed` without PipeWire; -50 if `url` is no file URL.
    public init(url: URL, settings: [String: Any]) throws {
        guard url.isFileURL else {
            throw NSError(status: -50, "'\(url)' is no file URL. Record to one that begins with 'file:///'.")
        }
        let wanted = try RecordingSettings(settings, path: url.path)
        do { try wanted.format.check(as: wanted.type) } catch { throw NSError(error) }
        let shared = AVAudioSession.sharedInstance()
        let session = shared.implementation
        var configuration = AudioRecorder.Configuration(
            format: wanted.format, continuesAfterInterruption: true,
            prefersEchoCancelledInput: shared.cancelsEcho(ofRecordingAt: wanted.format.sampleRate))
        configuration.keepsPausedRecordings = true
        let recorder = try session.perform { [configuration] backend in
            AudioRecorder(session: backend.session, configuration: configuration)
        }
        shared.notePrepared(recorder)
        file = url
        prepared = Prepared(session: session, recorder: recorder, type: wanted.type)
        state = Locked(State(settings: settings))
        super.init()
        let observation = recorder.observe { [weak self] in self?.receive($0) }
        state.withLock { $0.observation = observation }
    }

    /// The file of the recording.
    open var url: URL { file }

    /// The rate and the number of channels of the recording, as interleaved integers of 16 bits.
    open var format: AVAudioFormat {
        let wanted = (try? RecordingSettings(settings, path: url.path))?.format
        let format = AVAudioFormat(
            commonFormat: .pcmFormatInt16, sampleRate: Double(wanted?.sampleRate ?? 44_100),
            channels: AVAudioChannelCount(wanted?.channelCount ?? 2), interleaved: true)
        return format ?? AVAudioFormat.stereo
    }

    /// The settings with which the recorder was created.
    open var settings: [String: Any] { state.withLock(\.settings) }

    /// The delegate, which is referenced weakly.
    open var delegate: (any AVAudioRecorderDelegate)? {
        get { state.withLock(\.delegate) }
        set { state.withLock { $0.delegate = newValue } }
    }

    // MARK: Control

    /// Always returns `true`, because ``record()`` creates the file.
    @discardableResult
    open func prepareToRecord() -> Bool { true }

    /// Begins a recording, which overwrites the file, or continues a paused one. Activates the
    /// session.
    ///
    /// - Returns: whether it records; `false` without a microphone, if the category does not allow
    ///   recording, or if PipeWire refuses the stream.
    @discardableResult
    open func record() -> Bool {
        cancelStart()
        guard let prepared else { return false }
        let (recorder, path, type) = (prepared.recorder, url.path, prepared.type)
        let records = try? prepared.session.perform { backend in
            switch recorder.state {
            case .recording: break
            case .paused: try await recorder.resume()
            case .stopped:
                if backend.session.state == .interrupted { try await backend.session.activate() }
                try await recorder.record(to: path, as: type)
            @unknown default: break
            }
            // The stream may have failed, or the session may have been interrupted again.
            return recorder.state == .recording
        }
        return records ?? false
    }

    /// Begins or continues a recording like ``record()``, and stops when a number of seconds is
    /// recorded. Pauses do not count.
    @discardableResult
    open func record(forDuration duration: TimeInterval) -> Bool {
        guard record() else { return false }
        let now = deviceCurrentTime
        state.withLock { state in
            state.limit = state.time(at: now) + max(0, duration)
            scheduleEnd(&state, at: now)
        }
        return true
    }

    private func scheduleEnd(_ state: inout State, at now: TimeInterval) {
        state.end?.cancel()
        state.end = nil
        guard let limit = state.limit else { return }
        if case .paused = state.phase { return }
        let end = DispatchWorkItem { [weak self] in self?.stop() }
        state.end = end
        DispatchQueue.global().asyncAfter(deadline: .now() + max(0, limit - state.time(at: now)), execute: end)
    }

    /// Records like ``record()``, but not before a time.
    ///
    /// - Parameter time: a time of ``deviceCurrentTime``; one that has passed records at once.
    /// - Returns: whether it records, or will try to.
    @discardableResult
    open func record(atTime time: TimeInterval) -> Bool {
        schedule(at: time) { $0.record() }
    }

    /// Records like ``record(forDuration:)``, but not before a time.
    @discardableResult
    open func record(atTime time: TimeInterval, forDuration duration: TimeInterval) -> Bool {
        schedule(at: time) { $0.record(forDuration: duration) }
    }

    private func schedule(at time: TimeInterval, _ record: @escaping @Sendable (AVAudioRecorder) -> Bool) -> Bool {
        let delay = time - deviceCurrentTime
        guard prepared != nil, delay.isFinite else { return false }
        guard delay > 0 else { return record(self) }
        let start = DispatchWorkItem { [weak self] in if let self { _ = record(self) } }
        state.withLock { state in
            state.start?.cancel()
            state.start = start
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + delay, execute: start)
        return true
    }

    private func cancelStart() {
        state.withLock { state in
            state.start?.cancel()
            state.start = nil
        }
    }

    /// The stop that ``record(forDuration:)`` has scheduled. Not private, for tests.
    final var scheduledStop: DispatchWorkItem? { state.withLock(\.end) }

    /// Pauses the recording until ``record()`` is called.
    open func pause() {
        cancelStart()
        guard let prepared else { return }
        try? prepared.session.perform { _ in await prepared.recorder.pause() }
    }

    /// Ends the recording, and returns after its file is closed.
    open func stop() {
        cancelStart()
        state.withLock { state in
            state.limit = nil
            scheduleEnd(&state, at: 0)
        }
        guard let prepared else { return }
        try? prepared.session.perform { _ in _ = await prepared.recorder.stop() }
    }

    /// Deletes the file of a finished recording.
    ///
    /// - Returns: whether there was a file.
    @discardableResult
    open func deleteRecording() -> Bool {
        guard prepared?.recorder.state == .stopped else { return false }
        return (try? FileManager.default.removeItem(at: url)) != nil
    }

    /// Whether the recorder records.
    open var isRecording: Bool { prepared?.recorder.state == .recording }

    /// The recorded duration in seconds; 0 while the recorder is stopped.
    open var currentTime: TimeInterval {
        let now = deviceCurrentTime
        return state.withLock { $0.time(at: now) }
    }
    /// A monotonic clock in seconds.
    open var deviceCurrentTime: TimeInterval { ProcessInfo.processInfo.systemUptime }

    // MARK: Levels

    /// Whether levels are measured.
    open var isMeteringEnabled: Bool {
        get { state.withLock(\.isMeteringEnabled) }
        set { state.withLock { $0.isMeteringEnabled = newValue } }
    }

    /// Updates the levels if ``isMeteringEnabled`` is true.
    open func updateMeters() {
        guard isMeteringEnabled, let prepared else { return }
        guard let levels = try? prepared.session.perform({ _ in await prepared.recorder.currentLevels }) else {
            return
        }
        state.withLock { $0.levels = levels }
    }

    /// The average level at the last ``updateMeters()``, in decibels; -160 is silence.
    open func averagePower(forChannel channelNumber: Int) -> Float { level(channelNumber).averagePower }
    /// The peak level at the last ``updateMeters()``, in decibels; -160 is silence.
    open func peakPower(forChannel channelNumber: Int) -> Float { level(channelNumber).peakPower }

    private func level(_ channel: Int) -> AudioRecorder.Level {
        let levels = state.withLock(\.levels)
        return levels.indices.contains(channel) ? levels[channel] : .silence
    }

    // MARK: Events

    /// Receives an event of the library's recorder. Not private, for tests.
    final func receive(_ event: AudioRecorder.Event) {
        switch event {
        case .stateChanged(let new, _): timed(new)
        case .failed(let error, _):
            notify { $0.audioRecorderEncodeErrorDidOccur($1, error: NSError(error)) }
        case .finished(_, let reason, _):
            notify { $0.audioRecorderDidFinishRecording($1, successfully: reason != .failed) }
        default: break
        }
    }

    private func timed(_ new: AudioRecorder.State) {
        let now = deviceCurrentTime
        state.withLock { state in
            state.recorded = state.time(at: now)
            state.since = new == .recording ? now : nil
            // The limit of one recording does not apply to another.
            if new == .stopped || state.phase == .stopped { (state.recorded, state.limit) = (0, nil) }
            state.phase = new
            scheduleEnd(&state, at: now)
        }
    }

    private func notify(_ call: @escaping @Sendable (any AVAudioRecorderDelegate, AVAudioRecorder) -> Void) {
        DispatchQueue.main.async { [self] in
            if let delegate { call(delegate, self) }
        }
    }
}
