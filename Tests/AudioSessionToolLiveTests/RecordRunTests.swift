import AudioSessionPlayback
import AudioSessionTestKit
import Foundation
import TestSupport
import Testing

@testable import AudioSessionTool

/// Programs that record, beside a private PipeWire with a card whose microphone delivers a tone.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct RecordRunTests {
    private struct Scene {
        let pipeWire: PrivatePipeWire
        let card: VirtualCard

        init() async throws {
            pipeWire = try await PrivatePipeWire()
            card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        }

        func path(_ name: String) -> String { pipeWire.directory + "/" + name }

        func clear() async {
            await card.close()
            await pipeWire.stop()
        }
    }

    /// Polls up to a deadline until a file that is being written can be read and has this length.
    /// The size alone does not show whether the header was updated.
    private func wait(for frames: Int, in path: String) async throws {
        try await waitUntil("\(path) has \(frames) frames") { (try? Sound(path).frames) ?? 0 >= frames }
    }

    /// A moment at which a file has some frames. A stream begins when the session manager links it,
    /// which takes longer on a busy computer.
    private struct Mark {
        let frames: Int
        let time: ContinuousClock.Instant

        /// The least length in seconds of a file that has all but its last second. Half a second is
        /// for cycles that a busy computer loses.
        func least(at end: ContinuousClock.Instant) -> Double {
            Double(frames) / 48_000 + (end - time) / .seconds(1) - 1.5
        }
    }

    private func firstSound(in path: String) async throws -> Mark {
        try await wait(for: 1, in: path)
        return Mark(frames: try Sound(path).frames, time: .now)
    }

    @Test(arguments: ["memo.wav", "memo.flac"])
    func aKilledProgramLeavesAFileUpToTheLastSecond(name: String) async throws {
        let scene = try await Scene()
        let path = scene.path(name)
        let tool = try await LiveTool.session(scene.pipeWire, "category record")
        let asked = ContinuousClock.now
        #expect(try await tool.reply(to: "record \(path)")["ok"] as? Bool == true)
        let mark = try await firstSound(in: path)
        try await wait(for: 96_000, in: path)
        let end = ContinuousClock.now
        tool.signal(SIGKILL)
        let killed = ContinuousClock.now
        _ = try await tool.end()
        let sound = try Sound(path)
        #expect(sound.frames == sound.claimed, "the header claims \(sound.claimed)")
        #expect(Double(sound.frames) / 48_000 > mark.least(at: end))
        #expect(Double(sound.frames) / 48_000 <= (killed - asked) / .seconds(1) + 0.1)
        #expect(sound.peak > 0.05)
        await scene.clear()
    }

    /// The kill follows right after the beginning, after the first frames, or in the middle.
    @Test(arguments: ["memo.wav", "memo.flac"], [0, 1, 60_000])
    func otherProgramsCanOpenTheFileAfterAKillAtAnyMoment(name: String, frames: Int) async throws {
        let scene = try await Scene()
        let path = scene.path(name)
        let tool = try await LiveTool.session(scene.pipeWire, "category record")
        #expect(try await tool.reply(to: "record \(path)")["ok"] as? Bool == true)
        let mark = frames > 0 ? try await firstSound(in: path) : nil
        try await wait(for: frames, in: path)
        let least = mark?.least(at: .now) ?? -1
        tool.signal(SIGKILL)
        _ = try await tool.end()
        for program in OtherProgram.installed {
            let result = try await scene.pipeWire.run(program.path, program.arguments + [path])
            #expect(result.status == 0 && result.output.contains("48000"), "\(program.path): \(result.output)")
            guard let length = program.length(result.output) else { continue }
            #expect(length > least, "\(program.path): \(result.output)")
        }
        #expect(try Double(Sound(path).frames) / 48_000 > least)
        await scene.clear()
    }

    @Test func recordingHasAReplyAndEvents() async throws {
        let scene = try await Scene()
        let tool = try await LiveTool.session(scene.pipeWire, "category playAndRecord")
        #expect(try await tool.reply(to: "record off")["file"] is NSNull)
        #expect(try await tool.reply(to: "record \(scene.path("a.wav"))")["ok"] as? Bool == true)
        #expect(try await tool.reply(to: "record \(scene.path("b.wav"))")["error"] as? String == "alreadyRecording")
        #expect(
            ((try await tool.received("inputChanged"))["port"] as? LiveTool.Object)?["type"] as? String
                == "builtInMic")
        #expect(try await tool.reply(to: "state")["recording"] as? Bool == true)
        try await wait(for: 4_800, in: scene.path("a.wav"))
        let reply = try await tool.reply(to: "record off")
        #expect(reply["file"] as? String == scene.path("a.wav"))
        let frames = try #require(reply["frames"] as? Int)
        #expect(try Sound(scene.path("a.wav")).frames == frames)
        #expect(try await tool.reply(to: "state")["recording"] as? Bool == false)
        #expect(try await tool.events("recordingFinished") == ["recordingFinished"])
        await scene.clear()
    }

    @Test(arguments: [
        ("category playback", "memo.wav", "incompatibleCategory"),
        ("category record", "none/memo.wav", "cannotWrite"),
    ])
    func anImpossibleRecordingInterruptsNoSession(category: String, name: String, error: String) async throws {
        let scene = try await Scene()
        let music = try await LiveTool.session(scene.pipeWire, "category playback", "activate")
        let tool = try await LiveTool.session(scene.pipeWire, category)
        #expect(try await tool.reply(to: "record \(scene.path(name))")["error"] as? String == error)
        #expect(!FileManager.default.fileExists(atPath: scene.path(name)))
        #expect(try await music.events("interruptionBegan") == [])
        await scene.clear()
    }

    /// The limit makes every write of the program fail, as a full disk does.
    @Test(arguments: ["memo.wav", "memo.flac"])
    func aRecordingOnAFullDiskKeepsTheExistingFile(name: String) async throws {
        // The tool inherits that the signal is ignored, which would end it.
        signal(SIGXFSZ, SIG_IGN)
        let scene = try await Scene()
        let folder = scene.path("recordings")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let path = folder + "/" + name
        try Data("before".utf8).write(to: URL(filePath: path))
        let tool = try await LiveTool.session(scene.pipeWire, "category record")
        let limit = try await scene.pipeWire.run(
            "/usr/bin/prlimit", ["--pid", "\(tool.processIdentifier)", "--fsize=0"])
        #expect(limit.status == 0, "\(limit.output)")
        #expect(try await tool.reply(to: "record \(path)")["error"] as? String == "cannotWrite")
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("before".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [name])
        await scene.clear()
    }

    @Test func withoutAMicrophoneTheErrorNamesIt() async throws {
        let pipeWire = try await PrivatePipeWire()
        let tool = try await LiveTool.session(pipeWire, "category record")
        let reply = try await tool.reply(to: "record \(pipeWire.directory)/memo.wav")
        #expect(reply["error"] as? String == "noMicrophone")
        await pipeWire.stop()
    }

    /// Scenario S-115: recording under playAndRecord, then category playback: it ends with an
    /// event, not with silence.
    @Test func aCategoryThatDoesNotRecordEndsTheRecording() async throws {
        let scene = try await Scene()
        let path = scene.path("memo.wav")
        let tool = try await LiveTool.session(scene.pipeWire, "category playAndRecord", "record \(path)")
        try await wait(for: 4_800, in: path)
        #expect(try await tool.reply(to: "category playback")["ok"] as? Bool == true)
        let end = try await tool.received("recordingFinished")
        #expect(end["reason"] as? String == "categoryChanged")
        #expect(try Sound(path).frames == end["frames"] as? Int)
        #expect(try await tool.state() == "active")
        await scene.clear()
    }

    /// Scenario S-118: a voice message that mixes, and each kind of playback: both run.
    @Test(arguments: [
        "category ambient", "category soloAmbient", "category playback", "category playback options=mixWithOthers",
        "category playback mode=voicePrompt options=duckOthers",
        "category playback mode=voicePrompt options=interruptSpokenAudioAndMixWithOthers",
    ])
    func aVoiceMessageRunsBesideAnyPlayback(category: String) async throws {
        let scene = try await Scene()
        let path = scene.path("memo.wav")
        let message = try await LiveTool.session(
            scene.pipeWire, "category playAndRecord options=mixWithOthers", "record \(path)")
        let player = try await LiveTool.session(scene.pipeWire, category, "play tone")
        try await wait(for: Sound(path).frames + 24_000, in: path)
        #expect(try await message.reply(to: "state")["recording"] as? Bool == true)
        #expect(try await message.events("interruptionBegan", "recordingFinished") == [])
        #expect(try await player.reply(to: "state")["playing"] as? Bool == true)
        await scene.clear()
    }

    /// The other half of S-118: category record, which does not mix, interrupts other non-mixable
    /// sessions, and ends for a call.
    @Test func aNonMixableRecordingInterruptsAndIsInterrupted() async throws {
        let scene = try await Scene()
        let path = scene.path("memo.wav")
        let music = try await LiveTool.session(scene.pipeWire, "category playback", "play tone")
        let memo = try await LiveTool.session(scene.pipeWire, "category record", "record \(path)")
        _ = try await music.event("interruptionBegan")
        try await wait(for: 4_800, in: path)
        let call = try await LiveTool.session(scene.pipeWire, "category playAndRecord mode=voiceChat", "activate")
        let end = try await memo.received("recordingFinished")
        #expect(end["reason"] as? String == "interrupted")
        #expect(try Sound(path).frames == end["frames"] as? Int)
        let refused = try await memo.reply(to: "record \(scene.path("next.wav"))")
        #expect(refused["error"] as? String == "sessionNotActive")
        _ = try await call.reply(to: "deactivate")
        await scene.clear()
    }

    @Test func mutingTheProgramRecordsZerosAndIsReported() async throws {
        let scene = try await Scene()
        let path = scene.path("memo.wav")
        let tool = try await LiveTool.session(scene.pipeWire, "category record", "mute on", "record \(path)")
        #expect(try await tool.received("microphoneMuted")["by"] as? String == "program")
        try await wait(for: 4_800, in: path)
        let causes = try await tool.reply(to: "why")["causes"] as? [LiveTool.Object]
        #expect(causes?.first?["kind"] as? String == "muted")
        #expect(causes?.first?["input"] as? Bool == true)
        #expect(try Sound(path).peak == 0)
        #expect(try await tool.reply(to: "mute off")["ok"] as? Bool == true)
        #expect(try await tool.events("microphoneUnmuted") == ["microphoneUnmuted"])
        try await wait(for: Sound(path).frames + 24_000, in: path)
        #expect(try Sound(path).peak > 0.05)
        await scene.clear()
    }

    @Test func quittingClosesTheFile() async throws {
        let scene = try await Scene()
        let path = scene.path("memo.flac")
        let tool = try await LiveTool.session(scene.pipeWire, "category record", "record \(path)")
        try await wait(for: 4_800, in: path)
        #expect(try await tool.reply(to: "quit")["ok"] as? Bool == true)
        try await tool.expectEnd()
        let sound = try Sound(path)
        // Only a closed FLAC file has a part of a block at its end.
        #expect(sound.frames == sound.claimed)
        await scene.clear()
    }
}

