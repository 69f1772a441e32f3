import AudioSessionCore
import PipeWireGraph

extension AudioSessionManager {
    func open() async -> Result<Void, AudioSessionError> {
        do {
            let options = Connection.Options(
                remote: configuration.remote, applicationName: configuration.applicationName)
            let connection = try environment.connect(
                options,
                { [weak self] event in self?.assumeIsolated { $0.receive(event) } },
                { [weak self] message in self?.assumeIsolated { $0.connectionFailed(message) } })
            graphConnection = connection
            try connection.watch()
            for command in registry.start() { connection.perform(command) }
        } catch {
            return .failure(AudioSessionError(error, remote: configuration.remote))
        }
        deadline = timer { $0.deadlinePassed() }
        timeout = timer { $0.timedOut() }
        guard let timeout, deadline != nil else {
            disconnect()
            return .failure(AudioSessionError(.resourcesExhausted, "The system gives this process no more timers."))
        }
        guard routes == nil else { return .success(()) }
        timeout.arm(after: configuration.timeout)
        return await withCheckedContinuation { opening = $0 }
    }

    func timer(_ fired: @escaping @Sendable (isolated AudioSessionManager) -> Void) -> (any GraphTimer)? {
        environment.makeTimer { [weak self] in self?.assumeIsolated(fired) }
    }

    func finishOpening(_ result: Result<Void, AudioSessionError>) {
        timeout?.disarm()
        opening?.resume(returning: result)
        opening = nil
    }

    private func timedOut() {
        finishOpening(
            .failure(
                AudioSessionError(
                    .timedOut,
                    "PipeWire accepted the connection but did not answer within \(configuration.timeout). "
                        + "It, or the session manager, may hang: see 'systemctl --user status pipewire wireplumber'.")
            ))
        disconnect()
    }

    func connectionFailed(_ message: String) {
        let wasOpen = routes != nil
        finishOpening(
            .failure(AudioSessionError(.mediaServicesFailed, "PipeWire ended the connection: \(message).")))
        for follower in followers.values { follower.connectionLost() }
        disconnectBoard()
        disconnect()
        leaveUnanswered()
        for session in liveSessions { session.assumeIsolated { $0.servicesLost() } }
        if wasOpen { broadcaster.send(.mediaServicesLost) }
    }

    func disconnect() {
        board.timer = nil
        timeout = nil
        deadline = nil
        graphConnection = nil
    }
}
