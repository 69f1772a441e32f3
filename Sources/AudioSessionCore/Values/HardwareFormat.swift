/// How a session's sound is carried, as granted: what was preferred is a wish.
///
/// Counterpart of what `AVAudioSession` calls hardware properties. Of a direction in which the machine has no port the
/// numbers are 0.
public struct HardwareFormat: Sendable, Hashable {
    /// Frames per second of PipeWire's graph. What has another rate is converted.
    public var sampleRate: Int
    /// The time of one cycle (PipeWire's quantum): how much sound is handed over at a time.
    public var ioBufferDuration: Duration
    /// From the microphone to the program, the cycle included.
    public var inputLatency: Duration
    /// From the program to the ear, the cycle included.
    public var outputLatency: Duration
    /// Channels that the session records, as preferred and possible.
    public var inputNumberOfChannels: Int
    /// Channels that the session plays, as preferred and possible.
    public var outputNumberOfChannels: Int
    /// Of the input in use.
    public var maximumInputNumberOfChannels: Int
    /// Of the output in use.
    public var maximumOutputNumberOfChannels: Int

    /// For tests: what a program is told comes from PipeWire.
    public init(
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

/// The volume of an output, which belongs to the user.
public struct OutputVolume: Sendable, Hashable {
    /// 0 to 1, as the desktop's sliders count it: the amplitude is its cube. Of several channels it is the loudest.
    /// What the user amplifies beyond full volume is 1.
    public var level: Float
    /// A muted output keeps its level.
    public var isMuted: Bool

    /// For tests: what a program is told comes from PipeWire.
    public init(level: Float, isMuted: Bool = false) {
        self.level = level
        self.isMuted = isMuted
    }
}
