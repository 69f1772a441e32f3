import AudioSessionPlayback
import AudioSessions
import Dispatch
public import Foundation

/// Records to a WAV or FLAC file, with the interface of Apple's `AVAudioRecorder`.
///
/// The session's category must allow recording. An interruption pauses the recording, and
/// ``record()`` continues it in the same file. If the interruption ends with the advice to resume,
/// recording continues automatically. Unplugging the microphone finishes the recording. Calls wait
/// for PipeWire, as described for ``AVAudioSession``.
public final class AVAudioRecorder: NSObject, Sendable {
    /// The file of the recording.
    public let url: URL
    private let session: AVAudioSession
    private let wanted: RecordingSettings
    private let recorder: AudioRecorder
    private let state: Locked<State>

    private struct State {
        weak var delegate: (any AVAudioRecorderDelegate)?
        var settings: [String: Any]
        var isMeteringEnabled = false
        var levels: [AudioRecorder.Level] = []
        /// The recorded seconds, and the time since which more is recorded.
        var recorded = 0.0
        var since: TimeInterval?
        var limit: DispatchWorkItem?
        var observation: EventObservation?
    }

    /// Creates a recorder. The file is created when recording begins.
    ///
    /// - Parameters:
    ///   - url: the file of the recording.
    ///   - settings: `AVFormatIDKey` (linear PCM or FLAC; without it, the file's name decides),
    ///     `AVSampleRateKey`, `AVNumberOfChannelsKey`, `AVLinearPCMBitDepthKey` (16 or 24). Other
    ///     settings are ignored.
    /// - Throws: `fmt?` for other formats, `mediaServicesFailed` without PipeWire.
    public init(url: URL, settings: [String: Any]) throws {
        guard url.isFileURL else { throw NSError(status: -50, "'\(url)' is no file.") }
        let wanted = try RecordingSettings(settings, path: url.path)
        let session = AVAudioSession.sharedInstance()
        let recorder = try session.perform { backend in
            AudioRecorder(
                session: backend.session,
                configuration: .init(format: wanted.format, continuesAfterInterruption: true))
        }
        self.url = url
        self.session = session
        self.wanted = wanted
        self.recorder = recorder
        state = Locked(State(settings: settings))
        super.init()
        let observation = recorder.observe { [weak self] in self?.receive($0) }
        state.withLock { $0.observation = observation }
    }

    /// The settings with which the recorder was created.
    public var settings: [String: Any] { state.withLock(\.settings) }

    /// The delegate, which is referenced weakly.
    public var delegate: (any AVAudioRecorderDelegate)? {
        get { state.withLock(\.delegate) }
        set { state.withLock { $0.delegate = newValue } }
    }

    // MARK: Control

    /// Always returns `true`, because ``record()`` creates the file.
    @discardableResult
    public func prepareToRecord() -> Bool { true }

    /// Begins a recording, which overwrites the file, or continues a paused one. Activates the
    /// session.
    ///
    /// - Returns: whether it records; `false` without a microphone or if the category does not
    ///   allow recording.
    @discardableResult
    public func record() -> Bool {
        let (recorder, path, type) = (recorder, url.path, wanted.type)
        let records = try? session.perform { backend in
            switch recorder.state {
            case .recording: break
            case .paused: try await recorder.resume()
            case .stopped:
                if backend.session.state == .interrupted { try await backend.session.activate() }
                try await recorder.record(to: path, as: type)
            @unknown default: break
            }
            return true
        }
        return records ?? false
    }

    /// Begins or continues a recording like ``record()``, and stops after a number of seconds.
    @discardableResult
    public func record(forDuration duration: TimeInterval) -> Bool {
        guard record() else { return false }
        let limit = DispatchWorkItem { [weak self] in self?.stop() }
        state.withLock { $0.limit = limit }
        DispatchQueue.global().asyncAfter(deadline: .now() + max(0, duration), execute: limit)
        return true
    }

    /// Pauses the recording until ``record()`` is called.
    public func pause() {
        let recorder = recorder
        try? session.perform { _ in await recorder.pause() }
    }

    /// Ends the recording, and returns after its file is closed.
    public func stop() {
        state.withLock { state in
            state.limit?.cancel()
            state.limit = nil
        }
        let recorder = recorder
        try? session.perform { _ in _ = await recorder.stop() }
    }

    /// Deletes the file of a finished recording.
    ///
    /// - Returns: whether there was a file.
    @discardableResult
    public func deleteRecording() -> Bool {
        guard recorder.state == .stopped else { return false }
        return (try? FileManager.default.removeItem(at: url)) != nil
    }

    public var isRecording: Bool { recorder.state == .recording }

    /// The recorded duration in seconds; 0 while the recorder is stopped.
    public var currentTime: TimeInterval {
        state.withLock { $0.recorded + ($0.since.map { deviceCurrentTime - $0 } ?? 0) }
    }
    /// A monotonic clock in seconds.
    public var deviceCurrentTime: TimeInterval { ProcessInfo.processInfo.systemUptime }

    // MARK: Levels

    public var isMeteringEnabled: Bool {
        get { state.withLock(\.isMeteringEnabled) }
        set { state.withLock { $0.isMeteringEnabled = newValue } }
    }

    /// Updates the levels if ``isMeteringEnabled`` is true.
    public func updateMeters() {
        guard isMeteringEnabled else { return }
        let recorder = recorder
        guard let levels = try? session.perform({ _ in await recorder.currentLevels }) else { return }
        state.withLock { $0.levels = levels }
    }

    /// The average level at the last ``updateMeters()``, in decibels; -160 is silence.
    public func averagePower(forChannel channelNumber: Int) -> Float { level(channelNumber).averagePower }
    /// The peak level at the last ``updateMeters()``, in decibels; -160 is silence.
    public func peakPower(forChannel channelNumber: Int) -> Float { level(channelNumber).peakPower }

    private func level(_ channel: Int) -> AudioRecorder.Level {
        let levels = state.withLock(\.levels)
        return levels.indices.contains(channel) ? levels[channel] : .silence
    }

    // MARK: Events

    private func receive(_ event: AudioRecorder.Event) {
        switch event {
        case .stateChanged(let new, _): timed(new)
        case .failed(let error, _):
            tell { $0.audioRecorderEncodeErrorDidOccur($1, error: NSError(error)) }
        case .finished(_, let reason, _):
            tell { $0.audioRecorderDidFinishRecording($1, successfully: reason != .failed) }
        default: break
        }
    }

    private func timed(_ new: AudioRecorder.State) {
        let now = deviceCurrentTime
        state.withLock { state in
            if let since = state.since { state.recorded += now - since }
            state.since = new == .recording ? now : nil
            if new == .stopped { state.recorded = 0 }
        }
    }

    private func tell(_ call: @escaping @Sendable (any AVAudioRecorderDelegate, AVAudioRecorder) -> Void) {
        DispatchQueue.main.async { [self] in
            if let delegate { call(delegate, self) }
        }
    }
}
