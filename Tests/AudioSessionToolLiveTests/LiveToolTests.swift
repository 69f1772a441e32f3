import AudioSessionCore
import AudioSessionTestKit
import Foundation
import TestSupport
import Testing

@testable import AudioSessionTool

/// The tool beside a private PipeWire.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct LiveToolTests {
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

    @Test func aMonitorReportsTheLossAndReturnOfPipeWire() async throws {
        let pipeWire = try await PrivatePipeWire()
        let monitor = try LiveTool("monitor", "--json", "--remote", pipeWire.remote)
        #expect(try await monitor.object().outputs("route") == [])
        await pipeWire.killDaemon()
        _ = try await monitor.event("mediaServicesLost")
        try await pipeWire.startDaemon()
        _ = try await monitor.event("mediaServicesReset")
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        _ = try await monitor.object { $0.outputs("current") == ["builtInSpeaker"] }
        monitor.signal(SIGTERM)
        try await monitor.expectEnd()
        await card.close()
        await pipeWire.stop()
    }

    @Test func statusAndPortsShowTheCard() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let text = try await ToolRun("status", "--remote", pipeWire.remote)
        #expect(text.exitCode == 0)
        #expect(text.output.hasPrefix("Sound goes to\n  🔊 Speakers (built-in speaker)  "))
        // The environment variable selects PipeWire as the option does.
        let json = try await ToolRun("status", "--json", environment: pipeWire.environment)
        let status = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? LiveTool.Object)
        #expect(status["format"] as? Int == 1)
        #expect(status.outputs("route") == ["builtInSpeaker"])

        let ports = try await ToolRun("ports", "--remote", pipeWire.remote)
        let lines = ports.output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("* output builtInSpeaker “Speakers” [") })
        #expect(lines.contains { $0.hasPrefix("  output headphones “Headphones” [") })
        await card.close()
        await pipeWire.stop()
    }
}

extension LiveTool.Object {
    /// The types of a route's outputs.
    func outputs(_ route: String) -> [String]? {
        ((self[route] as? LiveTool.Object)?["outputs"] as? [LiveTool.Object])?.compactMap { $0["type"] as? String }
    }
}

extension LiveTool {
    /// Waits for a line with this end, and skips others.
    func sentence(_ text: String) async throws {
        while !(try await line().hasSuffix("  \(text)")) {}
    }
}
