/// The resulting numbers of a session's hardware, which may differ from the preferred ones.
///
/// Counterpart of the hardware properties of `AVAudioSession`. Numbers of a direction without a
/// port are 0.
public struct HardwareFormat: Sendable, Hashable {
    /// The sample rate of PipeWire's graph, in frames per second. Sound of another rate is
    /// converted.
    public var sampleRate: Int
    /// The duration of one cycle (PipeWire's quantum), in which one buffer of sound is processed.
    public var ioBufferDuration: Duration
    /// The latency from the microphone to the program, including the cycle.
    public var inputLatency: Duration
    /// The latency from the program to the loudspeaker, including the cycle.
    public var outputLatency: Duration
    /// The number of channels that the session records: the preferred number where that is
    /// possible.
    public var inputNumberOfChannels: Int
    /// The number of channels that the session plays: the preferred number where that is possible.
    public var outputNumberOfChannels: Int
    /// The maximum number of channels of the current input.
    public var maximumInputNumberOfChannels: Int
    /// The maximum number of channels of the current output.
    public var maximumOutputNumberOfChannels: Int

    /// Makes a format of which nothing is known: all numbers are zero.
    public init() { self.init(sampleRate: 0) }

    package init(
        sampleRate: Int = 0, ioBufferDuration: Duration = .zero, inputLatency: Duration = .zero,
        outputLatency: Duration = .zero, inputNumberOfChannels: Int = 0, outputNumberOfChannels: Int = 0,
        maximumInputNumberOfChannels: Int = 0, maximumOutputNumberOfChannels: Int = 0
    ) {
        self.sampleRate = sampleRate
        self.ioBufferDuration = ioBufferDuration
        self.inputLatency = inputLatency
        self.outputLatency = outputLatency
        self.inputNumberOfChannels = inputNumberOfChannels
        self.outputNumberOfChannels = outputNumberOfChannels
        self.maximumInputNumberOfChannels = maximumInputNumberOfChannels
        self.maximumOutputNumberOfChannels = maximumOutputNumberOfChannels
    }
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
