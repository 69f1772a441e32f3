import AudioSessionCore
import PipeWireGraph

/// The connection to PipeWire, and reconnection after a loss.
extension AudioSessionManager {
    /// Opens the connection inside of the continuation's closure. A task that prefers an executor
    /// leaves the actor at each `await`, so the outcome could arrive before the continuation
    /// exists.
    func open() async -> Result<Void, AudioSessionError> {
        await withCheckedContinuation { continuation in
            opening = continuation
            beginOpening()
        }
    }

    private func beginOpening() {
        guard !isClosed else { return finishOpening(.failure(.managerClosed)) }
        // A deadline whose timer cannot be made later would never pass.
        guard TimerID.allCases.allSatisfy(makeTimer) else {
            disconnect()
            return finishOpening(
                .failure(
                    AudioSessionError(
                        .resourcesExhausted, "The system has no timer left for this process. Close files.")))
        }
        do throws(PipeWireError) {
            try beginConnecting()
        } catch {
            disconnect()
            guard configuration.waitsForPipeWire, error.isHostDown || error.isHostBusy else {
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
        model = GraphModel()
        updateClock()
        // An earlier attempt may have ended halfway.
        (arbitration.early, programMarks) = ([:], ProgramMarks())
        let options = Connection.Options(
            remote: configuration.remote, applicationName: configuration.applicationName,
            interests: RegistryInterest.ofSessions)
        let connection = try environment.connect(
            options,
            { [weak self, runTasks = environment.runTasks] event in
                self?.assumeIsolated { $0.receive(event) }
                // This may be one of several events that arrived together, so tasks run after each.
                runTasks()
            },
            { [weak self] message in self?.assumeIsolated { $0.connectionFailed(message) } })
        graphConnection = connection
        try connection.watch()
        arm(.connecting, after: configuration.timeout)
        for command in model.registry.start() { connection.perform(command) }
    }

    /// Handles the moment when all objects of the connection are known.
    func connected() {
        let old = snapshot.withLock(\.self)
        disarm(.connecting)
        reconnect(.connected)
        model.startFollowing(followers.map { $0.key }, now: environment.now())
        updateSnapshot()
        noteSessionManager()
        snapshot.withLock { $0.isConnected = true }
        if isAsleep { perform(model.sleep(now: environment.now())) }
        connectArbitration()
        startMuting()
        updateComputerSound()
        finishOpening(.success(()))
        if isLost { notifyReset(old) }
    }

    /// Notifies sessions, followers and listeners of the reset and of what changed since the loss.
    /// - Parameter old: The snapshot before the reset.
    private func notifyReset(_ old: Snapshot) {
        isLost = false
        sendToSessions(.services(.back))
        updateStreaming()
        updateMutes()
        broadcaster.send(.mediaServicesReset(at: environment.now()))
        let new = snapshot.withLock(\.self)
        if new.isSilentMode != old.isSilentMode {
            broadcaster.send(.silentModeChanged(new.isSilentMode, at: environment.now()))
        }
        if new.outputs != old.outputs || new.inputs != old.inputs {
            broadcaster.send(.availablePortsChanged(at: environment.now()))
        }
        guard new.route != old.route else { return }
        broadcaster.send(
            .routeChanged(
                RouteChange(reason: .unknown, previous: old.route, current: new.route, time: environment.now())))
    }

    func finishOpening(_ result: Result<Void, AudioSessionError>) {
        disarm(.opening)
        opening.take()?.resume(returning: result)
    }

    func connectingTimedOut() { connectingFailed(.timedOut(after: configuration.timeout)) }

    /// Tries again if the manager was connected before, or waits for PipeWire. Otherwise fails.
    private func connectingFailed(_ error: AudioSessionError) {
        disconnect()
        guard !isLost, !configuration.waitsForPipeWire else { return reconnect(.failed) }
        stopReconnecting()
        finishOpening(.failure(error))
    }

    /// Fails the opening whose caller chose to wait for PipeWire, because its timeout has passed.
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
                            + "Start it ('systemctl --user start pipewire wireplumber'), or set a longer timeout.")))
    }

    func connectionFailed(_ message: String) {
        guard model.isKnown else {
            return connectingFailed(
                AudioSessionError(
                    .mediaServicesFailed,
                    "PipeWire ended the connection: \(message). "
                        + "Read its log ('journalctl --user -u pipewire'), and try again."))
        }
        model.stopFollowing()
        forgetCards()
        disconnectArbitration()
        disconnect()
        send(questions: .disconnected)
        isLost = true
        sendToSessions(.services(.lost))
        broadcaster.send(.mediaServicesLost(at: environment.now()))
        if !isClosed { reconnect(.lost) }
    }

    /// Ends the connection. Timers stay for the next one.
    func disconnect() {
        disarm(.connecting)
        disarm(.routes)
        endSoundUpdates()
        snapshot.withLock { ($0.isConnected, $0.sessionManagerProcess) = (false, nil) }
        graphConnection.take()?.close()
    }
}

/// This extension reconnects after a loss.
extension AudioSessionManager {
    func reconnect(_ input: ReconnectionStateMachine.Input) {
        switch reconnection.receive(input, chance: environment.random()) {
        case .connect:
            do {
                try beginConnecting()
            } catch {
                disconnect()
                reconnect(.failed)
            }
        case .wait(let duration):
            watchSocket()
            arm(.retry, after: duration)
        case .rest:
            disarm(.retry)
            dropWatch()
        case nil: break
        }
    }

    /// Watches for the daemon's socket. Its folder may appear after the first attempt.
    private func watchSocket() {
        guard socketWatch == nil else { return }
        socketWatch = environment.watchSocket(configuration.remote) { [weak self] in
            self?.assumeIsolated { $0.socketMayHaveAppeared() }
        }
    }

    private func socketMayHaveAppeared() {
        // The folder may have been made again, of which the former watch knows nothing.
        dropWatch()
        watchSocket()
        reconnect(.socketAppeared)
    }

    private func dropWatch() { _ = socketWatch.take() }

    func stopReconnecting() {
        reconnect(.closed)
        // It is released after the mutation, because a timer may hold the last reference to its
        // target.
        let old = timers
        timers = [:]
        withExtendedLifetime(old) {}
    }
}

extension AudioSessionError {
    static let managerClosed = AudioSessionError(
        .closed, "The audio session manager was closed. Connect another one.")
}
