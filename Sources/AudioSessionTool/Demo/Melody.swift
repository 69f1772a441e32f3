import FoundationEssentials
import Glibc

/// A sound file of a few seconds, without a silent moment: two voices, the lower of which is held.
struct Melody {
    static let rate = 48_000
    static let seconds = 8

    let path: String
    var name: String { String(path.split(separator: "/").last ?? "") }

    /// - Parameter folder: where to write it.
    init(in folder: String) throws(ToolFailure) {
        path = "\(folder)/melody.wav"
        do {
            try Data(Self.wave).write(to: URL(filePath: path))
        } catch {
            throw .cannotWrite(reason: "the melody cannot be written to \(folder) (\(error))")
        }
    }

    /// 16 bits, stereo, at a quarter of full scale.
    static var wave: [UInt8] {
        let frames = rate * seconds
        var bytes: [UInt8] = []
        bytes.reserveCapacity(44 + frames * 4)
        func append(_ value: Int, _ count: Int) {
            for shift in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
        }
        bytes += "RIFF".utf8
        append(36 + frames * 4, 4)
        bytes += "WAVEfmt ".utf8
        for (value, size) in [(16, 4), (1, 2), (2, 2), (rate, 4), (rate * 4, 4), (4, 2), (16, 2)] {
            append(value, size)
        }
        bytes += "data".utf8
        append(frames * 4, 4)
        let notes = [261.63, 329.63, 392.0, 523.25, 392.0, 329.63]
        var (low, high) = (0.0, 0.0)
        for frame in 0..<frames {
            low += 2 * .pi * 130.81 / Double(rate)
            high += 2 * .pi * notes[frame / (rate / 4) % notes.count] / Double(rate)
            let sample = Int(8_192 * (0.5 * sin(low) + 0.5 * sin(high)))
            append(sample, 2)
            append(sample, 2)
        }
        return bytes
    }
}
