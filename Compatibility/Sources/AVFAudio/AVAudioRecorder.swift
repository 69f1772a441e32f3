import AudioSessionPlayback
import AudioSessions
import Dispatch
public import Foundation

/// Records to a file, in the words of iOS. WAV and FLAC.
///
/// The session's category has to be one that records. An interruption pauses the recording, and ``record()`` goes on in the
/// same file; when the interruption ends with the advice to resume it goes on by itself. When the microphone is pulled it
/// finishes. Calls wait for PipeWire; see ``AVAudioSession``.
public final class AVAudioRecorder: NSObject, Sendable {
    /// Where it records to.
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
        /// Of what was recorded, and since when more is.
        var recorded = 0.0
        var since: TimeInterval?
        var limit: DispatchWorkItem?
        var observation: EventObservation?
    }

    /// - Parameters:
    ///   - url: the file, which is made when it is recorded into.
    ///   - settings: `AVFormatIDKey` (linear PCM or FLAC; without it what the file's name says), `AVSampleRateKey`,
    ///     `AVNumberOfChannelsKey`, `AVLinearPCMBitDepthKey` (16 or 24); others are ignored.
    /// - Throws: `fmt?` for other formats; `mediaServicesFailed` without PipeWire.
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

    /// What it was made with.
    public var settings: [String: Any] { state.withLock(\.settings) }

    /// Held weakly.
    public var delegate: (any AVAudioRecorderDelegate)? {
        get { state.withLock(\.delegate) }
        set { state.withLock { $0.delegate = newValue } }
    }

    // MARK: Control

    /// Always `true`; the file is made by ``record()``.
    @discardableResult
    public func prepareToRecord() -> Bool { true }

    /// Begins a recording, which overwrites the file, or goes on with a paused one. Activates the session.
    /// - Returns: whether it records; `false` without a microphone, and with a category that does not record.
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
            }
            return true
        }
        return records ?? false
    }

    /// The same, and stops after so many seconds.
    @discardableResult
    public func record(forDuration duration: TimeInterval) -> Bool {
        guard record() else { return false }
        let limit = DispatchWorkItem { [weak self] in self?.stop() }
        state.withLock { $0.limit = limit }
        DispatchQueue.global().asyncAfter(deadline: .now() + max(0, duration), execute: limit)
        return true
    }

    /// Records no more until ``record()``.
    public func pause() {
        let recorder = recorder
        try? session.perform { _ in await recorder.pause() }
    }

    /// Ends the recording, and returns when its file is closed.
    public func stop() {
        state.withLock { state in
            state.limit?.cancel()
            state.limit = nil
        }
        let recorder = recorder
        try? session.perform { _ in _ = await recorder.stop() }
    }

    /// Removes the file of a recording that is over.
    /// - Returns: whether there was one.
    @discardableResult
    public func deleteRecording() -> Bool {
        guard recorder.state == .stopped else { return false }
        return (try? FileManager.default.removeItem(at: url)) != nil
    }

    public var isRecording: Bool { recorder.state == .recording }

    /// How much was recorded, in seconds; 0 when it is stopped.
    public var currentTime: TimeInterval {
        state.withLock { $0.recorded + ($0.since.map { deviceCurrentTime - $0 } ?? 0) }
    }
    /// A clock that never goes back, in seconds.
    public var deviceCurrentTime: TimeInterval { ProcessInfo.processInfo.systemUptime }

    // MARK: Levels

    public var isMeteringEnabled: Bool {
        get { state.withLock(\.isMeteringEnabled) }
        set { state.withLock { $0.isMeteringEnabled = newValue } }
    }

    /// Looks at the levels, if ``isMeteringEnabled``.
    public func updateMeters() {
        guard isMeteringEnabled else { return }
        let recorder = recorder
        guard let levels = try? session.perform({ _ in await recorder.currentLevels }) else { return }
        state.withLock { $0.levels = levels }
    }

    /// When ``updateMeters()`` last looked; -160 is silence.
    public func averagePower(forChannel channelNumber: Int) -> Float { level(channelNumber).averagePower }
    /// When ``updateMeters()`` last looked; -160 is silence.
    public func peakPower(forChannel channelNumber: Int) -> Float { level(channelNumber).peakPower }

    private func level(_ channel: Int) -> AudioRecorder.Level {
        let levels = state.withLock(\.levels)
        return levels.indices.contains(channel) ? levels[channel] : .silence
    }

    // MARK: News

    private func receive(_ event: AudioRecorder.Event) {
        switch event {
        case .stateChanged(let new): timed(new)
        case .failed(let error):
            tell { $0.audioRecorderEncodeErrorDidOccur($1, error: NSError(error)) }
        case .finished(_, let reason):
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
