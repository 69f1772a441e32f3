import AudioSessionTestKit
import TestSupport
import Testing

@testable import AudioSessionTool

/// A program whose commands choose its output.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct ChoiceRunTests {
    @Test func aPreferredOutputIsUsedAndTheRouteHasTheReason() async throws {
        let pipeWire = try await PrivatePipeWire()
        let cards = [
            try await VirtualCard(.builtIn(), remote: pipeWire.remote),
            try await VirtualCard(.usb(), remote: pipeWire.remote),
        ]
        let tool = try await LiveTool.session(pipeWire, "category playback", "play tone")
        let speaker = "alsa_card.pci-virtual_0/analog-output-speaker"
        let (preferred, change) = try await tool.send("prefer-output \(speaker)") {
            $0["reason"] as? String == "override"
        }
        #expect(preferred["ok"] as? Bool == true)
        #expect(change.outputs("current") == ["builtInSpeaker"])
        let route = try await tool.reply(to: "route")
        let choice = try #require(route["outputChoice"] as? LiveTool.Object)
        #expect(choice["reason"] as? String == "preferred" && choice["port"] as? String == speaker)
        let (unpreferred, _) = try await tool.send("prefer-output none") { $0.outputs("current") == ["usbAudio"] }
        #expect(unpreferred["ok"] as? Bool == true)
        for card in cards { await card.close() }
        await pipeWire.stop()
    }

    @Test func anImpossibleChoiceIsRefusedByName() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let tool = try await LiveTool.session(pipeWire, "category playback")
        for (command, error) in [
            ("prefer-output nowhere", "resourceNotAvailable"), ("prefer-input nowhere", "incompatibleCategory"),
            ("override speaker", "incompatibleCategory"), ("sources nowhere front", "resourceNotAvailable"),
            ("sources alsa_card.pci-virtual_0/analog-output-speaker front", "resourceNotAvailable"),
        ] {
            let reply = try await tool.reply(to: command)
            #expect(reply["ok"] as? Bool == false && reply["error"] as? String == error, "\(command)")
        }
        #expect(try await tool.reply(to: "category playAndRecord")["ok"] as? Bool == true)
        #expect(try await tool.reply(to: "override speaker")["ok"] as? Bool == true)
        let route = try await tool.reply(to: "route")
        #expect((route["outputChoice"] as? LiveTool.Object)?["reason"] as? String == "override")
        await card.close()
        await pipeWire.stop()
    }
}
