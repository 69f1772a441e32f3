import AudioSessionCore
import PipeWireGraph

/// Executes what ``SessionStateMachine`` decides.
extension AudioSession {
    /// Receives an input, and executes the actions that follow. An input that an action causes is received after them.
    func receive(_ input: SessionInput) {
        inbox.append(input)
        guard !isReceiving else {
            // A participant that an action told something may notify its listeners next, who read the session.
            machine.foresee(input, in: surroundings)
            return publish()
        }
        isReceiving = true
        while !inbox.isEmpty {
            for action in machine.receive(inbox.removeFirst(), in: surroundings) { perform(action) }
        }
        isReceiving = false
    }

    /// Evaluates again why the session is silent, for what sends no event.
    package func updateSilence() { receive(.surroundingsChanged) }

    private func perform(_ action: SessionAction) {
        switch action {
        case .tell(let input): for participant in liveParticipants { participant.receive(input) }
        case .tellOne(let id, let input): participants[id]?.participant?.receive(input)
        case .publish: publish()
        case .notify(let event): broadcaster.send(event)
        case .endEvents: broadcaster.finish()
        case .updateSound: updateSound()
        case .setSounding(let isSounding):
            let token = token
            manager.assumeIsolated { $0.setSounding(isSounding, token) }
        case .setStoppedByRouteLoss(let isStopped):
            let token = token
            manager.assumeIsolated { $0.tell(.stoppedByRouteLoss(isStopped, token)) }
        case .setStreams(let streams, let sources):
            guard let follower else { return }
            manager.assumeIsolated { $0.setStreams(streams, recordingFrom: sources, of: follower) }
        case .setTargets(let targets, let reason): setTargets(targets, reason)
        case .adoptTargets(let targets): if let route = adopt(targets) { receive(.route(.adopted(route))) }
        case .steerCards(let wishes):
            let token = token
            manager.assumeIsolated { $0.steer(wishes, of: token) }
        }
    }

    private func publish() {
        let machine = machine
        snapshot.withLock { snapshot in
            snapshot.configuration = machine.configuration
            snapshot.state = machine.state
            snapshot.gain = machine.gain
            snapshot.silence = machine.silence
            snapshot.isOtherAudioPlaying = machine.isOtherAudioPlaying
            snapshot.hint = machine.secondaryAudioShouldBeSilenced
            snapshot.preferences = machine.chooser.preferences
            snapshot.choice = machine.presentedChoice
            snapshot.route = machine.route
            snapshot.leavesSilently = machine.leavesSilently
        }
    }

    private var surroundings: Surroundings { Surroundings(manager: manager, token: token) }

    /// Reads what the manager knows, when it is asked for.
    private struct Surroundings: SessionSurroundings {
        unowned let manager: AudioSessionManager
        let token: TokenSession

        var graph: AudioGraph? { manager.assumeIsolated { $0.machine.isKnown ? $0.graph : nil } }
        var lastGraph: AudioGraph { manager.assumeIsolated { $0.graph } }
        var status: BoardStatus? { manager.assumeIsolated { $0.status(of: token) } }
        var others: OtherSessions { manager.assumeIsolated { $0.board.machine.otherSessions(for: token) } }
        var now: MonotonicTime { manager.environment.now() }
    }

    // MARK: Beginning and end

    /// From now on it is known what others do. Happens by itself with the first call that needs it.
    package func open() {
        guard machine.phase == .unopened else { return }
        receive(.opened)
        let traits = TokenTraits(configuration)
        manager.assumeIsolated { $0.open(self, traits) }
        followRoute()
        receive(.othersStreaming(manager.assumeIsolated { $0.board.areOthersStreaming }))
        updateSound()
    }

    func shutDown() {
        guard machine.phase != .closed, !PipeWireLibrary.isForked else { return }
        let (token, wasOpen) = (token, isOpen)
        receive(.closed)
        if wasOpen { manager.assumeIsolated { $0.close(token) } }
        unfollowRoute()
    }

    /// Whether arbitration knows the session.
    var isOpen: Bool { machine.phase == .open || machine.phase == .managerClosed }

    func ask(_ request: BoardRequest) async throws(AudioSessionError) {
        guard let failure = await manager.request(request, of: token) else { return }
        guard failure == .noSuchSession, machine.phase != .closed else { throw AudioSessionError(failure) }
        // There was no room for it. The next call tries again.
        receive(.refused)
        await manager.close(token)
        throw AudioSessionError(
            .resourcesExhausted, rule: "A manager has at most 256 sessions at a time.",
            fix: "Close those that are not needed any more.")
    }

    func checkUsable() throws(AudioSessionError) {
        guard !PipeWireLibrary.isForked else { throw .forked }
        guard machine.phase == .closed else { return }
        throw AudioSessionError(.expiredSession, "The session was closed. Make another one.")
    }

    func servicesReset() { receive(.servicesReset(adopt(machine.routeTargets))) }
}
