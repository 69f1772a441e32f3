@_spi(Compatibility) package import AudioSessions
import Foundation

extension AVAudioSession {
    /// The configuration of a connection. Its timeout is one second, because calls block the main
    /// thread of most programs.
    ///
    /// - Parameters:
    ///   - remote: name or absolute path of the daemon's socket; `nil` uses the environment.
    ///   - waitsForPipeWire: whether the connection waits for PipeWire to start. No call waits for
    ///     it.
    package static func configuration(
        remote: String? = nil, waitsForPipeWire: Bool
    ) -> AudioSessionManager.Configuration {
        var configuration = AudioSessionManager.Configuration(
            remote: remote, timeout: .seconds(1), waitsForPipeWire: waitsForPipeWire)
        configuration.waitsWithoutLimit = waitsForPipeWire
        return configuration
    }

    /// Begins to connect and returns at once.
    package func start() { implementation.start() }

    package func backendWhenKnown() throws -> (AudioSessionManager, AudioSession) {
        let backend = try implementation.backend() as SessionImplementation.Backend
        return (backend.manager, backend.session)
    }
}
