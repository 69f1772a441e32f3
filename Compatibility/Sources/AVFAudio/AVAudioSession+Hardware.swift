import AudioSessions
public import Foundation

/// The properties of the audio hardware. Without PipeWire all of them are 0.
extension AVAudioSession {
    /// The rate of PipeWire's graph in frames per second.
    public var sampleRate: Double { Double(hardware.sampleRate) }
    /// The duration of one cycle of PipeWire's graph in seconds.
    public var ioBufferDuration: TimeInterval { hardware.ioBufferDuration / .seconds(1) }
    /// The latency from the microphone to the program in seconds.
    public var inputLatency: TimeInterval { hardware.inputLatency / .seconds(1) }
    /// The latency from the program to the ear in seconds.
    public var outputLatency: TimeInterval { hardware.outputLatency / .seconds(1) }
    /// The volume of the output in use, 0 to 1 on the scale of the desktop's sliders. Only the user
    /// sets it.
    public var outputVolume: Float { (try? backend())?.session.outputVolume ?? 0 }
    /// The gain of the input in use, 0 to 1.
    public var inputGain: Float { (try? backend())?.session.inputGain ?? 0 }
    /// Whether the gain of the input in use can be set.
    public var isInputGainSettable: Bool { (try? backend())?.session.isInputGainSettable ?? false }

    /// Sets the gain of the input in use, for all programs.
    ///
    /// - Parameter gain: the gain, 0 to 1.
    /// - Throws: `resourceNotAvailable` if the input has no gain, `incompatibleCategory`.
    public func setInputGain(_ gain: Float) throws { try perform { try await $0.session.setInputGain(gain) } }

    private var hardware: HardwareFormat { (try? backend())?.session.hardwareFormat ?? HardwareFormat() }
}
