import AudioSessionTestKit
import AudioSessions
import Foundation
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionTool

/// Compares the conversation that Docs/CommandLine.md quotes with the output of the tool.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct DocumentationTests {
    @Test func everyExampleIsWhatTheToolPrints() async throws {
        let page = URL(filePath: #filePath).appending(path: "../../../Docs/CommandLine.md").standardized
        let examples = Self.examples(in: try String(contentsOf: page, encoding: .utf8))
        #expect(examples.count >= 12)
        let printed = Set(try await Self.conversation().map(Self.masked))
        for example in examples {
            #expect(printed.contains(Self.masked(example)), "not printed: \(example)")
        }
    }

    private static func conversation() async throws -> [String] {
        let pipeWire = try await PrivatePipeWire()
        let card = try LiveTool("simulate", "card", "--remote", pipeWire.remote)
        _ = try await card.event("ready")
        try await plugHeadphones(card, pipeWire)
        let status = try await ToolRun("status", "--json", "--remote", pipeWire.remote)
        let ports = try await ToolRun("ports", "--json", "--remote", pipeWire.remote)
        let sessions =
            try await sessions(pipeWire) + silentMode(pipeWire) + recording(pipeWire) + replug(card, pipeWire)
        let monitor = try LiveTool("monitor", "--json", "--remote", pipeWire.remote)
        let prose = try LiveTool("monitor", "--remote", pipeWire.remote)
        _ = try await monitor.event("route")
        _ = try await prose.line()
        try card.send("unplug headphones")
        _ = try await monitor.object { $0.outputs("current") == ["builtInSpeaker"] }
        try await prose.sentence("headphones unplugged: sound was on Headphones, now on Speakers")
        try card.send("plug nothing")
        _ = try await card.object { $0["ok"] as? Bool == false }
        await pipeWire.killDaemon()
        _ = try await monitor.event("mediaServicesLost")
        try await pipeWire.startDaemon()
        _ = try await monitor.event("mediaServicesReset")
        await pipeWire.stop()
        let lines = (status.output + ports.output).split(separator: "\n").map(String.init)
        let dropped = JSONFormat.event(.dropped(3, at: MonotonicTime(nanoseconds: 1_000_000))).description
        return card.seen + sessions + monitor.seen + prose.seen + lines + [dropped]
    }

    /// The output of two programs and a call.
    private static func sessions(_ pipeWire: PrivatePipeWire) async throws -> [String] {
        let music = try await LiveTool.session(pipeWire, "category playback", "play tone")
        let prompt = try await LiveTool.session(
            pipeWire, "category playback mode=voicePrompt options=duckOthers", "activate")
        _ = try await music.event("ducking")
        let commands = [
            "state", "route", "other", "why", "numbers", "prefer-rate 0", "category playback mode=voiceChat",
            "sources",
            "prefer-output nowhere", "override speaker",
        ]
        for command in commands {
            _ = try await music.reply(to: command)
        }
        try await pipeWire.mix(.defaultOutput, level: 0.25)
        _ = try await music.event("outputVolumeChanged")
        _ = try await music.send("prefer-buffer 5") { $0["event"] as? String == "hardwareFormatChanged" }
        let why = try await ToolRun("why", "--json", "--remote", pipeWire.remote)
        _ = try await prompt.reply(to: "deactivate")
        _ = try await music.event("ducking")
        let call = try await ToolRun(
            "simulate", "call", "--json", "--ringing", "0.1", "--seconds", "0.1", "--remote", pipeWire.remote)
        _ = try await music.event("interruptionEnded")
        let speaker = try await ToolRun(
            "simulate", "prompt", "--json", "--seconds", "0.1", "--remote", pipeWire.remote)
        let lines = (why.output + call.output + speaker.output).split(separator: "\n").map(String.init)
        return music.seen + prompt.seen + lines
    }

    /// The output of a program that records.
    private static func recording(_ pipeWire: PrivatePipeWire) async throws -> [String] {
        let file = pipeWire.directory + "/memo.wav"
        let tool = try await LiveTool.session(pipeWire, "category playback")
        _ = try await tool.reply(to: "record \(file)")
        for command in ["category record", "record \(file)"] { _ = try await tool.reply(to: command) }
        _ = try await tool.reply(to: "mute on")
        // These events precede the reply or follow it.
        while try await tool.events("inputChanged").isEmpty {}
        for gain in [0.8, 0.5] { _ = try await tool.send("input-gain \(gain)") { $0["gain"] as? Double == gain } }
        for command in ["why", "mute off", "record off"] { _ = try await tool.reply(to: command) }
        return tool.seen
    }

    /// The output when a program that follows silent mode is silenced.
    private static func silentMode(_ pipeWire: PrivatePipeWire) async throws -> [String] {
        let monitor = try LiveTool("monitor", "--json", "--remote", pipeWire.remote)
        _ = try await monitor.event("route")
        let game = try await LiveTool.session(pipeWire, "category ambient", "play tone")
        let silent = try await ToolRun("silent", "on", "--json", "--remote", pipeWire.remote)
        _ = try await monitor.event("silentModeChanged")
        _ = try await game.event("ducking")
        _ = try await game.reply(to: "why")
        _ = try await ToolRun("silent", "off", "--remote", pipeWire.remote)
        return monitor.seen + game.seen + silent.output.split(separator: "\n").map(String.init)
    }

    /// The output when headphones are pulled and plugged in again.
    private static func replug(_ card: LiveTool, _ pipeWire: PrivatePipeWire) async throws -> [String] {
        let music = try await LiveTool.session(pipeWire, "category playback", "replug on", "play tone")
        try card.send("unplug headphones")
        _ = try await music.event("routeChanged")
        try card.send("plug headphones")
        _ = try await music.event("resumeAdvice")
        return music.seen
    }

    /// Returns when a monitor has printed it.
    private static func plugHeadphones(_ card: LiveTool, _ pipeWire: PrivatePipeWire) async throws {
        let monitor = try LiveTool("monitor", "--json", "--remote", pipeWire.remote)
        _ = try await monitor.event("route")
        try card.send("plug headphones")
        _ = try await card.object { $0["reply"] as? String == "plug" }
        _ = try await monitor.object { $0.outputs("current") == ["headphones"] }
        monitor.signal(SIGTERM)
        _ = try await monitor.end()
    }

    /// The lines in the page's blocks of code, without those that are typed.
    private static func examples(in page: String) -> [String] {
        var isCode = false
        return page.split(separator: "\n").compactMap { line in
            if line.hasPrefix("```") {
                isCode.toggle()
                return nil
            }
            return isCode && !line.hasPrefix("$") ? String(line) : nil
        }
    }

    /// The line without values that differ between runs and versions of PipeWire.
    private static func masked(_ line: String) -> String {
        var line = line
        line.replace(/"t":[0-9]+/, with: "\"t\":0")
        line.replace(/"asked":[0-9]+/, with: "\"asked\":0")
        line.replace(/"volume":[-+.0-9e]+/, with: "\"volume\":0")
        line.replace(/"inputGain":[-+.0-9e]+/, with: "\"inputGain\":0")
        line.replace(/"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"/, with: "\"uuid\"")
        line.replace(/"file":"[^"]*"/, with: "\"file\":\"\"")
        line.replace(/"(frames|seconds)":[0-9.]+/, with: "\"length\":0")
        line.replace(/"(inputLatency|outputLatency|ioBufferDuration)":[0-9.]+/, with: "\"latency\":0")
        line.replace(/"pid":[0-9]+/, with: "\"pid\":0")
        line.replace(/"pipeWireLibrary":"[^"]*"/, with: "\"pipeWireLibrary\":\"\"")
        line.replace(/^ *[0-9]+\.[0-9]{3}/, with: "0")
        if line.hasPrefix("{"), line.hasSuffix(",") { line.removeLast() }
        return line
    }
}
