import AudioSessionPlayback
@_spi(Compatibility) import AudioSessions
import Dispatch
public import Foundation

/// Plays one sound file, with the interface of Apple's `AVAudioPlayer`.
///
/// The formats are WAV, FLAC, Ogg/Vorbis, Opus and MP3, but not AAC. An interruption of the session
/// or the loss of its output pauses the player. Only ``play()`` starts it again. Calls wait for
/// PipeWire, as described for ``AVAudioSession``.
public final class AVAudioPlayer: NSObject, Sendable {
    private let session: AVAudioSession
    private let player: AudioPlayer
    private let file: SoundSource
    private let item: AudioPlayer.Item?
    private let state = Locked(State())

    private struct State {
        weak var delegate: (any AVAudioPlayerDelegate)?
        var loops = 0
        var loopsPlayed = 0
        var volume: Float = 1
        var rate: Float = 1
        var pan: Float = 0
        var enablesRate = false
        var isMeteringEnabled = false
        var isInterrupted = false
        /// Whether decoding has failed since playback began.
        var hasFailed = false
        var observations: [EventObservation] = []
    }

    /// Loads a sound file.
    ///
    /// - Parameter url: the file.
    /// - Throws: -43 if the file does not exist, -54 if it may not be read, `typ?` if its format is
    ///   not supported, `mediaServicesFailed` without PipeWire.
    public convenience init(contentsOf url: URL) throws { try self.init(SoundSource(url)) }

