package import Foundation

/// A folder for one test's files, which is removed with it.
package final class Folder {
    package let path: String

    package init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "music-player.\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        path = folder.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    package func write(_ data: Data, to name: String) throws -> String {
        let file = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return file.path
    }

    /// A WAV file with a tone, 48,000 frames a second on one channel.
    package func tone(seconds: Double, as name: String) throws -> String {
        let frames = Int(seconds * 48_000)
        var data = Data("RIFF".utf8)
        func append(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { data += $0 } }
        append(UInt32(36 + frames * 2))
        data += Data("WAVEfmt ".utf8)
        append(UInt32(16))
        for value: UInt16 in [1, 1] { append(value) }
        for value: UInt32 in [48_000, 96_000] { append(value) }
        for value: UInt16 in [2, 16] { append(value) }
        data += Data("data".utf8)
        append(UInt32(frames * 2))
        for frame in 0..<frames { append(Int16(8_000 * sin(2 * .pi * 440 * Double(frame) / 48_000))) }
        return try write(data, to: name)
    }
}
