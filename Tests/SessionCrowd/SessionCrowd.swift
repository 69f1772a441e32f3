import AudioSessions
import Glibc

/// `session-crowd REMOTE COUNT mixing|exclusive|stacked|leaving|alarm|watching FILE` is a program
/// that activates so many sessions one after the other. Those that watch are not activated, but
/// observe all others. It creates the file when all are active, and stays until PipeWire ends or it
/// is killed.
///
/// Stacked sessions have no common group: each interrupts the one before, and is released when it
/// is advised to resume. When all are released the program ends, with 0 if each was interrupted and
/// advised exactly once, and after five minutes in any case.
@main struct SessionCrowd {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let count = Int(arguments[2]) else {
            print("session-crowd REMOTE COUNT mixing|exclusive|stacked|leaving|alarm|watching FILE")
            exit(64)
        }
        let manager = try await AudioSessionManager.connect(.init(remote: arguments[1], applicationName: "Crowd"))
        let events = manager.events()
        let category: AudioSession.Configuration.Category = arguments[3] == "mixing" ? .ambient : .playback
        let isStacked = arguments[3] == "stacked"
        var sessions: [Member] = []
        for number in 0..<count {
            let group = isStacked ? "\(getpid()).\(number)" : nil
            let session = try AudioSession(manager: manager, configuration: .init(category, group: group))
            if arguments[3] == "alarm" { try await session.configure(.init(category, priority: .alarm)) }
            sessions.append(Member(session))
            if arguments[3] == "watching" { await session.open() } else { try await session.activate() }
        }
        close(open(arguments[4], O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        if isStacked { await leave(sessions) }
        if arguments[3] == "leaving" { for member in sessions { _ = await member.leave() } }
        for await event in events {
            if case .mediaServicesLost = event { break }
        }
        withExtendedLifetime(sessions) {}
    }

    /// A session, and the events that it has received.
    private struct Member: Sendable {
        let session: AudioSession
        let events: EventSequence<AudioSession.Event>

        init(_ session: AudioSession) {
            self.session = session
            events = session.events()
        }

        /// Waits until it is released, and returns whether it was interrupted and advised exactly
        /// once.
        func leave() async -> Bool {
            var delivered: [Bool] = []
            for await event in events {
                switch event {
                case .interruptionBegan: delivered.append(false)
                case .interruptionEnded(let options, _):
                    delivered.append(options.contains(.shouldResume))
                    // Its event sequence ends with it.
                    _ = try? await session.deactivate()
                    await session.close()
                default: break
                }
            }
            return delivered == [false, true]
        }
    }

    private static func leave(_ members: [Member]) async -> Never {
        alarm(300)
        let areRight = await withTaskGroup(of: Bool.self) { group in
            for member in members { group.addTask { await member.leave() } }
            return await group.reduce(true) { $0 && $1 }
        }
        exit(areRight ? 0 : 1)
    }
}
