import AudioSessionTestKit
import Foundation
import TestSupport
import Testing

@testable import AudioSessionTool

/// The tool beside a private PipeWire.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct LiveToolTests {
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
