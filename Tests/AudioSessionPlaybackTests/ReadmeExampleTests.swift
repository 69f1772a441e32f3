import AudioSessionPlayback
import AudioSessions
import Foundation
import Testing

/// The examples of README.md, Docs/Sessions.md and Docs/Recording.md, compiled.
@Suite struct ReadmeExampleTests {
    private func readme() async throws {
        let player = AudioPlayer(manager: try await AudioSessionManager.connect())
        let events = player.events()
        try await player.load(["song.flac"])
        try await player.play()
        for await event in events {
            if case .becameNoisy(let port) = event { print("\(port.name) is gone; nothing is heard any more") }
            if case .routeChanged(let change) = event { print(change.reason, change.current.outputs.map(\.name)) }
            if event == .finished { break }
        }
    }

    private func sessions() async throws {
        let manager = try await AudioSessionManager.connect(.init(applicationName: "Radio"))
        let session = try AudioSession(manager: manager, configuration: .init(.playback))
        let player = AudioPlayer(session: session)
        try await player.load(["song.flac"])
        try await player.play()
        for await event in session.events() {
            switch event {
            case .interruptionBegan(_, let by, _): print("\(by.applicationName ?? "Somebody") has the sound")
            case .interruptionEnded(let options, _):
                print(options.contains(.shouldResume) ? "Going on" : "Staying paused")
            default: break
            }
        }
    }

    private func recording() async throws {
        let manager = try await AudioSessionManager.connect(.init(applicationName: "Memo"))
        let recorder = AudioRecorder(manager: manager)
        let events = recorder.events()
        try await recorder.record(to: "memo.flac")
        for await event in events {
            switch event {
            case .microphoneMuted(let who): print("Only silence is recorded: muted by the \(who)")
            case .finished(let recording, let reason): print("\(recording.duration) kept, \(reason)")
            default: break
            }
        }
    }

    @Test(arguments: [("README.md", 11), ("Docs/Sessions.md", 15), ("Docs/Recording.md", 13)])
    func itIsTheOneInThePage(page: String, count: Int) throws {
        let file = URL(filePath: #filePath)
        let text = try String(contentsOf: file.appending(path: "../../../\(page)").standardized, encoding: .utf8)
        let here = try lines(String(contentsOf: file, encoding: .utf8))
        let example = try #require(text.split(separator: "```swift").last?.split(separator: "```").first)
        #expect(lines(String(example)).count == count)
        for line in lines(String(example)) { #expect(here.contains(line), "\(page) has another line: \(line)") }
    }

    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
