import Glibc

/// A sound that a program generates, as a file that only this process has.
public final class Sound: Sendable {
    private static let rate = 48_000
    private let descriptor: Int32

    /// The path for a player to load, which is removed with this object.
    public var path: String { "/proc/self/fd/\(descriptor)" }

    /// Generates a sound of a length.
    /// - Parameters:
    ///   - value: the sample at a time in seconds, -1 to 1.
    /// - Throws: the `errno` of the failed call.
    public init(seconds: Double, _ value: (Double) -> Double) throws(Errno) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array("\(folder)/audiosessions-example.XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw Errno() }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // From now on the file has no name that could be left behind.
        unlink(&name)
        let frames = Int(seconds * Double(Self.rate))
        let samples = (0..<frames).map { frame in
            Int(max(-1, min(1, value(Double(frame) / Double(Self.rate)))) * 16_000)
        }
        let bytes =
            Self.header(frames)
            + samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        guard writeAll(bytes, to: descriptor) else { throw Errno() }
    }

    /// A sound whose end leads to its beginning, to be repeated without a gap.
    public convenience init(loopOf seconds: Double, _ value: (Double) -> Double) throws(Errno) {
        let (frames, overlap) = (Int(seconds * Double(Self.rate)), Self.rate / 2)
        let samples = (0..<frames + overlap).map { value(Double($0) / Double(Self.rate)) }
        try self.init(seconds: seconds) { time in
            let frame = Int((time * Double(Self.rate)).rounded())
            guard frame < overlap else { return samples[frame] }
            // The continuation of the end fades into the beginning, at equal power.
            let angle = Double(frame) / Double(overlap) * .pi / 2
            return samples[frame] * sin(angle) + samples[frame + frames] * cos(angle)
        }
    }

    deinit { close(descriptor) }

    /// The header of a WAV file with 16 bits on one channel.
    private static func header(_ frames: Int) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let format = [(16, 4), (1, 2), (1, 2), (rate, 4), (rate * 2, 4), (2, 2), (16, 2)].flatMap(number)
        return Array("RIFF".utf8) + number(36 + frames * 2, 4) + Array("WAVEfmt ".utf8) + format
            + Array("data".utf8) + number(frames * 2, 4)
    }
}

/// The system's message of the error.
public struct Errno: Error, CustomStringConvertible {
    public let description = String(cString: strerror(errno))
}

extension Sound {
    /// Three falling tones, 2 seconds in total.
    public static func chime() throws(Errno) -> Sound {
        try Sound(seconds: 2) { time in
            [1_046.5, 784.0, 659.3].enumerated().reduce(0) { sum, note in
                let age = time - Double(note.offset) * 0.3
                return age < 0 ? sum : sum + 0.5 * exp(-4 * age) * sin(2 * .pi * note.element * age)
            }
        }
    }

    /// One ring of a telephone and the pause behind it.
    public static func ring() throws(Errno) -> Sound {
        try Sound(seconds: 2) { time in
            guard time < 1.2 else { return 0 }
            return 0.5 * sin(2 * .pi * 480 * time) * (sin(2 * .pi * 20 * time) > 0 ? 1 : 0.3)
        }
    }

    /// A sound similar to a voice behind a wall: syllables without words.
    public static func voice() throws(Errno) -> Sound {
        try Sound(seconds: 3) { time in
            let melody = 150 + 40 * sin(2 * .pi * time / 3)
            let syllable = max(0, sin(2 * .pi * 3 * time))
            return 0.4 * syllable
                * (1...5).reduce(0) { $0 + sin(2 * .pi * melody * Double($1) * time) / Double($1 + 1) }
        }
    }
}

/// Writes the bytes, and returns whether all of them could be written.
@discardableResult
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR else { return false }
        rest = rest.dropFirst(max(0, count))
    }
    return true
}
