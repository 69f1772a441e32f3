import AudioSessionCore
import PipeWireGraph

/// Silent mode, and what is muted.
extension AudioSessionManager {
    /// Turns the machine's silent mode on or off, for all programs, and returns when that is so. Sound of the sessions
    /// that follow it fades out, or in, within a third of a second; see ``isSilentMode``.
    ///
    /// It is kept by PipeWire itself, for as long as that runs. Turning it on when it is on does nothing.
    /// - Throws: `notPermitted` if PipeWire does not let this program write its settings, as in a sandbox;
    ///   `mediaServicesFailed` without PipeWire.
    public func setSilentMode(_ isOn: Bool) async throws(AudioSessionError) {
        guard !PipeWireLibrary.isForked else { throw .forked }
        guard let graphConnection, machine.isKnown else { throw .notConnected }
        guard let settings = machine.registry.graph.settings else { throw .noSettings }
        lastQuestion += 1
        let question = lastQuestion
        silentMode.wish(question, for: isOn)
        graphConnection.perform(.setSilentMode(isOn, in: settings))
        let isAnswered = await answer(to: question)
        guard silentMode.wasGranted(question) else { throw isAnswered ? .silentModeRefused : .notConnected }
    }

    /// Everybody's streams are looked at from now on, not only those of this process. Returns when it is known which
    /// of them are muted.
    package func watchMutesOfAllStreams() async {
        for node in machine.registry.graph.nodes.values where node.mediaClass == .playbackStream && !isOwn(node) {
            graphConnection?.perform(.watchMute(node.id))
        }
        lastQuestion += 1
        _ = await answer(to: lastQuestion)
    }

    /// - Returns: `false` if PipeWire went before it had told everything that came before.
    private func answer(to question: UInt64) async -> Bool {
        guard let graphConnection else { return false }
        return await withCheckedContinuation { continuation in
            questions[question] = continuation
            graphConnection.perform(.barrier(.question(question)))
        }
    }

    func answered(_ question: UInt64) { questions.removeValue(forKey: question)?.resume(returning: true) }

    func leaveUnanswered() {
        let open = questions
        questions = [:]
        for continuation in open.values { continuation.resume(returning: false) }
    }

    // MARK: News

    /// Sound first, then listeners.
    func updateSilentMode() {
        let isOn = machine.registry.graph.isSilentMode
        let isNews = silentMode.changed(to: isOn)
        guard machine.isKnown, isNews else { return }
        snapshot.withLock { $0.isSilentMode = isOn }
        tell(.silentMode(isOn))
        for session in liveSessions { session.assumeIsolated { $0.refresh() } }
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
        for session in liveSessions { session.assumeIsolated { $0.refresh() } }
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
