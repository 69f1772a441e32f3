/// The resulting numbers of a session's hardware, which may differ from the preferred ones.
///
/// Counterpart of the hardware properties of `AVAudioSession`. Numbers of a direction without a
/// port are 0.
public struct HardwareFormat: Sendable, Hashable {
    /// The sample rate of PipeWire's graph, in frames per second. Sound of another rate is
    /// converted.
    public var sampleRate = 0
    /// The duration of one cycle (PipeWire's quantum), in which one buffer of sound is processed.
    public var ioBufferDuration = Duration.zero
    /// The latency from the microphone to the program, including the cycle.
    public var inputLatency = Duration.zero
    /// The latency from the program to the loudspeaker, including the cycle.
    public var outputLatency = Duration.zero
    /// The number of channels that the session records: the preferred number where that is
    /// possible.
    public var inputNumberOfChannels = 0
    /// The number of channels that the session plays: the preferred number where that is possible.
    public var outputNumberOfChannels = 0
    /// The maximum number of channels of the current input.
    public var maximumInputNumberOfChannels = 0
    /// The maximum number of channels of the current output.
    public var maximumOutputNumberOfChannels = 0

    /// Makes a format of which nothing is known: all numbers are zero.
    public init() {}
}

/// The volume of an output, which the user sets.
public struct OutputVolume: Sendable, Hashable {
    /// The level, 0 to 1, on the scale of the desktop's sliders: its cube is the amplitude.
    ///
    /// It is that of the loudest channel. Amplification beyond full volume counts as 1.
    public var level: Float
    /// Whether the output is muted. Muting keeps the level.
    public var isMuted: Bool

    package init(level: Float, isMuted: Bool = false) {
        self.level = level
        self.isMuted = isMuted
    }
}
