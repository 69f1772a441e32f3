import AudioSessions
import Foundation

/// The properties of the audio hardware. Without PipeWire all of them are 0.
extension SessionImplementation {
    var sampleRate: Double { Double(hardware.sampleRate) }
    var ioBufferDuration: TimeInterval { hardware.ioBufferDuration / .seconds(1) }
    var inputLatency: TimeInterval { hardware.inputLatency / .seconds(1) }
    var outputLatency: TimeInterval { hardware.outputLatency / .seconds(1) }
    var outputVolume: Float { (try? backend())?.session.outputVolume ?? 0 }
    var inputGain: Float { (try? backend())?.session.inputGain ?? 0 }
    var isInputGainSettable: Bool { (try? backend())?.session.isInputGainSettable ?? false }

    func setInputGain(_ gain: Float) throws { try perform { try await $0.session.setInputGain(gain) } }

    private var hardware: HardwareFormat { (try? backend())?.session.hardwareFormat ?? HardwareFormat() }
}
