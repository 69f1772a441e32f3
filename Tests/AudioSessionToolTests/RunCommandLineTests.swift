import ArgumentParser
import AudioSessions
import Foundation
import Testing

@testable import AudioSessionTool

@Suite struct RunCommandLineTests {
    @Test(arguments: [
        ("activate", RunCommandLine.Action.activate), ("  activate  ", .activate), ("state\r", .state),
        ("deactivate", .deactivate(notify: true)), ("deactivate notify", .deactivate(notify: true)),
        ("deactivate silent", .deactivate(notify: false)), ("background on", .background(true)),
        ("auto off", .auto(false)), ("noisy ignore", .noisy(pauses: false)), ("replug on", .replug(true)),
        ("replug off", .replug(false)), ("priority alarm", .priority(.alarm)),
        ("group my group", .group("my group")), ("volume 0.5", .volume(0.5)), ("volume 1", .volume(1)),
        ("play", .play(.same)), ("play tone", .play(.tone(hertz: 440))), ("play tone 880", .play(.tone(hertz: 880))),
        ("play a  file.wav ", .play(.file("a  file.wav"))), ("play tone.wav", .play(.file("tone.wav"))),
        ("category ambient", .category(.init(.ambient))),
        (
            "category playback options=duckOthers,allowAirPlay mode=voicePrompt policy=default",
            .category(.init(.playback, mode: .voicePrompt, options: [.duckOthers, .allowAirPlay]))
        ),
        ("category playback options=", .category(.init(.playback))), ("quit", .quit),
        ("prefer-output card/a route", .prefer(.output, "card/a route")),
        ("prefer-output none", .prefer(.output, nil)),
        ("prefer-input x", .prefer(.input, "x")), ("override speaker", .override(.speaker)),
        ("override none", .override(.none)), ("sources", .sources(nil)),
        ("sources a card/mic  rear", .sources(.init(port: "a card/mic", source: "rear"))),
        ("sources mic none", .sources(.init(port: "mic", source: nil))),
        ("record a  memo.flac ", .record("a  memo.flac")), ("record off", .record(nil)), ("mute on", .mute(true)),
        ("mute off", .mute(false)), ("numbers", .numbers), ("prefer-rate 44100", .preferRate(44100)),
        ("prefer-rate none", .preferRate(nil)), ("prefer-buffer 5.5", .preferBuffer(.microseconds(5500))),
        ("prefer-buffer none", .preferBuffer(nil)), ("input-gain 0.25", .inputGain(0.25)),
        ("prefer-output-channels 2", .preferChannels(.output, 2)),
        ("prefer-input-channels none", .preferChannels(.input, nil)),
    ])
    func aCommandIsRead(line: String, action: RunCommandLine.Action) throws {
        let command = try #require(RunCommandLine(line))
        #expect(command.action == .success(action))
        #expect(line.split(whereSeparator: \.isWhitespace)[0] == command.word)
    }

    @Test(arguments: [
        "bogus", "Activate", "activate now", "deactivate loudly", "background", "background maybe", "auto",
        "noisy on", "replug", "replug maybe",
        "volume", "volume 1.1", "volume -1", "volume nan", "volume loud", "play tone 0", "play tone 30000",
        "prefer-output", "prefer-input ", "override", "override headphones", "sources mic", "play tone high",
        "play tone 440 441", "category", "category playback mode", "category playback x=y",
        "category playback mode=default mode=default", "group", "priority", "quit now", "record", "mute", "mute me",
        "numbers all", "prefer-rate", "prefer-rate high", "prefer-rate nan", "prefer-rate 1e99",
        "prefer-rate 44100.5", "prefer-buffer x", "prefer-output-channels", "prefer-output-channels 1.5",
        "prefer-input-channels many", "input-gain", "input-gain 1.5",
        "\u{1}\u{0}", "{}", "🎧",
    ])
    func anInvalidCommandIsABadCommand(line: String) throws {
        let command = try #require(RunCommandLine(line))
        guard case .failure(let failure) = command.action else {
            Issue.record("\(command.action)")
            return
        }
        #expect(failure.error == "badCommand")
        #expect(failure.code == nil)
    }

    /// The help text, the page and the commands have the same entries.
    @Test func everyCommandIsExplained() throws {
        for usage in RunUsage.all {
            let command = try #require(RunCommandLine(usage.word))
            if case .failure(let failure) = command.action {
                #expect(!failure.message.contains("no such command"), "\(usage.word)")
            }
        }
        let words = Set(RunUsage.all.map(\.word))
        #expect(words.count == RunUsage.all.count)
        let page = try String(
            contentsOf: URL(filePath: #filePath).appending(path: "../../../Docs/CommandLine.md").standardized,
            encoding: .utf8)
        let section = try #require(
            page.split(separator: "### `audiosession run`").last?.split(separator: "\n###").first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let explained = rows.flatMap { row in
            row.split(separator: " | ")[0].matches(of: /`([a-z-]+)/).map { String($0.1) }
        }
        #expect(Set(explained) == words)
        #expect(RunUsage.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let help = RunCommand.helpMessage(columns: 200)
        for usage in RunUsage.all { #expect(help.contains(usage.syntax), "\(usage.syntax)") }
        guard case .failure(let failure)? = RunCommandLine("fly")?.action else {
            Issue.record("fly is a command")
            return
        }
        #expect(failure.message.contains("'help'") && words.allSatisfy { failure.message.contains($0) })
    }

    @Test(arguments: [
        "category music", "category playback mode=loud", "category playback options=duckOthers,",
        "category playback policy=mine", "priority high",
    ])
    func anInvalidValueIsABadParameter(line: String) throws {
        guard case .failure(let failure) = try #require(RunCommandLine(line)).action else {
            Issue.record("\(line) was read")
            return
        }
        #expect(failure.error == "badParam")
        #expect(failure.code == -50)
        #expect(failure.message.contains("Use one of "))
    }

    @Test func anEmptyLineIsNoCommand() {
        for line in ["", " ", "\t\r"] { #expect(RunCommandLine(line) == nil) }
    }

    @Test func linesAndWordsAreBounded() throws {
        let limit = RunCommandLine.maximumLength
        let path = String(repeating: "x", count: limit - 5)
        #expect(RunCommandLine("play \(path)")?.action == .success(.play(.file(path))))
        let long = try #require(RunCommandLine("play \(path)x"))
        #expect(long.action == .failure(.badCommand("The line is too long. A line has at most \(limit) bytes.")))
        #expect(long.word == "play")
        #expect(RunCommandLine(path)?.word.unicodeScalars.count == 64)
        #expect(RunCommandLine("a" + String(repeating: "\u{301}", count: 1_000))?.word.unicodeScalars.count == 64)
    }
}
