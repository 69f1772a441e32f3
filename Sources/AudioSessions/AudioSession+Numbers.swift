public import AudioSessionCore
import PipeWireGraph

/// The session's sample rate, I/O buffer, latencies, channels, volume and gain.
///
/// The getters read a snapshot of what PipeWire last reported, from any thread, and never wait.
/// Until a player or recorder of the session runs, the sample rate and the I/O buffer are those
/// that PipeWire's settings would grant.
///
/// A *preferred* value belongs to this session. Its streams request it from then on, and it stays
/// until it is set again. ``AudioSessionEvent/hardwareFormatChanged(previous:current:at:)``
/// notifies of the resulting values, which may differ.
extension AudioSession {
    // MARK: Snapshots

    /// All numbers of the session's hardware, read at one moment.
    public nonisolated var hardwareFormat: HardwareFormat { sound.hardware }

    /// The sample rate of PipeWire's graph, in frames per second. Files and recordings of another
    /// rate are converted.
    ///
    /// Counterpart of `sampleRate`, which is a floating-point number there.
    public nonisolated var sampleRate: Int { sound.hardware.sampleRate }

    /// The duration of one cycle of the graph, in which one buffer of sound is processed.
    /// Counterpart of `ioBufferDuration`.
    public nonisolated var ioBufferDuration: Duration { sound.hardware.ioBufferDuration }

    /// The latency from the microphone to the program, as PipeWire reports it while a recorder of
    /// the session runs.
    ///
    /// While none runs it is the duration of the I/O buffer, which is less. Counterpart of
    /// `inputLatency`; unlike Apple's value, it includes the I/O buffer.
    public nonisolated var inputLatency: Duration { sound.hardware.inputLatency }

    /// The latency from the program to the loudspeaker, as PipeWire reports it while a player of
    /// the session runs.
    ///
    /// While none runs it is the duration of the I/O buffer, which is less. Counterpart of
    /// `outputLatency`; unlike Apple's value, it includes the I/O buffer.
    public nonisolated var outputLatency: Duration { sound.hardware.outputLatency }

    /// The number of channels of the current input: the preferred number where that is possible, 0
    /// without an input. Counterpart of `inputNumberOfChannels`.
    public nonisolated var inputNumberOfChannels: Int { sound.hardware.inputNumberOfChannels }
    /// The number of channels of the current output: the preferred number where that is possible, 0
    /// without an output. Counterpart of `outputNumberOfChannels`.
    public nonisolated var outputNumberOfChannels: Int { sound.hardware.outputNumberOfChannels }
    /// The maximum number of channels of the current input. Counterpart of
    /// `maximumInputNumberOfChannels`.
    public nonisolated var maximumInputNumberOfChannels: Int { sound.hardware.maximumInputNumberOfChannels }
    /// The maximum number of channels of the current output. Counterpart of
    /// `maximumOutputNumberOfChannels`.
    public nonisolated var maximumOutputNumberOfChannels: Int { sound.hardware.maximumOutputNumberOfChannels }

    /// The volume of the current output, 0 to 1, on the scale of the desktop's sliders: its cube is
    /// the amplitude. It is 0 before there is an output, and keeps its value after the last one.
    ///
    /// Only the user sets it. Muting the output does not change it; see ``isOutputMuted``.
    /// ``AudioSessionEvent/outputVolumeChanged(previous:current:at:)`` notifies of changes, whether
    /// or not the session is active.
    ///
    /// Counterpart of `outputVolume`.
    public nonisolated var outputVolume: Float { sound.volume?.level ?? 0 }

    /// Whether the current output is muted. ``silenceReasons`` says whether the session's own
    /// streams are muted.
    public nonisolated var isOutputMuted: Bool { sound.volume?.isMuted ?? false }

    /// The gain of the current input, 0 to 1, on the scale of the desktop's sliders; 1 if the input
    /// has no gain to set. Counterpart of `inputGain`.
    public nonisolated var inputGain: Float { sound.inputGain ?? 1 }

    /// Whether ``setInputGain(_:)`` can change the gain of the current input. Counterpart of
    /// `isInputGainSettable`.
    public nonisolated var isInputGainSettable: Bool { sound.inputGain != nil }

    /// The value set by ``setPreferredSampleRate(_:)``, in frames per second; `nil` for no
    /// preference.
    public nonisolated var preferredSampleRate: Int? { soundPreferences.sampleRate }
    /// The value set by ``setPreferredIOBufferDuration(_:)``; `nil` for no preference.
    public nonisolated var preferredIOBufferDuration: Duration? { soundPreferences.ioBufferDuration }
    /// The value set by ``setPreferredInputNumberOfChannels(_:)``; `nil` for no preference.
    public nonisolated var preferredInputNumberOfChannels: Int? { soundPreferences.inputChannels }
    /// The value set by ``setPreferredOutputNumberOfChannels(_:)``; `nil` for no preference.
    public nonisolated var preferredOutputNumberOfChannels: Int? { soundPreferences.outputChannels }

