import AudioSessionPlayback
import AudioSessions
import Foundation
import Testing

/// The example of README.md, compiled.
@Suite struct ReadmeExampleTests {
    private func example() async throws {
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

    @Test func itIsTheOneInTheReadme() throws {
        let file = URL(filePath: #filePath)
        let readme = try String(contentsOf: file.appending(path: "../../../README.md").standardized, encoding: .utf8)
        let here = try lines(String(contentsOf: file, encoding: .utf8))
        let example = try #require(readme.split(separator: "```swift").last?.split(separator: "```").first)
        #expect(lines(String(example)).count == 11)
        for line in lines(String(example)) { #expect(here.contains(line), "README.md has another line: \(line)") }
    }

    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
