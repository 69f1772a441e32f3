import AudioSessionCore
import AudioSessionFoundation
import AudioSessionPlayback
import AudioSessions
import FoundationEssentials
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

    @Test func aURLOfNoFileIsNotFound() async throws {
        let stage = try await PlayerStage()
        let url = try #require(URL(string: "https://example.org/a.wav"))
        let error = await #expect(throws: AudioSessionError.self) {
            try await stage.player.load(contentsOf: [url])
        }
        #expect(error?.code == .fileNotFound)
    }

    @Test func recordersTakeFileURLsOnly() async throws {
        let scratch = try Scratch()
        let stage = try await RecorderStage()
        let url = try #require(URL(string: "https://example.org/a.wav"))
        let error = await #expect(throws: AudioSessionError.self) { try await stage.recorder.record(to: url) }
        #expect(error?.code == .cannotWrite)
        let file = scratch.name("a memo.wav")
        try await stage.recorder.record(to: URL(filePath: file))
        let recording = await stage.recorder.stop()
        #expect(recording?.path == file)
        #expect(recording?.url == URL(filePath: file))
    }
}
