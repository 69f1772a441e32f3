import Foundation

/// Writes a file of which every frame is loud, so that each missing frame can be counted.
func writeSquareWave(seconds: Int, to path: String) throws {
    let frames = seconds * 48_000
    var data = Data(capacity: 44 + frames * 4)
    func append(_ value: Int, bytes: Int) {
        for shift in 0..<bytes { data.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
    }
    data.append(contentsOf: "RIFF".utf8)
    append(36 + frames * 4, bytes: 4)
    data.append(contentsOf: "WAVEfmt ".utf8)
    for (value, bytes) in [(16, 4), (1, 2), (2, 2), (48_000, 4), (48_000 * 4, 4), (4, 2), (16, 2)] {
        append(value, bytes: bytes)
    }
    data.append(contentsOf: "data".utf8)
    append(frames * 4, bytes: 4)
    // 500 Hz, 16 bits, both channels.
    let halves = [8_000, -8_000].map { sample in
        Data((0..<96).flatMap { _ in [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)] })
    }
    for _ in 0..<frames / 96 {
        data.append(halves[0])
        data.append(halves[1])
    }
    try data.write(to: URL(fileURLWithPath: path))
}
