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

    package func connect() async throws(ToolFailure) -> AudioSessionManager {
        do {
            return try await AudioSessionManager.connect(
                AudioSessionManager.Configuration(remote: remote, applicationName: "audiosession"))
        } catch {
            throw .session(error)
        }
    }
}
