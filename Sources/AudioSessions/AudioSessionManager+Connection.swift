import AudioSessionCore
import PipeWireGraph

/// Reaching PipeWire: for the first time, and again whenever it went.
extension AudioSessionManager {
    /// All is done inside of the continuation: a task that prefers an executor leaves the actor at each `await`, and the
    /// outcome could come before anything waits for it.
    func open() async -> Result<Void, AudioSessionError> {
        await withUnsafeContinuation { continuation in
            opening = continuation
            beginOpening()
        }
    }

    private func beginOpening() {
        guard !isClosed else { return finishOpening(.failure(.managerClosed)) }
        guard [.routes, .connecting, .retry, .opening].allSatisfy(makeTimer) else {
            disconnect()
            return finishOpening(
                .failure(AudioSessionError(.resourcesExhausted, "The system gives this process no more timers.")))
        }
        do throws(PipeWireError) {
            try beginConnecting()
        } catch {
            disconnect()
            guard configuration.waitsForPipeWire, error.isHostDown else {
                stopReconnecting()
                return finishOpening(.failure(AudioSessionError(error, remote: configuration.remote)))
            }
            reconnect(.lost)
        }
        if opening != nil, configuration.waitsForPipeWire, !configuration.waitsWithoutLimit {
            arm(.opening, after: configuration.timeout)
        }
    }

    private func beginConnecting() throws(PipeWireError) {
        machine = GraphModel()
        // An attempt before may have ended in the middle.
        (board.objects, board.early) = ([], [:])
        let options = Connection.Options(
            remote: configuration.remote, applicationName: configuration.applicationName,
            interests: RegistryInterest.ofSessions)
        let connection = try environment.connect(
            options,
            { [weak self] event in self?.assumeIsolated { $0.receive(event) } },
            { [weak self] message in self?.assumeIsolated { $0.connectionFailed(message) } })
        graphConnection = connection
        try connection.watch()
        arm(.connecting, after: configuration.timeout)
        for command in machine.start() { connection.perform(command) }
    }

    /// Everything on the machine is known.
    func connected() {
        let old = snapshot.withLock(\.self)
        disarm(.connecting)
        reconnect(.connected)
        machine.startFollowing(followers.map { $0.key }, now: environment.now())
        updateSnapshot()
        snapshot.withLock { $0.isConnected = true }
        if sleep.isAsleep { perform(machine.sleep(now: environment.now())) }
        connectBoard()
        startMuting()
        updateMachineSound()
        finishOpening(.success(()))
        if isLost { tellReset(old) }
    }

    /// - Parameter old: what could be read until now.
    private func tellReset(_ old: Snapshot) {
        isLost = false
        tellSessions(.services(.back))
        broadcaster.send(.mediaServicesReset)
        let new = snapshot.withLock(\.self)
        if new.isSilentMode != old.isSilentMode { broadcaster.send(.silentModeChanged(new.isSilentMode)) }
        if new.outputs != old.outputs || new.inputs != old.inputs { broadcaster.send(.availablePortsChanged) }
        guard new.route != old.route else { return }
        broadcaster.send(
            .routeChanged(
                RouteChange(reason: .unknown, previous: old.route, current: new.route, time: environment.now())))
    }

    func finishOpening(_ result: Result<Void, AudioSessionError>) {
        disarm(.opening)
        let waiting = opening
        opening = nil
        waiting?.resume(returning: result)
    }

    func connectingTimedOut() {
        disconnect()
        guard !isLost, !configuration.waitsForPipeWire else { return reconnect(.failed) }
        stopReconnecting()
        finishOpening(.failure(.timedOut(after: configuration.timeout)))
    }

    /// The caller chose to wait for PipeWire, and has waited long enough.
    func openingTimedOut() {
        guard opening != nil else { return }
        let wasReached = graphConnection != nil
        disconnect()
        stopReconnecting()
        finishOpening(
            .failure(
                wasReached
                    ? .timedOut(after: configuration.timeout)
                    : AudioSessionError(
                        .timedOut,
                        "PipeWire did not start within \(configuration.timeout). "
                            + "Start it ('systemctl --user start pipewire wireplumber'), or wait longer.")))
    }

    func connectionFailed(_ message: String) {
        guard machine.isKnown else { return openingFailed(message) }
        tellFollowers(.connectionLost)
        machine.stopFollowing()
        forgetCards()
        disconnectBoard()
        disconnect()
        tell(questions: .disconnected)
        isLost = true
        tellSessions(.services(.lost))
        broadcaster.send(.mediaServicesLost)
        if !isClosed { reconnect(.lost) }
    }

    private func openingFailed(_ message: String) {
        disconnect()
        guard !isLost, !configuration.waitsForPipeWire else { return reconnect(.failed) }
        stopReconnecting()
        finishOpening(
            .failure(AudioSessionError(.mediaServicesFailed, "PipeWire ended the connection: \(message).")))
    }

    /// Timers stay, for the next connection.
    func disconnect() {
        disarm(.connecting)
        disarm(.routes)
        endLookingAtSound()
        snapshot.withLock { $0.isConnected = false }
        let old = graphConnection
        graphConnection = nil
        old?.close()
    }
}

/// The way back.
extension AudioSessionManager {
    func reconnect(_ input: ReconnectionStateMachine.Input) {
        var input: ReconnectionStateMachine.Input? = input
        while let news = input {
            input = nil
            switch reconnection.receive(news, chance: environment.random()) {
            case .connect: if !isConnecting() { input = .failed }
            case .wait(let duration):
                watchSocket()
                arm(.retry, after: duration)
            case .rest:
                disarm(.retry)
                dropWatch()
            case nil: break
            }
        }
    }

    /// - Returns: whether a connection is being made.
    private func isConnecting() -> Bool {
        do {
            try beginConnecting()
            return true
        } catch {
            disconnect()
            return false
        }
    }

    /// Its folder may come later than the first attempt.
    private func watchSocket() {
        guard socketWatch == nil else { return }
        socketWatch = environment.watchSocket(configuration.remote) { [weak self] in
            self?.assumeIsolated { $0.reconnect(.stirred) }
        }
    }

    private func dropWatch() {
        let old = socketWatch
        socketWatch = nil
        withExtendedLifetime(old) {}
    }

    func stopReconnecting() {
        reconnect(.closed)
        // Released after the mutation, because a timer may hold the last reference to what it fires on.
        let old = timers
        timers = [:]
        withExtendedLifetime(old) {}
    }
}

extension AudioSessionError {
    static let managerClosed = AudioSessionError(.closed, "The audio session manager was closed.")
}
