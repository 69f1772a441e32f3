import AudioSessionCore
import AudioSessionTestKit
import Foundation
import TestSupport
import Testing

@testable import AudioSessionTool

/// The exact route changes that programs report. A session manager that takes more than 300 ms to
/// choose an output adds a change, so the suite runs alone.
@Suite(.liveAlone, .serialized, .timeLimit(.minutes(10))) struct RouteRunTests {
    @Test func aMonitorReportsPluggedAndPulledHeadphones() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        // Plugged in before the monitor begins, because a jack that is pulled right after the plug
        // counts as bouncing.
        try await card.plug("headphones")
        try await card.wait(for: "sound on the headphones") { $0.nodes.contains { $0.port == "headphones" } }
        let monitor = try LiveTool("monitor", "--json", "--remote", pipeWire.remote)
        let first = try await monitor.object()
        #expect(first["event"] as? String == "route")
        #expect(first["format"] as? Int == 1)
        #expect(first.outputs("route") == ["headphones"])

        let pulled = try await card.unplug("headphones")
        let noisy = try await monitor.event("becameNoisy")
        #expect((noisy["port"] as? LiveTool.Object)?["type"] as? String == "headphones")
        #expect(try #require(noisy["t"] as? UInt64) >= pulled.nanoseconds)
        let unplugged = try await monitor.event("routeChanged")
        #expect(unplugged["reason"] as? String == "oldDeviceUnavailable")
        #expect(unplugged.outputs("previous") == ["headphones"])
        #expect(unplugged.outputs("current") == ["builtInSpeaker"])

        try await card.plug("headphones")
        let plugged = try await monitor.event("routeChanged")
        #expect(plugged["reason"] as? String == "newDeviceAvailable")
        #expect(plugged.outputs("current") == ["headphones"])

        monitor.signal(SIGTERM)
        let end = try await monitor.end()
        #expect(end.exitCode == 0)
        #expect(end.errors.isEmpty)
        await pipeWire.stop()
    }

    @Test func aMonitorPrintsSentencesUntilItsReaderCloses() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let monitor = try LiveTool("monitor", "--remote", pipeWire.remote)
        #expect(try await monitor.line() == "    0.000  sound goes to Speakers and comes from Internal Microphone")
        try await card.plug("headphones")
        try await monitor.sentence("headphones plugged in: sound was on Speakers, now on Headphones")
        try await card.unplug("headphones")
        try await monitor.sentence("headphones unplugged: sound was on Headphones, now on Speakers")
        try monitor.stopReading()
        try await monitor.expectEnd()
        await pipeWire.stop()
    }

    @Test func typedCommandsChangeTheRoute() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try LiveTool("simulate", "card", "--json", environment: pipeWire.environment)
        let ready = try await card.object()
        #expect(ready["event"] as? String == "ready")
        let routes = try #require(ready["routes"] as? [LiveTool.Object]).compactMap { $0["route"] as? String }
        #expect(Set(routes) == ["speaker", "headphones", "hdmi", "mic", "headset-mic"])
        let monitor = try LiveTool("monitor", "--json", environment: pipeWire.environment)
        #expect(try await monitor.object().outputs("route") == ["builtInSpeaker"])

        for (command, reason, outputs) in [
            ("plug headphones", "newDeviceAvailable", ["headphones"]),
            ("unplug headphones", "oldDeviceUnavailable", ["builtInSpeaker"]),
            ("plug hdmi", "newDeviceAvailable", ["HDMI"]),
            ("available hdmi no", "oldDeviceUnavailable", ["builtInSpeaker"]),
            ("remove", "noSuitableRouteForCategory", []),
            ("add", "newDeviceAvailable", ["builtInSpeaker"]),
        ] {
            try card.send(command)
            let reply = try await card.object()
            #expect(reply["reply"] as? String == command.split(separator: " ").first.map(String.init))
            #expect(reply["ok"] as? Bool == true)
            let change = try await monitor.object { object in
                object["event"] as? String == "routeChanged" && object.outputs("current") == outputs
            }
            #expect(change["reason"] as? String == reason, "\(command)")
        }

        try card.send("quit")
        #expect(try await card.object()["reply"] as? String == "quit")
        try await card.expectEnd()
        let last = try await monitor.event("routeChanged")
        #expect(last.outputs("current") == [])
        monitor.signal(SIGINT)
        try await monitor.expectEnd()
        await pipeWire.stop()
    }

    @Test(arguments: [("noisy pause", false, "routeLost"), ("noisy ignore", true, nil), ("pause", false, "paused")])
    func pulledHeadphonesPauseUnlessTheSessionIgnoresThem(
        command: String, isPlaying: Bool, cause: String?
    ) async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        // Plugged in before the program begins, because a jack that is pulled right after the plug
        // counts as bouncing.
        try await card.plug("headphones")
        try await card.wait(for: "sound on the headphones") { $0.nodes.contains { $0.port == "headphones" } }
        let music = try await LiveTool.session(pipeWire, "category playback", "play tone", command)
        let before = try await music.reply(to: "route")
        #expect((before["outputs"] as? [LiveTool.Object])?.first?["type"] as? String == "headphones")
        try await card.unplug("headphones")
        let change = try await music.event("routeChanged")
        #expect(change["reason"] as? String == "oldDeviceUnavailable")
        #expect(change.outputs("current") == ["builtInSpeaker"])
        #expect(try await music.events("becameNoisy", "routeChanged") == ["becameNoisy", "routeChanged"])
        #expect(try await music.reply(to: "state")["playing"] as? Bool == isPlaying)
        let causes = try await music.reply(to: "why")["causes"] as? [LiveTool.Object]
        #expect(causes?.compactMap { $0["kind"] as? String } == (cause.map { [$0] } ?? []))
        await card.close()
        await pipeWire.stop()
    }

    @Test(arguments: [true, false]) func returnedHeadphonesGiveAdvice(followsAdvice: Bool) async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        try await card.plug("headphones")
        try await card.wait(for: "sound on the headphones") { $0.nodes.contains { $0.port == "headphones" } }
        let music = try await LiveTool.session(
            pipeWire, "category playback", "group idle", "replug on", followsAdvice ? "auto on" : "auto off",
            "play tone")
        let game = try await LiveTool.session(pipeWire, "category ambient", "replug on", "auto on", "play tone")
        let idle = try await LiveTool.session(
            pipeWire, "category playback", "group idle", "replug on", "auto on", "activate")
        try await card.unplug("headphones")
        // A program without the pending notification would find everything as before.
        for tool in [music, game, idle] {
            #expect(try await tool.event("routeChanged")["reason"] as? String == "oldDeviceUnavailable")
        }
        #expect(try await music.reply(to: "state")["playing"] as? Bool == false)
        try await card.plug("headphones")
        #expect(try await music.event("resumeAdvice")["reason"] as? String == "routeRestored")
        #expect(
            try await music.events("becameNoisy", "routeChanged", "resumeAdvice")
                == ["becameNoisy", "routeChanged", "routeChanged", "resumeAdvice"])
        #expect(try await music.reply(to: "state")["playing"] as? Bool == followsAdvice)
        // Mixing sessions continue, and sessions that played nothing were not stopped.
        for (tool, received) in [
            (game, ["routeChanged", "routeChanged"]), (idle, ["becameNoisy", "routeChanged", "routeChanged"]),
        ] {
            _ = try await tool.event("routeChanged")
            #expect(try await tool.events("becameNoisy", "routeChanged", "resumeAdvice") == received)
        }
        #expect(try await game.reply(to: "state")["playing"] as? Bool == true)
        await card.close()
        await pipeWire.stop()
    }
}
