import AudioSessionPlayback
@_spi(Compatibility) import AudioSessions
import Dispatch
public import Foundation

/// Plays one sound file, in the words of iOS.
///
/// WAV, FLAC, Ogg/Vorbis, Opus and MP3; not AAC. When the session is interrupted, and when its output goes, the player is
/// paused, and starts again by ``play()`` only. Calls wait for PipeWire; see ``AVAudioSession``.
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
        /// Something could not be decoded since it began.
        var hasFailed = false
        var observations: [EventObservation] = []
    }

    /// - Throws: -43 for no such file, -54 for one that may not be read, `typ?` for a format that cannot be played;
    ///   `mediaServicesFailed` without PipeWire.
    public convenience init(contentsOf url: URL) throws { try self.init(SoundSource(url)) }

    /// The hint is not needed: a file's contents tell what it is.
    public convenience init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
        try self.init(SoundSource(url))
    }

    /// Plays a file's contents; they are kept in a temporary file.
    public convenience init(data: Data) throws { try self.init(SoundSource(data)) }

    /// Plays a file's contents; they are kept in a temporary file.
    public convenience init(data: Data, fileTypeHint utiString: String?) throws { try self.init(SoundSource(data)) }

    private init(_ file: SoundSource) throws {
        let session = AVAudioSession.sharedInstance()
        let player = try session.perform { backend in
            let player = AudioPlayer(
                session: backend.session, configuration: .init(resumesAfterInterruption: false))
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

    /// Always `true`: a loaded file is prepared.
    @discardableResult
    public func prepareToPlay() -> Bool { true }

    /// Plays from where it is. Activates the session, which takes back its turn if it was interrupted.
    /// - Returns: whether it plays.
    @discardableResult
    public func play() -> Bool {
        let player = player
        let plays = try? session.perform { backend in
            if backend.session.state == .interrupted { try await backend.session.activate() }
            try await player.play()
            // Players are told of an interruption before their session says so.
            if player.state != .playing, backend.session.state == .interrupted {
                try await backend.session.activate()
            }
            return player.state == .playing
        }
        return plays ?? false
    }

    /// Holds the place.
    public func pause() {
        let player = player
        try? session.perform { _ in await player.pause() }
    }

    /// Holds the place too, as on iOS: set ``currentTime`` to 0 to begin anew.
    public func stop() {
        state.withLock { $0.loopsPlayed = 0 }
        pause()
    }

    public var isPlaying: Bool { player.state == .playing }

    /// Where it is, in seconds.
    public var currentTime: TimeInterval {
        get { player.position / .seconds(1) }
        set {
            let (player, time) = (player, Duration.seconds(max(0, newValue.isFinite ? newValue : 0)))
            try? session.perform { _ in try await player.seek(to: time) }
        }
    }

    /// In seconds.
    public var duration: TimeInterval { (player.duration ?? .zero) / .seconds(1) }
    public var numberOfChannels: Int { item?.format.channelCount ?? 0 }
    /// Sample rate and channels; `AVFormatIDKey` is not among them.
    public var settings: [String: Any] {
        [AVSampleRateKey: Double(item?.format.sampleRate ?? 0), AVNumberOfChannelsKey: numberOfChannels]
    }
    /// `nil` for one that was made of data.
    public var url: URL? { file.url }
    /// `nil` for one that was made of a URL.
    public var data: Data? { file.data }
    /// A clock that never goes back, in seconds.
    public var deviceCurrentTime: TimeInterval { ProcessInfo.processInfo.systemUptime }

    /// Held weakly.
    public var delegate: (any AVAudioPlayerDelegate)? {
        get { state.withLock(\.delegate) }
        set { state.withLock { $0.delegate = newValue } }
    }

    // MARK: Sound

    /// 0 to 1, as an amplitude.
    public var volume: Float {
        get { state.withLock(\.volume) }
        set {
            guard !newValue.isNaN else { return }
            let volume = min(max(newValue, 0), 1)
            state.withLock { $0.volume = volume }
            // The library counts as sliders do: its volume is the cube root of the amplitude.
            let (player, position) = (player, cbrtf(volume))
            BlockingCalls.begin { await player.setVolume(position) }
        }
    }

    /// Sets the volume at once, whatever the duration.
    public func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) { self.volume = volume }

    /// How often it is played again; below 0: for ever. There is a short gap in between.
    public var numberOfLoops: Int {
        get { state.withLock(\.loops) }
        set { state.withLock { $0.loops = newValue } }
    }

    /// Kept, and changes nothing.
    public var pan: Float {
        get { state.withLock(\.pan) }
        set { state.withLock { $0.pan = newValue } }
    }
    /// Kept, and changes nothing.
    public var enableRate: Bool {
        get { state.withLock(\.enablesRate) }
        set { state.withLock { $0.enablesRate = newValue } }
    }
    /// Kept, and changes nothing.
    public var rate: Float {
        get { state.withLock(\.rate) }
        set { state.withLock { $0.rate = newValue } }
    }
    /// Kept, and changes nothing.
    public var isMeteringEnabled: Bool {
        get { state.withLock(\.isMeteringEnabled) }
        set { state.withLock { $0.isMeteringEnabled = newValue } }
    }
    /// Does nothing.
    public func updateMeters() {}
    /// Always -160, which is silence.
    public func peakPower(forChannel channelNumber: Int) -> Float { -160 }
    /// Always -160, which is silence.
    public func averagePower(forChannel channelNumber: Int) -> Float { -160 }

    // MARK: News

    private func receive(_ event: AudioPlayer.Event) {
        switch event {
        case .finished: finished()
        case .failed(let error):
            if error.isOfFile { state.withLock { $0.hasFailed = true } }
            tell { $0.audioPlayerDecodeErrorDidOccur($1, error: NSError(error)) }
        case .stateChanged(.paused(.interrupted)):
            state.withLock { $0.isInterrupted = true }
            tell { $0.audioPlayerBeginInterruption($1) }
        // Whoever has taken back the turn, or given it up, is told of no end.
        case .stateChanged(.playing), .stateChanged(.paused(.sessionInactive)):
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
            // What cannot be decoded now cannot be the next time.
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

extension PlaybackError {
    /// Whether it says something of the file. Where only the output fails it plays on with another.
    fileprivate var isOfFile: Bool {
        ![.noOutput, .outputFailed, .mediaServicesFailed, .resourcesExhausted].contains(code)
    }
}

/// A file, or data in a file of their own.
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
