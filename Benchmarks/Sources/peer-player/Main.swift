import AudioSessionPlayback
import AudioSessions
import PeerSupport

/// `peer-player FILE`: plays a file repeatedly with this library's player, and resumes when it is
/// advised to.
@main struct Player {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else { return peer_line("unavailable wrong arguments\n") }
        let manager = try await AudioSessionManager.connect(.init(applicationName: "peer-player"))
        let player = AudioPlayer(manager: manager)
        let events = player.session.events()
        try await player.load([String](repeating: CommandLine.arguments[1], count: 100))
        try await player.play()
        peer_follow_driver()
        peer_ready()
        for await event in events {
            if case .interruptionEnded = event { try? await player.play() }
            if case .mediaServicesLost = event { break }
        }
    }
}
