import Foundation
import Testing

@testable import WindowPlayer

@Suite struct CoverArtTests {
    private let picture: [UInt8] = [0x89, 1, 2, 3]

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private var flac: [UInt8] {
        var block = number(3, 4) + number(9, 4)
        block += Array("image/png".utf8)
        block += number(2, 4)
        block += Array("hi".utf8)
        block += Array(repeating: 0, count: 16)
        block += number(picture.count, 4)
        block += picture
        var file = Array("fLaC".utf8)
        file += [0] + number(34, 3)
        file += Array(repeating: 7, count: 34)
        file += [0x86] + number(block.count, 3)
        return file + block
    }

    private var mp3: [UInt8] {
        var frames = frame("TIT2", [0] + Array("Song".utf8))
        var body = [UInt8(1)] + Array("image/png\0".utf8)
        body += [3, 0xFF, 0xFE, 0x41, 0, 0, 0]
        frames += frame("APIC", body + picture)
        var file = Array("ID3".utf8)
        file += [3, 0, 0, 0, 0, 0, UInt8(frames.count)]
        return file + frames
    }

    private func frame(_ name: String, _ body: [UInt8]) -> [UInt8] {
        var frame = Array(name.utf8)
        frame += number(body.count, 4)
        return frame + [0, 0] + body
    }

    @Test func picturesAreFoundInFilesOfBothKinds() {
        #expect(CoverArt.embedded(in: flac) == picture)
        #expect(CoverArt.embedded(in: mp3) == picture)
        #expect(CoverArt.embedded(in: mp3 + Array(repeating: 9, count: 40)) == picture)
        #expect(CoverArt.embedded(in: Array("RIFF".utf8)) == nil)
    }

    @Test func truncatedFilesHaveNoPicture() {
        for file in [flac, mp3] {
            for length in 0..<file.count {
                let found = CoverArt.embedded(in: Array(file.prefix(length)))
                #expect(found == nil, "\(length)")
            }
        }
    }

    @Test func otherwiseThePictureOfTheFolderIsUsed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cover.\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let song = folder.appending(path: "song.wav")
        try Data("RIFF".utf8).write(to: song)
        #expect(CoverArt.find(for: song.path) == nil)
        try Data(picture).write(to: folder.appending(path: "cover.jpg"))
        #expect(CoverArt.find(for: song.path) == picture)
    }
}
