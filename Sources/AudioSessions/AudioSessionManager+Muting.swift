import AudioSessionCore
import PipeWireGraph

/// Silent mode, and what is muted.
extension AudioSessionManager {
    /// Turns the machine's silent mode on or off, for all programs, and returns when that is so. Sound of the sessions
    /// that follow it fades out, or in, within a third of a second; see ``isSilentMode``.
    ///
    /// It is kept by PipeWire itself, for as long as that runs. Turning it on when it is on does nothing.
    /// - Throws: `notPermitted` if PipeWire does not let this program write its settings, as in a sandbox;
    ///   `mediaServicesFailed` without PipeWire; `timedOut` if PipeWire does not answer within the manager's timeout:
    ///   should it answer later it may still obey, and then ``Event/silentModeChanged(_:)`` is sent.
    public func setSilentMode(_ isOn: Bool) async throws(AudioSessionError) {
        guard !PipeWireLibrary.isForked else { throw .forked }
        guard let graphConnection, machine.isKnown else { throw .notConnected }
        guard let settings = machine.registry.graph.settings else { throw .noSettings }
        let question = nextQuestion()
        silentMode.wish(question, for: isOn)
        graphConnection.perform(.setSilentMode(isOn, in: settings))
        let outcome = await answer(to: question)
        guard !silentMode.wasGranted(question) else { return }
        switch outcome {
        case .answered: throw .silentModeRefused
        case .timedOut: throw .timedOut(after: configuration.timeout)
        case .disconnected: throw .notConnected
        }
    }

    /// Everybody's streams are looked at from now on, not only those of this process. Returns when it is known which
    /// of them are muted.
    package func watchMutesOfAllStreams() async {
        for node in machine.registry.graph.nodes.values where node.mediaClass == .playbackStream && !isOwn(node) {
            graphConnection?.perform(.watchMute(node.id))
        }
        _ = await answer(to: nextQuestion())
    }

    private func nextQuestion() -> UInt64 {
        lastQuestion += 1
        return lastQuestion
    }

    /// Returns when PipeWire has sent everything that it had to send before the question, or cannot.
    private func answer(to question: UInt64) async -> OpenQuestions.Outcome {
        await withCheckedContinuation { continuation in
            guard let graphConnection else { return continuation.resume(returning: .disconnected) }
            askers[question] = continuation
            tell(questions: .asked(question))
            graphConnection.perform(.barrier(.question(question)))
        }
    }

    func tell(questions input: OpenQuestions.Input) {
        for action in questions.receive(input, now: environment.now()) {
            switch action {
            case .finish(let question, let outcome): askers.removeValue(forKey: question)?.resume(returning: outcome)
            case .wake(let time): arm(.questions, at: time)
            }
        }
    }

    // MARK: News

    /// Sound first, then listeners.
    func updateSilentMode() {
        let isOn = machine.registry.graph.isSilentMode
        let isNews = silentMode.changed(to: isOn)
        guard machine.isKnown, isNews else { return }
        snapshot.withLock { $0.isSilentMode = isOn }
        tell(.silentMode(isOn))
        tellSessions(.surroundingsChanged)
        broadcaster.send(.silentModeChanged(isOn))
    }

    /// From what was told before everything was known.
    func startMuting() {
        _ = silentMode.changed(to: machine.registry.graph.isSilentMode)
        snapshot.withLock { $0.isSilentMode = silentMode.isOn }
        tell(.silentMode(silentMode.isOn))
        watchedStreams = []
        for node in machine.registry.graph.nodes.values { watchMute(node.id) }
        updateMutes()
    }

    /// Streams of this process are few; of others nobody here asks.
    func watchMute(_ id: ObjectID) {
        guard let node = machine.registry.graph.nodes[id], let mediaClass = node.mediaClass, !mediaClass.isPort else {
            return
        }
        guard isOwn(node), watchedStreams.insert(id).inserted else { return }
        graphConnection?.perform(.watchMute(id))
    }

    /// Most of the time nothing is muted, and this is over at once.
    func updateMutes() {
        guard machine.isKnown else { return }
        let isAnythingMuted = machine.isAnythingMuted
        guard isAnythingMuted || wasAnythingMuted else { return }
        wasAnythingMuted = isAnythingMuted
        tellSessions(.surroundingsChanged)
    }

    private func isOwn(_ node: Node) -> Bool {
        let graph = machine.registry.graph
        guard let client = node.clientID, let own = graphConnection?.identity.client else { return false }
        let process = graph.clients[own]?.processID
        return client == own || (process != nil && process == graph.clients[client]?.processID)
    }
}

extension AudioSessionError {
    fileprivate static let notConnected = AudioSessionError(
        .mediaServicesFailed, "There is no connection to PipeWire. Try again when it is back.")
    fileprivate static let noSettings = AudioSessionError(
        .notPermitted, rule: "PipeWire shows this program no settings, where silent mode is kept.",
        fix: outsideSandbox)
    fileprivate static let silentModeRefused = AudioSessionError(
        .notPermitted, rule: "PipeWire did not let this program write its settings, where silent mode is kept.",
        fix: outsideSandbox)
    private static let outsideSandbox =
        "Use 'audiosession silent' outside of the program's sandbox, or give the program all of PipeWire's permissions."
}
