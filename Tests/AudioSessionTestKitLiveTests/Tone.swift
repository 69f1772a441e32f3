import AudioSessionTestKit
import Foundation

/// A file with a tone, for PipeWire's own players.
struct Tone {
    let path: String

    /// The samples of 1 kHz on both channels, 48,000 frames per second.
    init(seconds: Double, in pipeWire: PrivatePipeWire) throws {
        path = pipeWire.directory + "/tone-\(UUID().uuidString).wav"
        let frames = Int(seconds * 48_000)
        var data = Data()
        func append(_ value: Int, bytes: Int) {
            for shift in 0..<bytes { data.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
        }
        data.append(contentsOf: "RIFF".utf8)
        append(36 + frames * 4, bytes: 4)
        data.append(contentsOf: "WAVEfmt ".utf8)
        append(16, bytes: 4)
        append(1, bytes: 2)
        append(2, bytes: 2)
        append(48_000, bytes: 4)
        append(48_000 * 4, bytes: 4)
        append(4, bytes: 2)
        append(16, bytes: 2)
        data.append(contentsOf: "data".utf8)
        append(frames * 4, bytes: 4)
        let header = data
        data = Data()
        // One period, repeated.
        for frame in 0..<48 {
            let sample = Int(16_000 * sin(2 * .pi * Double(frame) / 48))
            append(sample, bytes: 2)
            append(sample, bytes: 2)
        }
        let period = data
        data = header
        for _ in 0..<(frames / 48) { data.append(period) }
        data.append(period.prefix(frames % 48 * 4))
        try data.write(to: URL(fileURLWithPath: path))
    }
}
