import AudioSessions
import Glibc

/// Forks without exec, and lets the child call objects that its parent had opened. Swift hides
/// `fork`, but programs in other languages call Swift in a child.
enum ForkedPeer {
    private typealias Fork = @convention(c) () -> pid_t

    /// Returns whether each call in the child failed at once with `forked`.
    static func run(_ connection: AudioSessionManager.Configuration) async throws -> Bool {
        let manager = try await AudioSessionManager.connect(connection)
        let session = try AudioSession(manager: manager, configuration: .init(.playback))
        try await session.activate()
        guard let symbol = dlsym(nil, "fork") else { return false }
        let child = unsafeBitCast(symbol, to: Fork.self)()
        if child == 0 {
            // A call that waits does so for the timeout, which is longer.
            alarm(30)
            _exit(await failures(connection, manager, session) == 5 ? 0 : 1)
        }
        var status: Int32 = 0
        guard waitpid(child, &status, 0) == child, status == 0 else { return false }
        try await session.deactivate()
        await manager.close()
        return true
    }

    private static func failures(
        _ connection: AudioSessionManager.Configuration, _ manager: AudioSessionManager, _ session: AudioSession
    ) async -> Int {
        var count = 0
        count += await failure { _ = try await AudioSessionManager.connect(connection) }
        count += await failure { try await session.activate() }
        count += await failure { _ = try await session.deactivate() }
        count += await failure { try await session.configure(.init(.record)) }
        count += await failure { try await manager.setSilentMode(true) }
        await manager.close()
        return count
    }

    /// Returns 1 if the call failed with `forked`.
    private static func failure(of call: () async throws -> Void) async -> Int {
        do {
            try await call()
            return 0
        } catch {
            return (error as? AudioSessionError)?.code == .forked ? 1 : 0
        }
    }
}
