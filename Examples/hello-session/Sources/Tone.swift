import Foundation

/// Remove this file when you play a sound of your own.
enum Tone {
    /// A file with a minute of a quiet tone: 48,000 frames a second of 16 bits on one channel.
    static func file() throws -> String {
        let samples = (0..<60 * 48_000).map { Int16(4_000 * sin(2 * .pi * 440 * Double($0) / 48_000)) }
        let header: [UInt32] = [16, 1 << 16 | 1, 48_000, 96_000, 16 << 16 | 2]
        let parts: [Data] = [
            Data("RIFF".utf8), bytes([UInt32(36 + samples.count * 2)]), Data("WAVEfmt ".utf8), bytes(header),
            Data("data".utf8), bytes([UInt32(samples.count * 2)]), bytes(samples),
        ]
        // The user's own folder, which is emptied when the user logs out.
        let folder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? NSTemporaryDirectory()
        let path = URL(filePath: folder).appending(path: "hello-session.wav")
        try Data(parts.joined()).write(to: path, options: .atomic)
        return path.path
    }

    /// The bytes as in memory: little-endian on all of Swift's platforms under Linux, and in the
    /// file.
    private static func bytes(_ numbers: [some FixedWidthInteger]) -> Data { numbers.withUnsafeBytes { Data($0) } }
}
