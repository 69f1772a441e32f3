import ExampleTestSupport
import Foundation

extension Folder {
    /// Writes a WAV file with title and artist, and a tone of 8,000 frames a second, so that
    /// minutes of it are small.
    func song(_ title: String, by artist: String, seconds: Int, as name: String) throws {
        let second = (0..<8_000).reduce(into: Data()) { data, frame in
            data += bytes(Int16(8_000 * sin(2 * .pi * 440 * Double(frame) / 8_000)))
        }
        let format = [UInt32(1 << 16 | 1), 8_000, 16_000, 16 << 16 | 2].map(bytes).reduce(Data(), +)
        let tags = Data("INFO".utf8) + chunk("INAM", Data(title.utf8)) + chunk("IART", Data(artist.utf8))
        var sound = Data(capacity: seconds * second.count)
        for _ in 0..<seconds { sound += second }
        let content =
            Data("WAVE".utf8) + chunk("fmt ", format) + chunk("LIST", tags) + chunk("data", sound)
        try write(chunk("RIFF", content), to: name)
    }

    private func chunk(_ name: String, _ content: Data) -> Data {
        Data(name.utf8) + bytes(UInt32(content.count)) + content + Data(count: content.count % 2)
    }

    private func bytes(_ value: some FixedWidthInteger) -> Data {
        withUnsafeBytes(of: value.littleEndian) { Data($0) }
    }
}
