import AudioSessionCore
import AudioSessionFoundation
import AudioSessionPlayback
import AudioSessions
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Files that are named by URLs.
@Suite(.timeLimit(.minutes(10))) struct FileURLTests {
    @Test func playersTakeFileURLs() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        let file = try scratch.sound(counting(0..<100), as: "a tone.wav")
        let url = URL(filePath: file)
        try await stage.player.load(contentsOf: [url])
        try await stage.player.enqueue(contentsOf: [url])
        #expect(stage.player.queue.map(\.fileName) == ["a tone.wav", "a tone.wav"])
        #expect(stage.player.currentItem?.url == url)
    }

    @Test func ofAFileURLOnlyThePathCounts() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        let file = try scratch.sound(counting(0..<100), as: "a#tone.wav")
        let path = URL(filePath: file).path(percentEncoded: true)
        for name in ["file://\(path)#t=5", "file://\(path)?rate=1", "file://LocalHost\(path)", "file:\(path)"] {
            let url = try #require(URL(string: name))
            try await stage.player.load(contentsOf: [url])
            try await stage.player.enqueue(contentsOf: [url])
            #expect(stage.player.queue.map(\.url) == [URL(filePath: file), URL(filePath: file)])
        }
    }

    @Test func theURLOfAnItemNamesTheFileThatPlays() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        let file = try scratch.sound(counting(0..<100), as: "a#tone.wav")
        // In the string that a player takes, a number sign begins no fragment.
        try await stage.player.load([file, "file://\(file)"])
        #expect(stage.player.queue.map(\.url) == [URL(filePath: file), URL(filePath: file)])
    }

    @Test func theBytesOfAFileURLNeedNotBeUTF8() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        let file = try scratch.sound(counting(0..<100), as: "a tone.wav")
        let name = "file://\(scratch.path)/caf%E9.wav"
        let bytes = try #require(SoundFileName.bytes(name))
        let wasRenamed = rename(file, bytes) == 0
        #expect(wasRenamed)
        // The folder is removed with the files that it knows.
        defer { rename(bytes, file) }
        let url = try #require(URL(string: name))
        try await stage.player.load(contentsOf: [url])
        let item = try #require(stage.player.currentItem)
        #expect(SoundFileName.bytes(item.url.absoluteString) == bytes)
    }

    @Test func aURLOfNoFileIsNotFound() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        // A path without a scheme is no file URL, even if there is such a file. The path of a URL
        // with another host is that of another file.
        let file = try scratch.sound(counting(0..<100), as: "tone.wav")
        for name in ["https://example.org/a.wav", file, "file://elsewhere" + file] {
            let url = try #require(URL(string: name))
            let error = await #expect(throws: AudioSessionError.self) {
                try await stage.player.load(contentsOf: [url])
            }
            #expect(error?.code == .fileNotFound)
            let other = await #expect(throws: AudioSessionError.self) {
                try await stage.player.enqueue(contentsOf: [url])
            }
            #expect(other?.code == .fileNotFound)
        }
    }

    @Test func recordersTakeFileURLsOnly() async throws {
        let scratch = try Scratch()
        let stage = try await RecorderStage()
        let file = scratch.name("a memo.wav")
        let path = URL(filePath: file).path(percentEncoded: true)
        for name in ["https://example.org/a.wav", "file://elsewhere" + path] {
            let url = try #require(URL(string: name))
            let error = await #expect(throws: AudioSessionError.self) { try await stage.recorder.record(to: url) }
            #expect(error?.code == .cannotWrite)
        }
        try await stage.recorder.record(to: URL(filePath: file))
        let recording = await stage.recorder.stop()
        #expect(recording?.path == file)
        #expect(recording?.url == URL(filePath: file))
    }

    /// It runs in its own process, because the current folder is that of the whole process.
    @Test func theURLOfARecordingSurvivesAChangeOfTheCurrentFolder() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let stage = try await RecorderStage()
            let file = scratch.name("a.wav")
            try #require(chdir(scratch.path) == 0)
            try await stage.recorder.record(to: "a.wav")
            try #require(chdir("/") == 0)
            let recording = try #require(await stage.recorder.stop())
            #expect(recording.path == "a.wav")
            let url = try #require(recording.url)
            #expect(try scratch.bytes(of: url.path) == scratch.bytes(of: file))
        }
    }
}
