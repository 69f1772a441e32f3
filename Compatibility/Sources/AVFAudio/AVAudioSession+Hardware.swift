import AudioSessions
public import Foundation

/// What carries the sound. Without PipeWire all of it is 0.
extension AVAudioSession {
    /// Frames per second of PipeWire's graph.
    public var sampleRate: Double { Double(hardware.sampleRate) }
    /// The time of one cycle of PipeWire's graph.
    public var ioBufferDuration: TimeInterval { hardware.ioBufferDuration / .seconds(1) }
    /// From the microphone to the program.
    public var inputLatency: TimeInterval { hardware.inputLatency / .seconds(1) }
    /// From the program to the ear.
    public var outputLatency: TimeInterval { hardware.outputLatency / .seconds(1) }
    /// The volume of the output in use, 0 to 1, as the desktop's sliders show it. Only the user sets it.
    public var outputVolume: Float { (try? backend())?.session.outputVolume ?? 0 }
    /// The gain of the input in use, 0 to 1.
    public var inputGain: Float { (try? backend())?.session.inputGain ?? 0 }
    /// Whether the input in use has a gain.
    public var isInputGainSettable: Bool { (try? backend())?.session.isInputGainSettable ?? false }

    /// Sets the gain of the input in use, for all programs.
    /// - Throws: `resourceNotAvailable` if it has none, `incompatibleCategory`.
    public func setInputGain(_ gain: Float) throws { try perform { try await $0.session.setInputGain(gain) } }

    private var hardware: HardwareFormat { (try? backend())?.session.hardwareFormat ?? HardwareFormat() }
}
