import AudioSessionTestKit
import Foundation
import TestSupport

/// A file with a tone, for PipeWire's own players.
struct Tone {
    let path: String

    /// The samples of 1 kHz on both channels, 48,000 frames per second.
    init(seconds: Double, in pipeWire: PrivatePipeWire) throws {
        path = pipeWire.directory + "/tone-\(UUID().uuidString).wav"
        let frames = Int(seconds * 48_000)
        // One period, repeated.
        let period = (0..<48).flatMap { frame -> [UInt8] in
            let sample = Int(16_000 * sin(2 * .pi * Double(frame) / 48))
            let bytes = [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
            return bytes + bytes
        }
        var samples: [UInt8] = []
        for _ in 0..<frames / 48 { samples += period }
        samples += period.prefix(frames % 48 * 4)
        try Data(waveFile(samples)).write(to: URL(fileURLWithPath: path))
    }
}