    /// The session's values at one moment, for callers that read several.
    package nonisolated var values: (machine: SessionStateMachine, sound: SoundState) {
        let values = snapshot.withLock(\.self)
        return (values.machine, values.sound ?? manager.snapshot.withLock(\.sound))
    }

    private nonisolated var sound: SoundState {
        snapshot.withLock(\.sound) ?? manager.snapshot.withLock(\.sound)
    }

    private nonisolated var soundPreferences: SoundPreferences { snapshot.withLock(\.machine.soundPreferences) }

    // MARK: Preferences

    /// Requests that PipeWire's graph run at this sample rate.
    ///
    /// PipeWire changes its rate only to one that its settings allow
    /// (`default.clock.allowed-rates`, by default only 48000), and only while no stream of another
    /// program runs.
    ///
    /// Counterpart of `setPreferredSampleRate(_:)`.
    /// - Parameter rate: Frames per second, 1 to 768000; `nil` for no preference.
    /// - Throws: `badParam` if the rate is out of range; `expiredSession` after ``close()``.
    public func setPreferredSampleRate(_ rate: Int?) throws(AudioSessionError) {
        try SoundPreferences.check(sampleRate: rate)
        try prefer { $0.sampleRate = rate }
    }

    /// Requests an I/O buffer of this duration.
    ///
    /// PipeWire takes the power of two of frames that is not longer, within the limits of its
    /// settings. The shortest request of all streams on the computer counts, so a session gets the
    /// preferred duration or less.
    ///
    /// Counterpart of `setPreferredIOBufferDuration(_:)`.
    /// - Parameter duration: More than zero and at most one second; `nil` for no preference.
    /// - Throws: `badParam` if the duration is out of range; `expiredSession` after ``close()``.
    public func setPreferredIOBufferDuration(_ duration: Duration?) throws(AudioSessionError) {
        try SoundPreferences.check(ioBufferDuration: duration)
        try prefer { $0.ioBufferDuration = duration }
    }

    /// Requests this number of channels of the current input. A route with fewer channels gives all
    /// that it has.
    ///
    /// The format of a recorder is independent of it. Counterpart of
    /// `setPreferredInputNumberOfChannels(_:)`.
    /// - Parameter count: 1 to ``maximumInputNumberOfChannels``; `nil` for all channels.
    /// - Throws: `badParam` if the count is out of range; `incompatibleCategory` if the category
    ///   does not record; `expiredSession` after ``close()``.
    public func setPreferredInputNumberOfChannels(_ count: Int?) throws(AudioSessionError) {
        try prefer(count, .input)
    }

    /// Requests this number of channels of the current output. A route with fewer channels gives
    /// all that it has.
    ///
    /// Counterpart of `setPreferredOutputNumberOfChannels(_:)`.
    /// - Parameter count: 1 to ``maximumOutputNumberOfChannels``; `nil` for all channels.
    /// - Throws: `badParam` if the count is out of range; `incompatibleCategory` if the category
    ///   does not play; `expiredSession` after ``close()``.
    public func setPreferredOutputNumberOfChannels(_ count: Int?) throws(AudioSessionError) {
        try prefer(count, .output)
    }

    /// Sets the gain of the current input for all programs, as a mixer does.
    ///
    /// The loudest channel gets this gain, and the balance of the channels stays. The session
    /// manager stores it. The call returns when the request was sent to PipeWire;
    /// ``AudioSessionEvent/inputGainChanged(previous:current:at:)`` notifies of the change.
    ///
    /// Counterpart of `setInputGain(_:)`.
    /// - Parameter gain: 0 to 1, on the scale of the desktop's sliders. Other values are clamped to
    ///   this range.
    /// - Throws: `badParam` if the gain is not a number; `resourceNotAvailable` if
    ///   ``isInputGainSettable`` is false; `incompatibleCategory` if the category does not record;
    ///   `mediaServicesFailed` without PipeWire; `expiredSession` after ``close()``.
    public func setInputGain(_ gain: Float) throws(AudioSessionError) {
        try checkUsable()
        guard !gain.isNaN else {
            throw AudioSessionError(
                .badParam, rule: "The gain must be a number from 0 to 1.", fix: "Set a number in that range.")
        }
        try configuration.require(.input, for: "An input's gain")
        guard manager.isConnected else { throw .notConnected }
        open()
        let use = soundUse
        guard manager.assumeIsolated({ $0.setInputGain(min(max(gain, 0), 1), of: use) }) else {
            throw AudioSessionError(
                .resourceNotAvailable, rule: "No input is in use whose gain can be set.",
                fix: "Check isInputGainSettable first, or set the gain at the device.")
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
