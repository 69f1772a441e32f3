public import AudioSessionCore
import PipeWireGraph

/// The numbers of this session's sound. What can be read is as PipeWire last told it, and never waits.
///
/// **Preferred is a wish**: it is this session's, its streams carry it from now on, and it is kept until it is set anew.
/// What came of it is read back, and told by ``AudioSessionEvent/hardwareFormatChanged(previous:current:)``. Until a player or a
/// recorder of the session runs, sample rate and I/O buffer are those that PipeWire's settings would grant.
extension AudioSession {
    // MARK: Snapshots

    /// All of the numbers, of one moment.
    public nonisolated var hardwareFormat: HardwareFormat { sound.hardware }

    /// Frames per second of PipeWire's graph. A player's file and a recorder's format may have another rate: they are
    /// converted. Counterpart of `sampleRate`, which is a floating point number there.
    public nonisolated var sampleRate: Int { sound.hardware.sampleRate }

    /// The time of one cycle: how much sound is handed over at a time. Counterpart of `ioBufferDuration`.
    public nonisolated var ioBufferDuration: Duration { sound.hardware.ioBufferDuration }

    /// From the microphone to the program, as PipeWire reports it while a recorder of the session runs; else the I/O
    /// buffer, which is less. Unlike Apple's, it includes the I/O buffer.
    public nonisolated var inputLatency: Duration { sound.hardware.inputLatency }

    /// From the program to the ear, as PipeWire reports it while a player of the session runs; else the I/O buffer, which
    /// is less. Unlike Apple's, it includes the I/O buffer.
    public nonisolated var outputLatency: Duration { sound.hardware.outputLatency }

    /// Channels of the input in use, as preferred and possible; 0 without one. Counterpart of
    /// `inputNumberOfChannels`.
    public nonisolated var inputNumberOfChannels: Int { sound.hardware.inputNumberOfChannels }
    /// Channels of the output in use, as preferred and possible; 0 without one. Counterpart of
    /// `outputNumberOfChannels`.
    public nonisolated var outputNumberOfChannels: Int { sound.hardware.outputNumberOfChannels }
    /// Of the input in use.
    public nonisolated var maximumInputNumberOfChannels: Int { sound.hardware.maximumInputNumberOfChannels }
    /// Of the output in use.
    public nonisolated var maximumOutputNumberOfChannels: Int { sound.hardware.maximumOutputNumberOfChannels }

    /// The volume of the output in use, 0 to 1, as the desktop's sliders count it: the amplitude is its cube. Only the
    /// user sets it. A muted output keeps it: see ``isOutputMuted``. Changes are told by
    /// ``AudioSessionEvent/outputVolumeChanged(previous:current:)``, whether or not the session is active.
    ///
    /// Counterpart of `outputVolume`.
    public nonisolated var outputVolume: Float { sound.volume?.level ?? 0 }

    /// Whether the output in use is muted. Whether the session's own streams are is told by ``silence``.
    public nonisolated var isOutputMuted: Bool { sound.volume?.isMuted ?? false }

    /// The gain of the input in use, 0 to 1, as the desktop's sliders count it; 1 where it cannot be set.
    public nonisolated var inputGain: Float { sound.inputGain ?? 1 }

    /// Whether ``setInputGain(_:)`` can do anything with the input in use.
    public nonisolated var isInputGainSettable: Bool { sound.inputGain != nil }

    /// The wish of ``setPreferredSampleRate(_:)``, in frames per second; `nil` for none.
    public nonisolated var preferredSampleRate: Int? { soundPreferences.sampleRate }
    /// The wish of ``setPreferredIOBufferDuration(_:)``; `nil` for none.
    public nonisolated var preferredIOBufferDuration: Duration? { soundPreferences.ioBufferDuration }
    /// The wish of ``setPreferredInputNumberOfChannels(_:)``; `nil` for none.
    public nonisolated var preferredInputNumberOfChannels: Int? { soundPreferences.inputChannels }
    /// The wish of ``setPreferredOutputNumberOfChannels(_:)``; `nil` for none.
    public nonisolated var preferredOutputNumberOfChannels: Int? { soundPreferences.outputChannels }

    private nonisolated var sound: SoundState {
        snapshot.withLock(\.sound) ?? manager.snapshot.withLock(\.sound)
    }

