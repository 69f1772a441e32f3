import ArgumentParser
import AudioSessionCore
import AudioSessionTestKit
import Foundation
import TestSupport
import Testing

@testable import AudioSessionTool

/// Silent mode and mutes, beside a private PipeWire.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct SilentRunTests {
    @Test func silentModeIsTurnedOnAndOffForEveryProgram() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        func silent(_ arguments: String...) async throws -> ToolRun {
            try await ToolRun(arguments: ["silent"] + arguments, environment: pipeWire.environment)
        }
        #expect(try await silent().output == "Silent mode is off\n")
        let monitor = try LiveTool("monitor", "--json", "--remote", pipeWire.remote)
        _ = try await monitor.event("route")
        let game = try await LiveTool.session(pipeWire, "category ambient", "play tone")
        let music = try await LiveTool.session(pipeWire, "category playback", "play tone")
        let on = try await silent("on")
        #expect(on.exitCode == 0)
        #expect(on.output == SilentCommand.sentence(true) + "\n")
        let ducking = try await game.event("ducking")
        #expect(ducking["gain"] as? Double == 0)
        #expect((ducking["by"] as? [LiveTool.Object])?.isEmpty == true)
        #expect(try await monitor.event("silentModeChanged")["on"] as? Bool == true)
        #expect(try await game.kinds() == ["silentMode"])
        #expect(try await game.reply(to: "state")["gain"] as? Double == 0)
        #expect(try await music.kinds() == [])
        #expect(try await silent("--json").output.contains(#""silentMode":true"#))
        let status = try await ToolRun("status", "--remote", pipeWire.remote)
        #expect(status.output.contains("Silent mode is on: 1 session is muted by it"))
        let why = try await ToolRun("why", "--remote", pipeWire.remote)
        #expect(why.output.contains("mixes — active, silenced by silent mode"))
        #expect(try await silent("off").output == "Silent mode is off\n")
        #expect(try await game.event("ducking")["gain"] as? Double == 1)
        #expect(try await monitor.event("silentModeChanged")["on"] as? Bool == false)
        #expect(try await game.kinds() == [])
        await card.close()
        await pipeWire.stop()
    }

    @Test func aRefusalHasItsExitCode() {
        #expect(ToolFailure.session(AudioSessionError(.notPermitted, "No.")).exitCode.rawValue == 77)
        #expect(AudioSessionTool.helpMessage(columns: 80).contains("77  PipeWire does not permit it"))
    }

    /// No session is notified of mutes of other programs' streams, but they can be read.
    @Test func whyNamesMutedStreamsOfPrograms() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        async let program = pipeWire.run("pw-loopback")
        func stream(where isWanted: (LiveTool.Object) -> Bool) async throws -> LiveTool.Object {
            while true {
                let why = try await ToolRun("why", "--json", "--remote", pipeWire.remote)
                let object = try JSONSerialization.jsonObject(with: Data(why.output.utf8)) as? LiveTool.Object
                let streams = object?["streams"] as? [LiveTool.Object]
                if let stream = streams?.first(where: isWanted) { return stream }
            }
        }
        let node = try #require(try await stream { $0["muted"] as? Bool == false }["node"] as? Int)
        try await pipeWire.mix(.node(ObjectID(UInt32(node))), isMuted: true)
        #expect(try await stream { $0["muted"] as? Bool == true }["node"] as? Int == node)
        await card.close()
        await pipeWire.stop()
        _ = try? await program
    }

    @Test func whyNamesEachMute() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let music = try await LiveTool.session(pipeWire, "category playback", "play tone")
        try await pipeWire.mix(.defaultOutput, isMuted: true)
        try await music.wait(forKinds: ["muted"])
        let why = try await ToolRun("why", "--json", "--remote", pipeWire.remote)
        #expect(why.output.contains(#""causes":[{"kind":"muted"}]"#))
        try await pipeWire.mix(.defaultOutput, isMuted: false)
        try await music.wait(forKinds: [])
        await card.close()
        await pipeWire.stop()
    }
}

extension LiveTool {
    /// The kinds of its silence reasons.
    func kinds() async throws -> [String] {
        let causes = try await reply(to: "why")["causes"] as? [Object]
        return causes?.compactMap { $0["kind"] as? String } ?? ["none was received"]
    }

    /// Polls until that is the answer; the tool's own deadline ends it.
    func wait(forKinds wanted: [String]) async throws { while try await kinds() != wanted {} }
}
