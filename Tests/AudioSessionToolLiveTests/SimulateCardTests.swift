import AudioSessionTestKit
import Foundation
import TestSupport
import Testing

@testable import AudioSessionTool

/// Two runs of the tool beside a private PipeWire: one is the card, the other reports the route.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct SimulateCardTests {
    @Test func eachCommandGetsOneReplyOrError() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try LiveTool("simulate", "card", "--remote", pipeWire.remote)
        _ = try await card.event("ready")
        for (command, error) in [
            ("dance", "badCommand"), ("plug", "badCommand"), ("plug moon", "unknownRoute"),
            (String(repeating: "x", count: 100_000), "badCommand"),
        ] {
            try card.send(command)
            let reply = try await card.object()
            #expect(reply["ok"] as? Bool == false)
            #expect(reply["error"] as? String == error)
            #expect((reply["message"] as? String)?.isEmpty == false)
        }
        // The end of the input ends the card.
        try card.endInput()
        await #expect(throws: LiveTool.Missing.self) { try await card.line() }
        try await card.expectEnd()
        await pipeWire.stop()
    }

    @Test(arguments: [("--usb", "usbAudio"), ("--bluetooth", "bluetoothA2DP")])
    func otherCardsHaveTheirType(option: String, type: String) async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try LiveTool("simulate", "card", option, "--name", "two", "--remote", pipeWire.remote)
        _ = try await card.event("ready")
        let monitor = try LiveTool("monitor", "--json", "--remote", pipeWire.remote)
        #expect(try await monitor.object().outputs("route") == [type])
        card.signal(SIGTERM)
        try await card.expectEnd()
        let change = try await monitor.event("routeChanged")
        #expect(change["reason"] as? String == "noSuitableRouteForCategory")
        await pipeWire.stop()
    }

    /// The session manager would use one of the two, and jacks of the other would have no effect.
    @Test func aNameInUseIsRefused() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try LiveTool("simulate", "card", "--remote", pipeWire.remote)
        _ = try await card.event("ready")
        let second = try await ToolRun("simulate", "card", "--remote", pipeWire.remote)
        #expect(second.exitCode == 73 && second.output.isEmpty)
        #expect(second.errors.contains("alsa_card.pci-virtual_0") && second.errors.contains("--name"))
        let other = try LiveTool("simulate", "card", "--name", "two", "--remote", pipeWire.remote)
        _ = try await other.event("ready")
        await pipeWire.stop()
    }

    @Test func aCardEndsWithPipeWireOrWithItsReader() async throws {
        let pipeWire = try await PrivatePipeWire()
        let unread = try LiveTool("simulate", "card", "--name", "unread", "--remote", pipeWire.remote)
        _ = try await unread.event("ready")
        try unread.stopReading()
        try await unread.expectEnd()

        let remaining = try LiveTool("simulate", "card", "--name", "remaining", "--remote", pipeWire.remote)
        _ = try await remaining.event("ready")
        await pipeWire.killDaemon()
        let end = try await remaining.end()
        #expect(end.exitCode == 69)
        #expect(end.errors.hasPrefix("audiosession: The card alsa_card.pci-virtual_remaining was removed"))
        #expect(end.errors.hasSuffix("Then start this command again.\n"), "\(end.errors)")
        await pipeWire.stop()
    }
}
