import AudioSessionPlayback
import AudioSessions
import Foundation
import TestSupport
import Testing

/// The examples of README.md and of pages in Docs, compiled.
@Suite struct ReadmeExampleTests {
    private func readme() async {
        do {
            let player = AudioPlayer(manager: try await AudioSessionManager.connect())
            let events = player.events()
            try await player.load(["song.flac"])
            try await player.play()
            for await event in events {
                if case .becameNoisy(let port, _) = event { print("\(port.name) was unplugged: paused") }
                if case .finished = event { break }
            }
        } catch {
            print("cannot play: \(error)")
        }
    }

    private func sessions() async throws {
        let manager = try await AudioSessionManager.connect(.init(applicationName: "Radio"))
        let session = try AudioSession(manager: manager, configuration: .init(.playback))
        let player = AudioPlayer(session: session)
        let events = session.events()
        try await player.load(["song.flac"])
        try await player.play()
        for await event in events {
            switch event {
            case .interruptionBegan(_, let by, _): print("Interrupted by \(by.applicationName ?? "another program")")
            case .interruptionEnded(let options, _):
                print(options.contains(.shouldResume) ? "Resuming" : "Staying paused")
            default: break
            }
        }
    }

    private func listening(_ manager: AudioSessionManager, _ session: AudioSession) {
        Task(executorPreference: manager.taskExecutor) {
            for await event in session.events() { print(event) }
        }
    }

    private func recording() async throws {
        let manager = try await AudioSessionManager.connect(.init(applicationName: "Memo"))
        let recorder = AudioRecorder(manager: manager)
        let events = recorder.events()
        try await recorder.record(to: "memo.flac")
        for await event in events {
            switch event {
            case .microphoneMuted(let who, _): print("Only silence is recorded: muted by the \(who)")
            case .finished(let recording, let reason, _):
                print("\(recording.duration) kept, \(reason)")
                try await recorder.session.deactivate()
            default: break
            }
        }
    }

    private func firstSound() async {
        do {
            let manager = try await AudioSessionManager.connect(.init(applicationName: "hello"))
            let session = try AudioSession(manager: manager, configuration: .init(.playback))
            let player = AudioPlayer(session: session)
            let events = player.events()
            try await player.load(Array(CommandLine.arguments.dropFirst()))
            try await player.play()
            for await event in events {
                switch event {
                case .stateChanged(.playing, _): print("playing on", player.route.outputs.map(\.name))
                case .stateChanged(.paused(let reason), _): print("paused:", reason.rawValue)
                case .becameNoisy(let port, _): print(port.name, "is gone")
                case .routeChanged(let change): print("sound goes to", change.current.outputs.map(\.name))
                case .failed(let error, _): print(error)
                default: break
                }
                if case .finished = event { break }
            }
        } catch {
            print("hello: \(error)")
        }
    }

    private func troubleshooting(_ session: AudioSession) {
        for cause in session.silenceReasons {
            switch cause {
            case .inactive: print("inactive: call activate(), or play() of a player")
            case .interrupted(let others):
                print("interrupted by", others.map { $0.applicationName ?? "unknown" })
            case .advised: print("advised to resume: call activate()")
            case .ducked(let gain, _): print("ducked to", gain)
            case .silentMode: print("silent mode is on: audiosession silent off")
            case .muted: print("the user has muted the output, or the program's stream")
            case .inputMuted: print("only the microphone is muted")
            case .routeLost: print("the output was lost: play() continues on another output")
            case .daemonLost: print("PipeWire is not connected")
            default: print(cause)  // paused: it could be heard, but plays nothing
            }
        }
    }

    private struct Example: CustomTestStringConvertible {
        let page: String
        /// The index from the end of the page: 1 is the last example.
        var placeFromEnd = 1
        let lines: Int

        var testDescription: String { "\(page), \(placeFromEnd) from the end" }
    }

    private static let examples = [
        Example(page: "README.md", lines: 14), Example(page: "Docs/Sessions.md", placeFromEnd: 3, lines: 16),
        Example(page: "Docs/Sessions.md", lines: 3), Example(page: "Docs/Recording.md", lines: 15),
        Example(page: "Docs/FirstSound.md", lines: 23), Example(page: "Docs/Troubleshooting.md", lines: 15),
    ]

    @Test(arguments: Self.examples)
    private func itIsTheOneInThePage(_ expected: Example) throws {
        let page = expected.page
        let file = URL(filePath: #filePath)
        let text = try String(contentsOf: file.appending(path: "../../../\(page)").standardized, encoding: .utf8)
        let here = try lines(String(contentsOf: file, encoding: .utf8))
        let examples = text.split(separator: "```swift").dropFirst().suffix(expected.placeFromEnd)
        let example = try #require(examples.first?.split(separator: "```").first)
        #expect(lines(String(example)).count == expected.lines)
        for line in lines(String(example)) { #expect(here.contains(line), "\(page) has another line: \(line)") }
    }

    /// A new user sees the package line, the code and both commands without scrolling. Other pages
    /// have the rest.
    @Test func theFirstScreenOfTheReadmeHasInstallationAndCode() throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized
        let page = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        #expect(page.utf8.count < 6000)
        let beginning = page.split(separator: "\n", omittingEmptySubsequences: false).prefix(40).joined(
            separator: "\n")
        for part in [
            ".package(", "```swift\nimport", "cannot play", "    Scripts/demo ", "    Scripts/test ", "player.svg",
        ] {
            #expect(beginning.contains(part), "\(part)")
        }
    }

    /// The manifest in the page is the manifest of the example that is built.
    @Test func theManifestInThePageIsThatOfTheExample() throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized
        let page = try String(contentsOf: root.appending(path: "Docs/FirstSound.md"), encoding: .utf8)
        let manifest = try #require(
            page.split(separator: "```swift").dropFirst().first?.split(separator: "```").first
        )
        .replacing("\"hello\"", with: "\"hello-session\"").replacing("\"../AudioSessions\"", with: "\"../..\"")
        let example = try String(
            contentsOf: root.appending(path: "Examples/hello-session/Package.swift"), encoding: .utf8)
        #expect(
            lines(String(manifest))
                == lines(example).filter { !$0.hasPrefix("// ") || $0.hasPrefix("// swift-tools") })
    }

    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
