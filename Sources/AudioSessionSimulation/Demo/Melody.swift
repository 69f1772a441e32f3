import AudioSessionTool
import FoundationEssentials
import Glibc

/// A sound file of a few seconds without a silent moment.
///
/// It has two voices, and the lower one is held. It repeats sample by sample, so an unchanged level
/// gives exactly the same peak.
struct Melody {
    static let rate = 48_000
    static let seconds = 8
    /// The length of one repetition in frames.
    static let period = notes.count * noteLength
    private static let noteLength = rate / 4
    /// The frequencies of the notes in hertz. Each note lasts a whole number of periods.
    private static let notes = [256, 320, 384, 512]
    private static let lowNote = 128

    let path: String
    var name: String { String(path.split(separator: "/").last ?? "") }

    /// Writes the sound file.
    ///
    /// - Parameter folder: the folder in which the file is created.
    /// - Throws: `ToolFailure` if the file cannot be written.
    init(in folder: String) throws(ToolFailure) {
        path = "\(folder)/melody.wav"
        do {
            try Data(Self.wave).write(to: URL(filePath: path))
        } catch {
            throw .cannotWrite(reason: "the melody cannot be written to \(folder) (\(error))")
        }
    }

    /// The file's contents: 16-bit stereo at a quarter of full scale.
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
        for frame in 0..<frames {
            let high = notes[frame / noteLength % notes.count]
            let sample = Int(8_192 * (0.5 * sine(lowNote, at: frame) + 0.5 * sine(high, at: frame)))
            append(sample, 2)
            append(sample, 2)
        }
        return bytes
    }

    private static func sine(_ hertz: Int, at frame: Int) -> Double {
        sin(2 * .pi * Double(hertz * frame % rate) / Double(rate))
    }
}
