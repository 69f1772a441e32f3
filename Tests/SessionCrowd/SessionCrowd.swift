import AudioSessions
import Glibc

/// `session-crowd REMOTE COUNT mixing|exclusive FILE`: a program with so many sessions, active one after the other. Makes
/// the file when all are, and stays until PipeWire goes or it is killed.
@main struct SessionCrowd {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let count = Int(arguments[2]) else {
            print("session-crowd REMOTE COUNT mixing|exclusive FILE")
            exit(64)
        }
        let manager = try await AudioSessionManager.connect(.init(remote: arguments[1], applicationName: "Crowd"))
        let events = manager.events()
        let category: AudioSession.Configuration.Category = arguments[3] == "mixing" ? .ambient : .playback
        var sessions: [AudioSession] = []
        for _ in 0..<count {
            let session = try AudioSession(manager: manager, configuration: .init(category))
            try await session.activate()
            sessions.append(session)
        }
        close(open(arguments[4], O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        for await event in events {
            if case .mediaServicesLost = event { break }
        }
        withExtendedLifetime(sessions) {}
    }
}