    package nonisolated var soundPreferences: SoundPreferences { snapshot.withLock(\.soundPreferences) }

    // MARK: Wishes

    /// Asks that the graph run at this rate; `nil` asks for none. PipeWire changes its rate only to one that its settings
    /// allow (`default.clock.allowed-rates`, by default 48000 alone), and only while nobody else's stream runs.
    ///
    /// Counterpart of `setPreferredSampleRate(_:)`.
    /// - Throws: `badParam` outside of 1 to 768000; `expiredSession` after ``close()``.
    public func setPreferredSampleRate(_ rate: Int?) throws(AudioSessionError) {
        try SoundPreferences.check(sampleRate: rate)
        try prefer { $0.sampleRate = rate }
    }

    /// Asks for an I/O buffer of this length; `nil` asks for none. PipeWire takes a power of two of frames that is not
    /// longer, within its settings, and the shortest that any stream of the machine asks for: a session gets what it
    /// prefers, or less.
    ///
    /// Counterpart of `setPreferredIOBufferDuration(_:)`.
    /// - Throws: `badParam` if it is not above zero, or longer than a second; `expiredSession` after ``close()``.
    public func setPreferredIOBufferDuration(_ duration: Duration?) throws(AudioSessionError) {
        try SoundPreferences.check(ioBufferDuration: duration)
        try prefer { $0.ioBufferDuration = duration }
    }

    /// Asks for so many channels of the input in use; `nil` asks for all. On a route with fewer it is those. Recorders
    /// have a format of their own.
    ///
    /// Counterpart of `setPreferredInputNumberOfChannels(_:)`.
    /// - Throws: `badParam` outside of 1 to ``maximumInputNumberOfChannels``; `incompatibleCategory` for a category that
    ///   does not record; `expiredSession` after ``close()``.
    public func setPreferredInputNumberOfChannels(_ count: Int?) throws(AudioSessionError) {
        try prefer(count, .input)
    }

    /// The same for the output.
    /// - Throws: as ``setPreferredInputNumberOfChannels(_:)``, with a category that does not play.
    public func setPreferredOutputNumberOfChannels(_ count: Int?) throws(AudioSessionError) {
        try prefer(count, .output)
    }

    /// Sets the gain of the input in use, for all programs, as a user does in a mixer: the loudest channel gets it, and
    /// the balance stays. The session manager remembers it. Returns when PipeWire was asked; that it is so is told by
    /// ``AudioSessionEvent/inputGainChanged(previous:current:)``.
    ///
    /// Counterpart of `setInputGain(_:)`.
    /// - Parameter gain: what lies outside of 0 to 1 is brought inside.
    /// - Throws: `badParam` for what is no number; `resourceNotAvailable` if ``isInputGainSettable`` is false;
    ///   `incompatibleCategory` for a category that does not record; `expiredSession` after ``close()``.
    public func setInputGain(_ gain: Float) throws(AudioSessionError) {
        try checkUsable()
        guard !gain.isNaN else {
            throw AudioSessionError(.badParam, rule: "A gain is a number from 0 to 1.", fix: "Use one of those.")
        }
        try configuration.require(.input, for: "An input's gain")
        open()
        let use = soundUse
        guard manager.assumeIsolated({ $0.setInputGain(min(max(gain, 0), 1), of: use) }) else {
            throw AudioSessionError(
                .resourceNotAvailable, rule: "There is no input in use whose gain could be set.",
                fix: "Look at 'isInputGainSettable' first, or set it at the device.")
        }
    }
}

extension AudioSession {
    private func prefer(_ count: Int?, _ direction: PortDirection) throws(AudioSessionError) {
        try checkUsable()
        try configuration.require(direction, for: "A preferred number of \(direction.rawValue) channels")
        let maximum =
            direction == .output ? maximumOutputNumberOfChannels : maximumInputNumberOfChannels
        try SoundPreferences.check(channels: count, of: maximum)
        try prefer { $0[channels: direction] = count }
    }

    private func prefer(_ change: (inout SoundPreferences) -> Void) throws(AudioSessionError) {
        try checkUsable()
        open()
        var preferences = machine.soundPreferences
        change(&preferences)
        receive(.sound(.preferred(preferences)))
    }
}
