import AudioSessionTool
import Glibc

/// A sound file of a few seconds without a silent moment.
///
/// It has two voices, and the lower one is held. It repeats sample by sample, so an unchanged level
/// gives exactly the same peak.
struct Melody: Sendable {
    static let name = "melody.wav"
    static let rate = 48_000
    static let seconds = 8
    /// The length of one repetition in frames.
    static let period = notes.count * noteLength
    private static let noteLength = rate / 4
    /// The frequencies of the notes in hertz. Each note lasts a whole number of periods.
    private static let notes = [256, 320, 384, 512]
    private static let lowNote = 128

    private let file: UnnamedFile

    /// The path by which players open the file. It is valid as long as this value exists.
    var path: String { file.path }

    /// Writes the sound file.
    ///
    /// - Throws: `ToolFailure` if the file cannot be written.
    init() throws(ToolFailure) {
        file = try UnnamedFile(for: "the melody")
        try file.write(Self.wave)
    }

    /// The size in bytes of what precedes the samples.
    static let headerSize = 72

    /// The file's contents: 16-bit stereo at a quarter of full scale, with a title for mixers.
    static var wave: [UInt8] {
        let frames = rate * seconds
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headerSize + frames * 4)
        func append(_ value: Int, _ count: Int) {
            for shift in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
        }
        bytes += "RIFF".utf8
        append(headerSize - 8 + frames * 4, 4)
        bytes += "WAVEfmt ".utf8
        for (value, size) in [(16, 4), (1, 2), (2, 2), (rate, 4), (rate * 4, 4), (4, 2), (16, 2)] {
            append(value, size)
        }
        bytes += "LIST".utf8
        append(20, 4)
        bytes += "INFOINAM".utf8
        append(8, 4)
        bytes += "Melody\0\0".utf8
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
