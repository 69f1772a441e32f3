import AudioSessionCore
import PipeWireGraph

/// Silent mode, and muted streams.
extension AudioSessionManager {
    /// Turns silent mode on or off for all programs, and returns when it is in force.
    ///
    /// The sound of sessions that follow silent mode fades out or in within a third of a second;
    /// see ``isSilentMode``. PipeWire stores the mode until it ends. Setting the current value has
    /// no effect.
    /// - Parameter isOn: Whether silent mode is on.
    /// - Throws: `notPermitted` if PipeWire does not let this program write its settings, as in a
    ///   sandbox; `mediaServicesFailed` without PipeWire; `timedOut` if PipeWire does not answer
    ///   within the manager's timeout. PipeWire may still apply the request later;
    ///   ``Event/silentModeChanged(_:at:)`` is sent then.
    public func setSilentMode(_ isOn: Bool) async throws(AudioSessionError) {
        guard !PipeWireLibrary.isForked else { throw .forked }
        guard let graphConnection, model.isKnown else { throw .notConnected }
        guard let settings = model.registry.graph.settings else { throw .noSettings }
        let question = nextQuestion()
        silentMode.request(question, for: isOn)
        graphConnection.perform(.setSilentMode(isOn, in: settings))
        let outcome = await answer(to: question)
        guard !silentMode.wasGranted(question) else { return }
        switch outcome {
        case .answered: throw .silentModeRefused
        case .timedOut: throw .timedOut(after: configuration.timeout)
        case .disconnected: throw .notConnected
        }
    }

    /// Watches the mutes of all programs' streams from now on, and returns when their current
    /// values are known.
    package func watchMutesOfAllStreams() async {
        for node in model.registry.graph.nodes.values where node.mediaClass == .playbackStream && !isOwn(node) {
            graphConnection?.perform(.watchMute(node.id))
        }
        _ = await answer(to: nextQuestion())
    }

    private func nextQuestion() -> UInt64 {
        lastQuestion += 1
        return lastQuestion
    }

    /// Waits until PipeWire has sent everything that precedes its answer, or until it cannot answer
    /// any more.
    private func answer(to question: UInt64) async -> OpenQuestions.Outcome {
        await withCheckedContinuation { continuation in
            guard let graphConnection else { return continuation.resume(returning: .disconnected) }
            questionWaiters[question] = continuation
            send(questions: .asked(question))
            graphConnection.perform(.barrier(.question(question)))
        }
    }

    func send(questions input: OpenQuestions.Input) {
        for action in questions.receive(input, now: environment.now()) {
            switch action {
            case .finish(let question, let outcome):
                questionWaiters.removeValue(forKey: question)?.resume(returning: outcome)
            case .wake(let time): arm(.questions, at: time)
            }
        }
    }

    // MARK: Changes

    /// Applies the current silent mode: to gains first, then by notifying listeners.
    func updateSilentMode() {
        let isOn = model.registry.graph.isSilentMode
        let hasChanged = silentMode.changed(to: isOn)
        guard model.isKnown, hasChanged else { return }
        snapshot.withLock { $0.isSilentMode = isOn }
        send(.silentMode(isOn))
        sendToSessions(.surroundingsChanged)
        broadcaster.send(.silentModeChanged(isOn, at: environment.now()))
    }

    /// Applies silent mode and mutes that were received before all objects were known.
    func startMuting() {
        _ = silentMode.changed(to: model.registry.graph.isSilentMode)
        snapshot.withLock { $0.isSilentMode = silentMode.isOn }
        send(.silentMode(silentMode.isOn))
        watchedNodes = []
        for node in model.registry.graph.nodes.values { watchMute(node.id) }
        updateMutes()
    }

    /// Watches the mute of a node if it is a stream of this process.
    func watchMute(_ id: ObjectID) {
        guard let node = model.registry.graph.nodes[id], node.mediaClass?.isPort == false, isOwn(node)
        else { return }
        watchMixer(of: id)
    }

    /// Watches the mute and the volumes of a node from now on.
    func watchMixer(of node: ObjectID) {
        guard watchedNodes.insert(node).inserted else { return }
        graphConnection?.perform(.watchMute(node))
    }

    /// Evaluates the mutes again. Usually nothing is muted, and this returns at once.
    func updateMutes() {
        guard model.isKnown, !isLost else { return }
        let isAnythingMuted = model.registry.graph.isAnythingMuted
        guard isAnythingMuted || wasAnythingMuted else { return }
        wasAnythingMuted = isAnythingMuted
        sendToSessions(.surroundingsChanged)
    }

    private func isOwn(_ node: Node) -> Bool {
        let graph = model.registry.graph
        guard let client = node.clientID, let own = graphConnection?.identity.client else { return false }
        let process = graph.clients[own]?.processID
        return client == own || (process != nil && process == graph.clients[client]?.processID)
    }
}

extension AudioSessionError {
    fileprivate static let noSettings = AudioSessionError(
        .notPermitted, rule: "PipeWire hides its settings, which store silent mode, from this program.",
        fix: outsideSandbox)
    fileprivate static let silentModeRefused = AudioSessionError(
        .notPermitted, rule: "PipeWire did not let this program write its settings, which store silent mode.",
        fix: outsideSandbox)
    private static let outsideSandbox =
        "Use 'audiosession silent' outside of the program's sandbox, or give the program all of PipeWire's permissions."
}
