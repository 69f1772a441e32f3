import Glibc

/// A sound file with a minute of a sine at a quarter of full scale, private to this process.
final class Tone: Sendable {
    static let concertPitch = 440
    private static let rate = 48_000
    private static let seconds = 60

    let hertz: Int
    private let file: UnnamedFile

    /// The path by which players open the file. It is valid as long as this object exists.
    var path: String { file.path }

    init(hertz: Int) throws(ToolFailure) {
        self.hertz = hertz
        file = try UnnamedFile(for: "a tone")
        try file.write(Self.header(title: "Tone of \(hertz) Hz"))
        // A whole number of periods makes the seconds follow each other without a jump.
        let second = Self.second(hertz)
        for _ in 0..<Self.seconds { try file.write(second) }
    }

    /// Returns the header of a file with 16 bits and one channel, and with a title for mixers.
    static func header(title: String) -> [UInt8] {
        let text = Array(title.utf8) + [UInt8](repeating: 0, count: 2 - title.utf8.count % 2)
        let size = rate * seconds * 2
        var bytes: [UInt8] = []
        func append(_ value: Int, _ count: Int) {
            for shift in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
        }
        bytes += "RIFF".utf8
        append(4 + 24 + 8 + 4 + 8 + text.count + 8 + size, 4)
        bytes += "WAVEfmt ".utf8
        for (value, size) in [(16, 4), (1, 2), (1, 2), (rate, 4), (rate * 2, 4), (2, 2), (16, 2)] {
            append(value, size)
        }
        bytes += "LIST".utf8
        append(4 + 8 + text.count, 4)
        bytes += "INFOINAM".utf8
        append(text.count, 4)
        bytes += text
        bytes += "data".utf8
        append(size, 4)
        return bytes
    }

    private static func second(_ hertz: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rate * 2)
        for frame in 0..<rate {
            let sample = Int(8_192 * sin(2 * .pi * Double(hertz * frame % rate) / Double(rate)))
            bytes.append(UInt8(truncatingIfNeeded: sample))
            bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
        }
        return bytes
    }
}
