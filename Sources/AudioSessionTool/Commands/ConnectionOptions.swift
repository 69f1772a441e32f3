package import ArgumentParser
package import AudioSessions

/// The options of commands that connect to a running PipeWire.
package struct ConnectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "PipeWire's socket: a name in the runtime directory, or an absolute path.",
            discussion: "Without it, PIPEWIRE_REMOTE and XDG_RUNTIME_DIR select the socket.",
            valueName: "socket"))
    package var remote: String?

    package init() {}

    package func connect() async throws(ToolFailure) -> AudioSessionManager { try await Self.connect(remote) }

    /// Connects, unless `ending` is requested first.
    ///
    /// - Parameter ending: The request to end.
    /// - Returns: The connected manager.
    /// - Throws: ``ToolFailure/stopped`` after a request, or the error of the connection.
    package func connect(until ending: Ending) async throws(ToolFailure) -> AudioSessionManager {
        try await ending.unlessRequested { [remote] () async throws(ToolFailure) -> AudioSessionManager in
            try await Self.connect(remote)
        }
    }

    private static func connect(_ remote: String?) async throws(ToolFailure) -> AudioSessionManager {
        do {
            return try await AudioSessionManager.connect(
                AudioSessionManager.Configuration(remote: remote, applicationName: "audiosession"))
        } catch {
            throw .session(error)
        }
    }
}
