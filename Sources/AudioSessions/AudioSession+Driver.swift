import AudioSessionCore
import PipeWireGraph

/// This extension executes the actions of ``SessionStateMachine``.
extension AudioSession {
    /// Receives an input and executes the resulting actions. Inputs that an action causes are
    /// queued, and received after all of these actions.
    func receive(_ input: SessionInput) {
        inbox.append(input)
        guard !isReceiving else {
            // The participant that reports this notifies its own listeners next, and they read the
            // session.
            machine.foresee(input, in: surroundings)
            return publish()
        }
        isReceiving = true
        while !inbox.isEmpty {
            let actions = machine.receive(inbox.removeFirst(), in: surroundings)
            for action in actions { perform(action) }
        }
        isReceiving = false
    }

    /// Evaluates the silence reasons again after a change that sends no event.
    package func updateSilence() { receive(.surroundingsChanged) }

    private func perform(_ action: SessionAction) {
        switch action {
        case .send(let input): for participant in liveParticipants { participant.receive(input) }
        case .sendTo(let id, let input): participants[id]?.participant?.receive(input)
        case .publish: publish()
        case .notify(let event): broadcaster.send(event)
        case .endEvents: broadcaster.finish()
        case .readSound(let scope): readSound(scope)
        case .ask(let request):
            let answers = manager.assumeIsolated { $0.perform(request, for: self) }
            for answer in answers { receive(answer) }
        }
    }

    private func publish() {
        let machine = machine
        snapshot.withLock { snapshot in
            snapshot.configuration = machine.configuration
            snapshot.state = machine.state
            snapshot.gain = machine.gain
            snapshot.silenceReasons = machine.silenceReasons
            snapshot.isOtherAudioPlaying = machine.isOtherAudioPlaying
            snapshot.hint = machine.secondaryAudioShouldBeSilenced
            snapshot.preferences = machine.chooser.preferences
            snapshot.choice = machine.presentedChoice
            snapshot.targets = machine.routeTargets
            snapshot.outputTarget = machine.chooser.target(.output)
            snapshot.inputTarget = machine.chooser.target(.input)
            snapshot.route = machine.route
            snapshot.soundPreferences = machine.soundPreferences
            snapshot.leavesSilently = machine.leavesSilently
        }
    }

    private var surroundings: AudioSessionManager.Surroundings {
        let id = id
        return manager.assumeIsolated { $0.surroundings(of: id) }
    }

    // MARK: Beginning and end

    /// Registers the session for arbitration. The first call that needs arbitration does this
    /// itself.
    package func open() { if machine.phase == .unopened { receive(.lifecycle(.opened)) } }

    func shutDown() {
        guard machine.phase != .closed, !PipeWireLibrary.isForked else { return }
        receive(.lifecycle(.closed))
    }

    func ask(_ request: ArbitrationRequest) async throws(AudioSessionError) {
        guard let failure = await manager.request(request, of: id) else { return }
        guard failure == .noSuchSession, machine.phase != .closed else { throw AudioSessionError(failure) }
        // The manager's limit of sessions is reached. The next call tries again.
        receive(.lifecycle(.refused))
        throw AudioSessionError(
            .resourcesExhausted, rule: "A manager has at most 256 sessions at a time.",
            fix: "Close those that are not needed any more.")
    }

    func checkUsable() throws(AudioSessionError) {
        guard !PipeWireLibrary.isForked else { throw .forked }
        guard machine.phase == .closed else { return }
        throw AudioSessionError(.expiredSession, "The session was closed. Make another one.")
    }
}