extension LiveTool {
    /// The last event of this name, whether it has arrived already or not.
    fileprivate func received(_ name: String) async throws -> Object {
        for line in seen.reversed() where line.contains("\"event\":\"\(name)\"") {
            return try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? Object)
        }
        return try await event(name)
    }
}

/// The properties of a file that another program reads.
private struct Sound {
    var frames = 0
    /// The length in the header.
    let claimed: Int
    var peak: Float = 0

    init(_ path: String) throws {
        let file = try SoundFile(path: path)
        claimed = Int(file.frameCount)
        var buffer = [Float](repeating: 0, count: 4096 * file.format.channelCount)
        while case let count = try file.read(4096, into: &buffer), count > 0 {
            frames += count
            peak = max(peak, buffer.prefix(count * file.format.channelCount).map(abs).max() ?? 0)
        }
    }
}

/// Players for recordings, where they are installed. Each reports the sample rate.
private struct OtherProgram {
    let path: String
    var arguments: [String] = []

    static let installed = [
        OtherProgram(path: "/usr/bin/sndfile-info"),
        OtherProgram(
            path: "/usr/bin/ffprobe",
            arguments: ["-v", "error", "-show_entries", "stream=sample_rate:format=duration", "-of", "csv=p=0"]),
    ].filter { FileManager.default.fileExists(atPath: $0.path) }

    /// The length in seconds; `nil` if the output has none, as for a file without an updated
    /// header.
    func length(_ output: String) -> Double? { output.split(separator: "\n").last.flatMap { Double($0) } }
}