    /// Loads a sound file like ``init(contentsOf:)``. The hint is ignored, because the contents
    /// determine the format.
    public convenience init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
        try self.init(SoundSource(url))
    }

    /// Loads the contents of a sound file, which are kept in a temporary file.
    public convenience init(data: Data) throws { try self.init(SoundSource(data)) }

    /// Loads the contents of a sound file, which are kept in a temporary file. The hint is ignored.
    public convenience init(data: Data, fileTypeHint utiString: String?) throws { try self.init(SoundSource(data)) }

    private init(_ file: SoundSource) throws {
        let session = AVAudioSession.sharedInstance()
        let player = try session.perform { backend in
            let player = AudioPlayer(session: backend.session)
            try await player.load([file.path])
            return player
        }
        self.session = session
        self.player = player
        self.file = file
        item = player.currentItem
        super.init()
        let observations = [
            player.observe { [weak self] in self?.receive($0) },
            player.session.observe { [weak self] in self?.receive($0) },
        ]
        state.withLock { $0.observations = observations }
    }

    // MARK: Control

    /// Always returns `true`, because a loaded file is prepared.
    @discardableResult
    public func prepareToPlay() -> Bool { true }

    /// Plays from the current position. Activates the session, even if it was interrupted.
    ///
    /// - Returns: whether the player plays.
    @discardableResult
    public func play() -> Bool {
        let player = player
        let plays = try? session.perform { backend in
            if backend.session.state == .interrupted { try await backend.session.activate() }
            try await player.play()
            // Players receive an interruption before their session reports it.
            if player.state != .playing, backend.session.state == .interrupted {
                try await backend.session.activate()
            }
            return player.state == .playing
        }
        return plays ?? false
    }

    /// Pauses playback and keeps the position.
    public func pause() {
        let player = player
        try? session.perform { _ in await player.pause() }
    }

    /// Stops playback and keeps the position, as on iOS. Set ``currentTime`` to 0 to start over.
    public func stop() {
        state.withLock { $0.loopsPlayed = 0 }
        pause()
    }

    public var isPlaying: Bool { player.state == .playing }

    /// The playback position in seconds.
    public var currentTime: TimeInterval {
        get { player.position / .seconds(1) }
        set {
            let (player, time) = (player, Duration.seconds(max(0, newValue.isFinite ? newValue : 0)))
            try? session.perform { _ in try await player.seek(to: time) }
        }
    }

    /// The duration of the sound in seconds.
    public var duration: TimeInterval { (player.duration ?? .zero) / .seconds(1) }
    public var numberOfChannels: Int { item?.format.channelCount ?? 0 }
    /// Sample rate and number of channels, without `AVFormatIDKey`.
    public var settings: [String: Any] {
        [AVSampleRateKey: Double(item?.format.sampleRate ?? 0), AVNumberOfChannelsKey: numberOfChannels]
    }
    /// The file; `nil` for a player that was created from data.
    public var url: URL? { file.url }
    /// The data; `nil` for a player that was created from a URL.
    public var data: Data? { file.data }
    /// A monotonic clock in seconds.
    public var deviceCurrentTime: TimeInterval { ProcessInfo.processInfo.systemUptime }

    /// The delegate, which is referenced weakly.
    public var delegate: (any AVAudioPlayerDelegate)? {
        get { state.withLock(\.delegate) }
        set { state.withLock { $0.delegate = newValue } }
    }

    // MARK: Sound

    /// The amplitude from 0 to 1.
    public var volume: Float {
        get { state.withLock(\.volume) }
        set {
            guard !newValue.isNaN else { return }
            let volume = min(max(newValue, 0), 1)
            state.withLock { $0.volume = volume }
            // The library's volume uses the scale of sliders, which is the cube root of the
            // amplitude.
            let (player, position) = (player, cbrtf(volume))
            BlockingCalls.begin { try? await player.setVolume(position) }
        }
    }

    /// Sets the volume at once. The duration is ignored.
    public func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) { self.volume = volume }

    /// The number of repetitions; a negative number repeats without end. There is a short gap
    /// between repetitions.
    public var numberOfLoops: Int {
        get { state.withLock(\.loops) }
        set { state.withLock { $0.loops = newValue } }
    }

    /// Stored without any effect.
    public var pan: Float {
        get { state.withLock(\.pan) }
        set { state.withLock { $0.pan = newValue } }
    }
    /// Stored without any effect.
    public var enableRate: Bool {
        get { state.withLock(\.enablesRate) }
        set { state.withLock { $0.enablesRate = newValue } }
    }
    /// Stored without any effect.
    public var rate: Float {
        get { state.withLock(\.rate) }
        set { state.withLock { $0.rate = newValue } }
    }
    /// Stored without any effect.
    public var isMeteringEnabled: Bool {
        get { state.withLock(\.isMeteringEnabled) }
        set { state.withLock { $0.isMeteringEnabled = newValue } }
    }
    /// Does nothing, because levels are not measured.
    public func updateMeters() {}
    /// Always returns -160, which is silence.
    public func peakPower(forChannel channelNumber: Int) -> Float { -160 }
    /// Always returns -160, which is silence.
    public func averagePower(forChannel channelNumber: Int) -> Float { -160 }

    // MARK: Events

    private func receive(_ event: AudioPlayer.Event) {
        switch event {
        case .finished: finished()
        case .failed(let error, _):
            if error.isOfFile { state.withLock { $0.hasFailed = true } }
            tell { $0.audioPlayerDecodeErrorDidOccur($1, error: NSError(error)) }
        case .stateChanged(.paused(.interrupted), _):
            state.withLock { $0.isInterrupted = true }
            tell { $0.audioPlayerBeginInterruption($1) }
        // No end is reported for an interruption after the session was activated again or
        // deactivated.
        case .stateChanged(.playing, _), .stateChanged(.paused(.sessionInactive), _):
            state.withLock { $0.isInterrupted = false }
        default: break
        }
    }

    private func receive(_ event: AudioSession.Event) {
        guard case .interruptionEnded(let options, _) = event else { return }
        let wasInterrupted = state.withLock { state in
            defer { state.isInterrupted = false }
            return state.isInterrupted
        }
        guard wasInterrupted else { return }
        tell { $0.audioPlayerEndInterruption($1, withOptions: Int(options.rawValue)) }
    }

    private func finished() {
        let (goesOn, isSuccess) = state.withLock { state in
            defer { state.hasFailed = false }
            // Decoding that fails once fails in each repetition.
            guard !state.hasFailed, state.loops < 0 || state.loopsPlayed < state.loops else {
                state.loopsPlayed = 0
                return (false, !state.hasFailed)
            }
            state.loopsPlayed += 1
            return (true, true)
        }
        guard goesOn else { return tell { $0.audioPlayerDidFinishPlaying($1, successfully: isSuccess) } }
        BlockingCalls.begin { [weak player] in try? await player?.play() }
    }

    private func tell(_ call: @escaping @Sendable (any AVAudioPlayerDelegate, AVAudioPlayer) -> Void) {
        DispatchQueue.main.async { [self] in
            if let delegate { call(delegate, self) }
        }
    }
}

extension AudioSessionError {
    /// Whether the error concerns the file. After an error of the output, the player continues on
    /// another output.
    fileprivate var isOfFile: Bool {
        ![.noOutput, .outputFailed, .mediaServicesFailed, .resourcesExhausted].contains(code)
    }
}

/// A sound file, or data that is stored in a temporary file.
final class SoundSource: Sendable {
    let path: String
    let url: URL?
    let data: Data?

    init(_ url: URL) throws {
        guard url.isFileURL else {
            throw NSError(status: -50, "'\(url)' is no file. Load it, and play its data.")
        }
        path = url.path
        self.url = url
        data = nil
    }

    init(_ data: Data) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("audio-player-" + UUID().uuidString)
        try data.write(to: file, options: .withoutOverwriting)
        path = file.path
        url = nil
        self.data = data
    }

    deinit { if data != nil { try? FileManager.default.removeItem(atPath: path) } }
}
