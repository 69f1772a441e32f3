import Foundation
import TestSupport

/// Writes a file of which every frame is loud, so that each missing frame can be counted.
func writeSquareWave(seconds: Int, to path: String) throws {
    // 500 Hz, both channels.
    let period = [8_000, -8_000].flatMap { (sample: Int) -> [UInt8] in
        (0..<96).flatMap { _ in [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)] }
    }
    var samples: [UInt8] = []
    for _ in 0..<500 * seconds { samples += period }
    try Data(waveFile(samples)).write(to: URL(fileURLWithPath: path))
}
