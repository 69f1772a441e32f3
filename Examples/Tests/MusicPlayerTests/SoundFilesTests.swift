import AudioSessionPlayback
import ExampleTestSupport
import Foundation
import Testing

@testable import MusicPlayer

@Suite struct SoundFilesTests {
    @Test func foldersGiveTheirSoundsInTheOrderOfNames() throws {
        let folder = try Folder()
        for name in ["10 b.flac", "9 a.WAV", "cover.jpg", ".hidden.wav", "disc 2/1.mp3", "disc 2/02.ogg", "none"] {
            try folder.write(Data(), to: name)
        }
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/disc 2/up", withDestinationPath: "..")
        #expect(
            try SoundFiles.find(in: [.init(folder.path)]).map { $0.dropFirst(folder.path.count + 1) }
                == ["9 a.WAV", "10 b.flac", "disc 2/1.mp3", "disc 2/02.ogg"])
        // A file that is named is loaded.
        let cover = folder.path + "/cover.jpg"
        #expect(try SoundFiles.find(in: [.init(cover), .init(cover)]) == [cover, cover])
        #expect(try SoundFiles.find(in: []).isEmpty)
    }

    @Test func namesThatAreNotUTF8AreFoundAndLoad() async throws {
        let folder = try Folder()
        try folder.write(Data(), to: "a.wav")
        let name: [CChar] = "/caf".utf8CString.dropLast() + [CChar(bitPattern: 0xE9)] + Array(".wav".utf8CString)
        let path = Array(folder.path.utf8CString.dropLast()) + name
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        let found = try SoundFiles.find(in: [.init(folder.path)])
        #expect(found == ["\(folder.path)/a.wav", "file://\(folder.path)/caf%E9.wav"])
        #expect(SoundFileName.bytes(found[1]) == path)
        #expect(try SoundFiles.find(in: [.init(path)]) == [found[1]])
    }

    @Test func missingFilesAreReported() throws {
        #expect(throws: MusicPlayerFailure.noSuchFile("/no/such")) { try SoundFiles.find(in: ["/no/such"]) }
        let failure = MusicPlayerFailure.noSuchFile("/no/such")
        #expect(failure.message == "There is no file or folder '/no/such'. Check the path.")
        #expect(failure.exitCode == 66)
        #expect(MusicPlayerFailure.nothingPlayable(["bad."]).message == "There is nothing to play. bad.")
        #expect(MusicPlayerFailure.nothingPlayable([]).exitCode == 65)
    }

    @Test(arguments: [("2", "10"), ("a2b", "a10b"), ("a", "b"), ("a", "a1"), ("1", "1a"), ("099", "100"), ("9", "a")])
    func numbersInNamesCountAsNumbers(first: String, second: String) {
        #expect(first.naturallyPrecedes(second))
        #expect(!second.naturallyPrecedes(first))
        #expect(!first.naturallyPrecedes(first))
    }
}
