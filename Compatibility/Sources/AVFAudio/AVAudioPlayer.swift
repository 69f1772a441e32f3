@_spi(Compatibility) import AudioSessionPlayback
@_spi(Compatibility) import AudioSessions
import Dispatch
public import Foundation

/// Plays one sound file, with the interface of Apple's `AVAudioPlayer`.
///
/// The formats are WAV, AIFF, CAF, FLAC, Ogg/Vorbis, Opus and MP3, but not AAC. An interruption of
/// the session or the loss of its output pauses the player. Only ``play()`` starts it again. Calls
/// wait for PipeWire, as described for ``AVAudioSession``.
///
/// Tests may subclass it.
// Unchecked, because the compiler checks only final classes. Its properties are Sendable constants.
open class AVAudioPlayer: NSObject, @unchecked Sendable {
    /// The loaded file; `nil` for a player that was created without one.
    let loaded: LoadedSound?
    let state = Locked(State())

    struct State {
        weak var delegate: (any AVAudioPlayerDelegate)?
        var numberOfLoops = 0
        /// Whether decoding has failed since the last end.
        var hasFailed = false
        var volume: Float = 1
        var rate: Float = 1
        var pan: Float = 0
        var enablesRate = false
        var isMeteringEnabled = false
        /// The queued message that the present interruption began.
        var interruption: DispatchWorkItem?
        var observations: [EventObservation] = []
        /// The start that ``play(atTime:)`` has scheduled.
        var start: DispatchWorkItem?
    }

    /// Creates a player without a file, for a subclass. It does not play.
    public override init() { loaded = nil }

    /// Loads a sound file, which stays open, so that it can be played after it was deleted.
    ///
    /// - Parameter url: the file.
    /// - Throws: -43 if the file does not exist, -54 if it may not be read, `typ?` if its format is
    ///   not supported, `mediaServicesFailed` without PipeWire.
    public init(contentsOf url: URL) throws {
        loaded = try LoadedSound(SoundSource(url))
        super.init()
        observe()
    }

