import AudioSessionPlayback
import AudioSessions
import PeerSupport
import RenderedTone

/// `peer-output`: renders a tone in the callback of an output. After each line that it reads it
/// clicks, and prints `clicked NANOSECONDS`.
@main struct Output {
    static func main() async throws {
        let manager = try await AudioSessionManager.connect(.init(applicationName: "peer-output"))
        let session = try AudioSession(manager: manager, configuration: .init(.playback))
        let output = AudioOutput(
            session: session, configuration: .init(format: .init(sampleRate: 48_000, channelCount: 2)),
            render: .init(rendered_tone))
        try await output.start()
        guard rendered_tone_click() != 0 else { return peer_line("unavailable no cycle in a second\n") }
        peer_ready()
        // Reading occupies this task's thread only.
        while readLine() != nil { peer_line("clicked \(rendered_tone_click())\n") }
        await output.close()
        await manager.close()
    }
}
