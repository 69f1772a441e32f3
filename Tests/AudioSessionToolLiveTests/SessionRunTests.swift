import AudioSessionTestKit
import Foundation
import TestSupport
import Testing

@testable import AudioSessionTool

/// Programs with a session each, beside a private PipeWire.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct SessionRunTests {
    @Test func anInterruptionNamesTheInterrupterAndItsEndTheAdvice() async throws {
        let pipeWire = try await PrivatePipeWire()
        let music = try await LiveTool.session(pipeWire, "category playback", "play tone")
        let film = try LiveTool("run", "--remote", pipeWire.remote)
        let id = try #require(try await film.event("ready")["session"] as? String)
        for (word, shouldResume) in [("notify", true), ("silent", false)] {
            #expect(try await film.reply(to: "category playback")["ok"] as? Bool == true)
            #expect(try await film.reply(to: "activate")["ok"] as? Bool == true)
            let began = try await music.event("interruptionBegan")
            let cause = try #require(began["by"] as? LiveTool.Object)
            #expect(cause["session"] as? String == id)
            #expect(cause["pid"] as? Int == Int(film.processIdentifier))
            #expect(try await music.event("stateChanged")["state"] as? String == "interrupted")
            #expect(try await film.reply(to: "deactivate \(word)")["ok"] as? Bool == true)
            #expect(try await music.event("interruptionEnded")["shouldResume"] as? Bool == shouldResume)
            #expect(try await music.event("stateChanged")["state"] as? String == "inactive")
            #expect(try await music.reply(to: "play")["ok"] as? Bool == true)
            #expect(try await music.reply(to: "state")["playing"] as? Bool == true)
        }
        await pipeWire.stop()
    }

    @Test(arguments: [("category playback", false), ("category playAndRecord mode=voiceChat", true)])
    func aKilledInterrupterCountsAsLeftLikeItsKind(category: String, shouldResume: Bool) async throws {
        let pipeWire = try await PrivatePipeWire()
        let music = try await LiveTool.session(pipeWire, "category playback", "activate")
        let other = try await LiveTool.session(pipeWire, category, "activate")
        _ = try await music.event("interruptionBegan")
        other.signal(SIGKILL)
        #expect(try await music.event("interruptionEnded")["shouldResume"] as? Bool == shouldResume)
        // No program is notified twice, not even when another one appears and ends.
        #expect(try await music.reply(to: "activate")["ok"] as? Bool == true)
        let next = try await LiveTool.session(pipeWire, "category playback", "activate")
        _ = try await music.event("interruptionBegan")
        #expect(try await next.reply(to: "quit")["ok"] as? Bool == true)
        try await next.expectEnd()
        #expect(try await music.event("interruptionEnded")["shouldResume"] as? Bool == false)
        #expect(
            try await music.events("interruptionBegan", "interruptionEnded")
                == ["interruptionBegan", "interruptionEnded", "interruptionBegan", "interruptionEnded"])
        await pipeWire.stop()
    }

    @Test func aCommandTimesOutWhilePipeWireIsStopped() async throws {
        let pipeWire = try await PrivatePipeWire()
        let music = try await LiveTool.session(pipeWire, "category playback", "activate")
        let film = try await LiveTool.session(pipeWire, "category playback")
        await pipeWire.suspendDaemon()
        let begin = ContinuousClock.now
        #expect(try await film.reply(to: "activate")["error"] as? String == "timedOut")
        #expect(ContinuousClock.now - begin >= .seconds(5))
        #expect(try await film.reply(to: "state")["state"] as? String == "inactive")
        await pipeWire.resumeDaemon()
        #expect(try await music.event("interruptionEnded")["shouldResume"] as? Bool == true)
        #expect(try await film.reply(to: "activate")["ok"] as? Bool == true)
        #expect(try await film.reply(to: "state")["state"] as? String == "active")
        await pipeWire.stop()
    }

    @Test func aPromptDucksMusicAndIsNamedAsTheCause() async throws {
        let pipeWire = try await PrivatePipeWire()
        let music = try await LiveTool.session(pipeWire, "category playback", "play tone 600")
        let prompt = try await LiveTool.session(
            pipeWire, "category playback mode=voicePrompt options=duckOthers", "activate")
        #expect(try await music.event("ducking")["gain"] as? Double == 0.2)
        let why = try await music.reply(to: "why")
        #expect(why["audible"] as? Bool == true)
        let cause = try #require((why["causes"] as? [LiveTool.Object])?.first)
        #expect(cause["kind"] as? String == "ducked")
        #expect((cause["by"] as? LiveTool.Object)?["pid"] as? Int == Int(prompt.processIdentifier))
        #expect(try await prompt.reply(to: "deactivate")["ok"] as? Bool == true)
        #expect(try await music.event("ducking")["gain"] as? Double == 1)
        #expect(try await music.events("interruptionBegan", "ducking") == ["ducking", "ducking"])
        await pipeWire.stop()
    }

    @Test func musicIsRefusedDuringACallWhichIsNotNotified() async throws {
        let pipeWire = try await PrivatePipeWire()
        let call = try await LiveTool.session(pipeWire, "category playAndRecord mode=voiceChat", "activate")
        let music = try await LiveTool.session(pipeWire, "category playback")
        for command in ["activate", "play tone"] {
            let reply = try await music.reply(to: command)
            #expect(reply["ok"] as? Bool == false)
            #expect(reply["error"] as? String == "insufficientPriority")
            #expect(reply["code"] as? Int == 561_017_449)
        }
        #expect(try await music.state() == "inactive")
        #expect(try await music.events("stateChanged") == [])
        #expect(
            try await call.events("interruptionBegan", "stateChanged", "ducking", "silenceSecondaryAudioHint") == [
                "stateChanged"
            ])
        let overview = try await ToolRun("why", "--remote", pipeWire.remote)
        #expect(
            overview.output == "Audio sessions, the newest first\n  audiosession (\(call.processIdentifier)): "
                + "communication, alone, records — active\n")
        await pipeWire.stop()
    }

    @Test func aConfigurationAppliesCompletelyOrNotAtAll() async throws {
        let pipeWire = try await PrivatePipeWire()
        let tool = try await LiveTool.session(
            pipeWire, "priority alarm", "category playback options=mixWithOthers mode=moviePlayback")
        let illegal = try await tool.reply(to: "category playback mode=voiceChat")
        #expect(illegal["error"] as? String == "badParam")
        #expect(illegal["code"] as? Int == -50)
        #expect((illegal["message"] as? String)?.hasPrefix("Mode voiceChat is only for category") == true)
        var state = try await tool.reply(to: "state")
        #expect(state["mode"] as? String == "moviePlayback")
        #expect(state["options"] as? [String] == ["mixWithOthers"])
        // Omitted values are reset, except those that identify the program.
        #expect(try await tool.reply(to: "category playback")["ok"] as? Bool == true)
        state = try await tool.reply(to: "state")
        #expect(state["mode"] as? String == "default")
        #expect(state["options"] as? [String] == [])
        #expect(state["priority"] as? String == "alarm")
        await pipeWire.stop()
    }

    @Test func everyLineHasAReplyInOrder() async throws {
        let pipeWire = try await PrivatePipeWire()
        let garbage = String(repeating: "g", count: 20_000)
        let lines = [
            "activate", "state", "bogus", garbage, "\u{1B}[2J", "deactivate", "record x", "", "state", "quit",
        ]
        let run = try await ToolRun(
            "run", "--remote", pipeWire.remote, input: lines.joined(separator: "\n"))
        #expect(run.exitCode == 0)
        #expect(run.errors.isEmpty)
        let replies = try run.output.split(separator: "\n").compactMap {
            try (JSONSerialization.jsonObject(with: Data($0.utf8)) as? LiveTool.Object)?["reply"] as? String
        }
        #expect(
            replies == [
                "activate", "state", "bogus", String(repeating: "g", count: 64), "\u{1B}[2J", "deactivate", "record",
                "state", "quit",
            ])
        await pipeWire.stop()
    }

    @Test func theLastCommandDuringAnInterruptionDecides() async throws {
        let pipeWire = try await PrivatePipeWire()
        let music = try await LiveTool.session(pipeWire, "category playback", "auto on", "play tone")
        let other = try await LiveTool.session(pipeWire, "category playback", "activate")
        _ = try await music.event("interruptionBegan")
        #expect(try await music.reply(to: "pause")["ok"] as? Bool == true)
        #expect(try await music.reply(to: "play")["ok"] as? Bool == true)
        #expect(try await music.state() == "interrupted")
        #expect(try await other.reply(to: "deactivate")["ok"] as? Bool == true)
        _ = try await music.event("interruptionEnded")
        _ = try await music.object { $0["state"] as? String == "active" }
        #expect(try await music.reply(to: "state")["playing"] as? Bool == true)

        #expect(try await music.reply(to: "auto off")["ok"] as? Bool == true)
        #expect(try await other.reply(to: "activate")["ok"] as? Bool == true)
        #expect(try await other.reply(to: "deactivate")["ok"] as? Bool == true)
        _ = try await music.event("interruptionEnded")
        // If it were to continue, its activation would have preceded this.
        #expect(try await music.reply(to: "why")["audible"] as? Bool == false)
        #expect(try await music.state() == "inactive")
        await pipeWire.stop()
    }

    @Test func anInactiveSessionCanReadOtherAudio() async throws {
        let pipeWire = try await PrivatePipeWire()
        let game = try await LiveTool.session(pipeWire)
        #expect(try await game.reply(to: "other")["isOtherAudioPlaying"] as? Bool == false)
        let music = try await LiveTool.session(pipeWire, "category playback", "activate")
        let late = try await LiveTool.session(pipeWire)
        for tool in [game, late] {
            // Each receives the token of the music at its own time.
            try await waitUntil("it knows of other audio") {
                try await tool.reply(to: "other")["isOtherAudioPlaying"] as? Bool == true
            }
            #expect(try await tool.reply(to: "other")["hint"] as? Bool == true)
            #expect(try await tool.events("silenceSecondaryAudioHint") == [])
        }
        #expect(try await music.reply(to: "other")["isOtherAudioPlaying"] as? Bool == false)
        await pipeWire.stop()
    }

    @Test func theSoundOfMixingSessionsGivesNoHint() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let first = try await LiveTool.session(pipeWire, "category playback options=mixWithOthers", "play tone")
        let second = try await LiveTool.session(pipeWire, "category ambient", "play tone 600")
        #expect(try await second.reply(to: "other")["isOtherAudioPlaying"] as? Bool == true)
        // Both have been noticed by then: a third program that plays after them has started and
        // ended.
        let film = try await LiveTool.session(pipeWire, "category playback", "play tone 700")
        for tool in [first, second] {
            #expect(try await tool.event("silenceSecondaryAudioHint")["type"] as? String == "begin")
        }
        #expect(try await film.reply(to: "deactivate")["stoppedStreams"] as? [String] == ["tone"])
        // Each receives it at its own time.
        for tool in [first, second] {
            #expect(try await tool.event("silenceSecondaryAudioHint")["type"] as? String == "end")
        }
        #expect(
            try await first.events("silenceSecondaryAudioHint") == [
                "silenceSecondaryAudioHint", "silenceSecondaryAudioHint",
            ])
        #expect(
            try await second.events("silenceSecondaryAudioHint") == [
                "silenceSecondaryAudioHint", "silenceSecondaryAudioHint",
            ])
        #expect(try await film.events("silenceSecondaryAudioHint") == [])
        await card.close()
        await pipeWire.stop()
    }

    @Test func aSimulatedPromptDucksMusicAndInterruptsSpokenAudio() async throws {
        let pipeWire = try await PrivatePipeWire()
        let music = try await LiveTool.session(pipeWire, "category playback", "activate")
        // It mixes, so that music continues, and has mode spokenAudio.
        let podcast = try await LiveTool.session(
            pipeWire, "category playback mode=spokenAudio options=mixWithOthers", "activate")
        let prompt = try LiveTool(
            "simulate", "prompt", "--seconds", "60", "--json", "--remote", pipeWire.remote)
        let speaking = try await prompt.event("prompt")
        #expect(speaking["phase"] as? String == "speaking")
        let asked = try #require(speaking["asked"] as? UInt64)
        #expect(try asked <= #require(speaking["t"] as? UInt64))
        #expect(try await asked <= #require(music.event("ducking")["t"] as? UInt64))
        _ = try await podcast.event("interruptionBegan")
        prompt.signal(SIGTERM)
        #expect(try await prompt.event("prompt")["phase"] as? String == "ended")
        try await prompt.expectEnd()
        #expect(try await music.event("ducking")["gain"] as? Double == 1)
        #expect(try await podcast.event("interruptionEnded")["shouldResume"] as? Bool == true)
        #expect(try await music.events("interruptionBegan") == [])
        await pipeWire.stop()
    }

    @Test func aSimulatedPromptEndsByItself() async throws {
        let pipeWire = try await PrivatePipeWire()
        let run = try await ToolRun("simulate", "prompt", "--seconds", "0.05", "--remote", pipeWire.remote)
        #expect(run.exitCode == 0, "\(run.errors)")
        let sentences = run.output.split(separator: "\n").map { $0.dropFirst(11) }
        #expect(sentences == ["it speaks, and others are ducked", "it has spoken, and others are as before"])
        let wrong = try await ToolRun("simulate", "prompt", "--seconds", "-1")
        #expect(wrong.exitCode == 64)
        await pipeWire.stop()
    }

    @Test func aSimulatedCallRingsConnectsAndNotifies() async throws {
        let pipeWire = try await PrivatePipeWire()
        let music = try await LiveTool.session(pipeWire, "category playback", "activate")
        let call = try LiveTool(
            "simulate", "call", "--ringing", "0.2", "--seconds", "60", "--json", "--remote", pipeWire.remote)
        for phase in ["ringing", "active"] { #expect(try await call.event("call")["phase"] as? String == phase) }
        let second = try await ToolRun("simulate", "call", "--remote", pipeWire.remote)
        #expect(second.exitCode == 75)
        #expect(second.errors.contains("higher priority"))
        call.signal(SIGTERM)
        #expect(try await call.event("call")["phase"] as? String == "ended")
        try await call.expectEnd()
        #expect(try await music.event("interruptionEnded")["shouldResume"] as? Bool == true)
        #expect(
            try await music.events("interruptionBegan", "interruptionEnded")
                == ["interruptionBegan", "interruptionEnded"])
        await pipeWire.stop()
    }
}
