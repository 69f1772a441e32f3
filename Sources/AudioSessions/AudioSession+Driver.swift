package import AudioSessionCore
import PipeWireGraph

/// This extension executes the actions of ``SessionStateMachine``.
extension AudioSession {
    /// Receives an input and executes the resulting actions. Inputs that an action causes are
    /// queued, and received after all of these actions.
    func receive(_ input: SessionInput) {
        inbox.append(input)
        guard !isReceiving else { return }
        isReceiving = true
        while !inbox.isEmpty {
            for action in machine.receive(inbox.removeFirst(), in: surroundings) { perform(action) }
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
        case .publishOtherAudio: snapshot.withLock { $0.machine.otherAudio = machine.otherAudio }
        case .notify(let event): broadcaster.send(event)
        case .endEvents: broadcaster.finish()
        case .readSound(let scope): readSound(scope)
        case .ask(let request):
            let answers = manager.assumeIsolated { $0.perform(request, for: self) }
            for answer in answers { receive(answer) }
        }
    }

    func publish() { snapshot.withLock { $0.machine = machine } }

    /// Discards the events that a listener has not received, and reads the state to which they led.
    ///
    /// A listener that lost events cannot use the buffered ones, which are older than any state
    /// that it reads. All later events follow this state, because this actor sends them.
    /// - Parameter backlog: The events that the listener has not received.
    /// - Returns: The present state, and how many events the listener has lost until now.
    package func catchUp(_ backlog: EventBacklog<Event>) -> (state: SessionStateMachine, droppedCount: Int) {
        (machine, backlog.discard())
    }

    var surroundings: AudioSessionManager.Surroundings { .init(manager: manager, session: id) }

    /// Lets the present loss of the output not count as the end of the program's own sound, because
    /// it has none, or plays on. It is called by a handler of
    /// ``AudioSessionEvent/becameNoisy(_:at:)``.
    package nonisolated func ignoreLossOfOwnSound() {
        assumeIsolated { $0.receive(SessionInput.lifecycle(.lossIgnored)) }
    }

    // MARK: Beginning and end

    /// Registers the session for arbitration and events, soon after it was made. A call that comes
    /// before does this itself.
    package func open() { if machine.phase == .unopened { receive(.lifecycle(.opened)) } }

    func shutDown() {
        guard machine.phase != .closed, !PipeWireLibrary.isForked else { return }
        receive(.lifecycle(.closed))
    }

    func ask(_ request: ArbitrationRequest) async throws(AudioSessionError) {
        var failure = await outcome(of: request)
        if failure == .noSuchSession, machine.phase == .open {
            // The manager's limit was reached, perhaps only when the session was opened.
            receive(.lifecycle(.refused))
            open()
            failure = await outcome(of: request)
        }
        guard let failure else { return }
        guard failure == .noSuchSession, machine.phase != .closed else { throw AudioSessionError(failure) }
        receive(.lifecycle(.refused))
        // There is nothing to deactivate, and a configuration is passed on when the session opens.
        guard case .activate = request else { return }
        throw AudioSessionError(
            .resourcesExhausted, rule: "A manager has at most 256 sessions at a time.",
            fix: "Close those that are not needed any more.")
    }

    private func outcome(of request: ArbitrationRequest) async -> ActivationFailure? {
        // It is received in the order of the calls. An actor hop could change that.
        await withCheckedContinuation { waiter in
            manager.assumeIsolated { $0.receive(request, of: id, waiter) }
        }
    }

    func checkUsable() throws(AudioSessionError) {
        guard !PipeWireLibrary.isForked else { throw .forked }
        guard machine.phase == .closed else { return }
        throw .sessionClosed
    }
}
