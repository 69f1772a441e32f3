package import AudioSessions

extension AudioSession {
    /// Configures the session with a change of its configuration.
    package nonisolated func change(_ change: (inout Configuration) -> Void) async throws {
        var configuration = configuration
        change(&configuration)
        try await configure(configuration)
    }
}