    /// Loads a sound file like ``init(contentsOf:)``. The hint is ignored, because the contents
    /// determine the format.
    public init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
        loaded = try LoadedSound(SoundSource(url))
        super.init()
        observe()
    }

    /// Loads the contents of a sound file, which are kept in a temporary file. If their tags have
    /// no title, mixers show the program's name.
    public init(data: Data) throws {
        loaded = try LoadedSound(SoundSource(data))
        super.init()
        observe()
    }

    /// Loads the contents of a sound file, which are kept in a temporary file. The hint is ignored.
    public init(data: Data, fileTypeHint utiString: String?) throws {
        loaded = try LoadedSound(SoundSource(data))
        super.init()
        observe()
    }

    deinit { loaded?.session.playback.remove(ObjectIdentifier(self)) }

    // MARK: Control

    /// Always returns `true`, because a loaded file is prepared.
    @discardableResult
    open func prepareToPlay() -> Bool { true }

    /// Plays from the current position. Activates the session, even if it was interrupted.
    ///
    /// - Returns: whether the player plays.
    @discardableResult
    open func play() -> Bool {
        cancelStart()
        guard let loaded else { return false }
        let player = loaded.player
        let plays = try? loaded.session.perform { backend in
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

    /// Plays like ``play()``, but not before a time.
    ///
    /// A later ``play()``, ``pause()`` or ``stop()`` cancels it. The start is some milliseconds
    /// late, so it does not synchronize players.
    ///
    /// - Parameter time: a time of ``deviceCurrentTime``; one that has passed plays at once.
    /// - Returns: whether it plays, or will try to.
    @discardableResult
    open func play(atTime time: TimeInterval) -> Bool {
        let delay = time - deviceCurrentTime
        guard loaded != nil, delay.isFinite else { return false }
        guard delay > 0 else { return play() }
        let start = DispatchWorkItem { [weak self] in self?.play() }
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

    /// Pauses playback and keeps the position.
    open func pause() {
        cancelStart()
        guard let loaded else { return }
        try? loaded.session.perform { _ in await loaded.player.pause() }
    }

    /// Stops playback and keeps the position, as on iOS. Set ``currentTime`` to 0 to start over.
    /// The repetitions begin again.
    open func stop() {
        pause()
        setRepetitions(restarts: true)
    }

    /// Whether the player plays.
    open var isPlaying: Bool { loaded?.player.state == .playing }

    /// The playback position in seconds; 0 after the end, where ``play()`` begins again.
    open var currentTime: TimeInterval {
        get {
            guard let player = loaded?.player, player.state != .finished else { return 0 }
            return player.position / .seconds(1)
        }
        set {
            guard let loaded else { return }
            // A value outside of the range of `Duration`, or NaN, would trap.
            let time = Duration.seconds(newValue.isFinite ? min(max(0, newValue), 1e9) : 0)
            try? loaded.session.perform { _ in try await loaded.player.seek(to: time) }
        }
    }

    /// The duration of the sound in seconds.
    open var duration: TimeInterval { (loaded?.player.duration ?? .zero) / .seconds(1) }
    /// The number of channels of the sound.
    open var numberOfChannels: Int { loaded?.item?.format.channelCount ?? 0 }
    /// Sample rate and number of channels, without `AVFormatIDKey`.
    open var settings: [String: Any] {
        [AVSampleRateKey: Double(loaded?.item?.format.sampleRate ?? 0), AVNumberOfChannelsKey: numberOfChannels]
    }
    /// The rate and the number of channels of the sound, as 32-bit floating point.
    open var format: AVAudioFormat {
        let file = loaded?.item?.format
        let format = AVAudioFormat(
            standardFormatWithSampleRate: Double(file?.sampleRate ?? 0),
            channels: AVAudioChannelCount(file?.channelCount ?? 0))
        return format ?? AVAudioFormat.stereo
    }
    /// The file; `nil` for a player that was created from data.
    open var url: URL? { loaded?.file.url }
    /// The data; `nil` for a player that was created from a URL.
    open var data: Data? { loaded?.file.data }
    /// A monotonic clock in seconds.
    open var deviceCurrentTime: TimeInterval { ProcessInfo.processInfo.systemUptime }

    /// The delegate, which is referenced weakly.
    open var delegate: (any AVAudioPlayerDelegate)? {
        get { state.withLock(\.delegate) }
        set { state.withLock { $0.delegate = newValue } }
    }

    // MARK: Sound

    /// The amplitude from 0 to 1.
    open var volume: Float {
        get { state.withLock(\.volume) }
        set {
            guard !newValue.isNaN else { return }
            let volume = min(max(newValue, 0), 1)
            state.withLock { $0.volume = volume }
            // The library's volume uses the scale of sliders, which is the cube root of the
            // amplitude.
            let position = cbrtf(volume)
            guard let player = loaded?.player else { return }
            BlockingCalls.begin { try? await player.setVolume(position) }
        }
    }

    /// Sets the volume at once. The duration is ignored.
    open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) { self.volume = volume }

    /// The number of repetitions, which follow without a gap; a negative number repeats without
    /// end.
    ///
    /// If a lower number is set during playback, some milliseconds may be heard twice.
    open var numberOfLoops: Int {
        get { state.withLock(\.numberOfLoops) }
        set {
            state.withLock { $0.numberOfLoops = newValue }
            setRepetitions()
        }
    }

    private func setRepetitions(restarts: Bool = false) {
        guard let player = loaded?.player else { return }
        let count = state.withLock(\.numberOfLoops)
        BlockingCalls.begin { await player.setRepetitions(count, restarts: restarts) }
    }

    /// Stored without any effect.
    open var pan: Float {
        get { state.withLock(\.pan) }
        set { state.withLock { $0.pan = newValue } }
    }
    /// Stored without any effect.
    open var enableRate: Bool {
        get { state.withLock(\.enablesRate) }
        set { state.withLock { $0.enablesRate = newValue } }
    }
    /// Stored without any effect.
    open var rate: Float {
        get { state.withLock(\.rate) }
        set { state.withLock { $0.rate = newValue } }
    }
    /// Stored without any effect.
    open var isMeteringEnabled: Bool {
        get { state.withLock(\.isMeteringEnabled) }
        set { state.withLock { $0.isMeteringEnabled = newValue } }
    }
    /// Does nothing, because levels are not measured.
    open func updateMeters() {}
    /// Always returns -160, which is silence.
    open func peakPower(forChannel channelNumber: Int) -> Float { -160 }
    /// Always returns -160, which is silence.
    open func averagePower(forChannel channelNumber: Int) -> Float { -160 }
}
