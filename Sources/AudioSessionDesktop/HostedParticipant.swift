import AudioSessionCore
import AudioSessions
import PipeWireGraph

/// The streams of a hosted program, or of this process, as a participant of the session that they
/// follow.
///
/// The session's route is therefore that of these streams. The host calls ``update(_:lost:)`` and
/// ``leave()`` on its own thread; the session and its manager call the participant on theirs.
final class HostedParticipant: SessionParticipant {
    private struct State {
        var facts = ParticipantFacts()
        var loss: HostedProgramStateMachine.Loss?
        /// The facts that the session knows; `nil` until the participant has joined it.
        var reported: ParticipantFacts?
        /// Whether the session has lost PipeWire. A restarted PipeWire may use the numbers of the
        /// streams for other objects.
        var isConnectionLost = false
        var isSessionActive = false
        /// Whether a task is about to report the facts.
        var isReportPending = false
        var hasLeft = false

        var current: ParticipantFacts {
            var facts = facts
            if isConnectionLost { (facts.streams, facts.isRunning) = ([], false) }
            return facts
        }
    }

    /// The changes of the streams' output. If the host hangs, it receives those that matter.
    let events: AsyncStream<HostedProgramStateMachine.Event>
    private let waiting: Locked<HostedOutputEvents>
    /// Wakes the receiver of ``events``.
    private let signal: AsyncStream<Void>.Continuation
    private let session: AudioSession
    /// Whether the streams are those of this process.
    private let isAttached: Bool
    private let state = Locked(State())

    init(of session: AudioSession, isAttached: Bool = false) {
        (self.session, self.isAttached) = (session, isAttached)
        let waiting = Locked(HostedOutputEvents())
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (self.waiting, self.signal) = (waiting, signal)
        events = AsyncStream(unfolding: {
            if let event = waiting.withLock({ $0.take() }) { return event }
            for await _ in signals { if let event = waiting.withLock({ $0.take() }) { return event } }
            return waiting.withLock { $0.take() }
        })
    }

    /// The facts that the session knows; `nil` until the participant has joined it.
    var reported: ParticipantFacts? { state.withLock(\.reported) }

    var facts: ParticipantFacts { state.withLock(\.current) }
    var timing: ParticipantTiming { ParticipantTiming() }

    // MARK: The host

    /// Reports new facts to the session. The first call joins it.
    ///
    /// At most one report is pending, however often the facts change while the session's thread is
    /// busy. It contains the facts at the moment when it is sent.
    ///
    /// - Parameters:
    ///   - facts: The facts.
    ///   - loss: The loss that silences the program, if `facts` has one.
    /// - Returns: The task that reports the facts; `nil` if they are known or a report is pending.
    @discardableResult
    func update(_ facts: ParticipantFacts, lost loss: HostedProgramStateMachine.Loss?) -> Task<Void, Never>? {
        let isNeeded = state.withLock { state in
            let isNew = state.facts != facts || state.reported == nil
            (state.facts, state.loss) = (facts, loss)
            guard isNew, !state.isReportPending else { return false }
            state.isReportPending = true
            return true
        }
        guard isNeeded else { return nil }
        return Task { await report(on: session) }
    }

    /// Leaves the session, and ends ``events``.
    ///
    /// - Returns: The task that leaves the session.
    @discardableResult
    func leave() -> Task<Void, Never> {
        signal.finish()
        return Task { await leave(session) }
    }

    private func leave(_ session: isolated AudioSession) {
        let hasJoined = state.withLock { state in
            state.hasLeft = true
            return state.reported != nil
        }
        guard hasJoined else { return }
        session.receive(.left, from: self)
        request(.unfollow)
    }

    // MARK: The session

    func receive(_ input: ParticipantInput) {
        let wasActive = noteState(input)
        switch input {
        case .connectionLost:
            // The route is not followed any more, so nothing else would end a danger that is
            // handled after the session's `mediaServicesLost`. A restarted PipeWire may use the
            // numbers of the gate triggers for other nodes.
            emit(.gateTriggersChanged([]))
            emit(.outputKept)
            state.withLock { $0.isConnectionLost = true }
            report()
        // The session sends no event if its state stays the same. If it changes, the host may
        // handle that before an earlier loss, but not before this.
        case .activated where isAttached && !wasActive, .activatedAgain where isAttached,
            .deactivated(isFinal: false) where isAttached:
            emit(.lossDismissed(at: session.manager.environment.now()))
        case .targetChanged(let reason):
            request(.retarget(reason))
            state.withLock { $0.isConnectionLost = false }
            report()
        default: break
        }
    }

    func receive(_ input: RouteInput) {
        switch input {
        case .gateTriggers(let nodes): emit(.gateTriggersChanged(Set(nodes)))
        case .endangered: emit(.outputEndangered(at: session.manager.environment.now()))
        case .kept: emit(.outputKept)
        case .becameNoisy(let port, let time): emit(.outputLost(port.outputID, at: time))
        case .changed(let change): emit(.routeChanged(change))
        default: break
        }
    }

    /// Returns whether the session was active before an input. An active session is also activated
    /// by a new configuration, which ends no loss.
    private func noteState(_ input: ParticipantInput) -> Bool {
        state.withLock { state in
            defer {
                switch input {
                case .activated: state.isSessionActive = true
                case .interrupted, .interruptionEnded, .deactivated: state.isSessionActive = false
                default: break
                }
            }
            return state.isSessionActive
        }
    }

    /// Emits an event for the host, which may hang while other programs cause further ones.
    private func emit(_ event: HostedProgramStateMachine.Event) {
        let lost = state.withLock { $0.loss?.output }
        waiting.withLock { $0.append(event, after: lost) }
        signal.yield()
    }

    private func report(on session: isolated AudioSession) {
        // Facts that change from here on need another report.
        state.withLock { $0.isReportPending = false }
        report()
    }

    /// Reports the present facts, whatever the order of the calls.
    private func report() {
        let (isConnected, isSessionActive) = (session.manager.isConnected, session.state == .active)
        let (former, facts, loss, hasLeft) = state.withLock { state in
            if state.reported == nil {
                (state.isConnectionLost, state.isSessionActive) = (!isConnected, isSessionActive)
            }
            defer { if !state.hasLeft { state.reported = state.current } }
            return (state.reported, state.current, state.loss, state.hasLeft)
        }
        guard !hasLeft, facts != former else { return }
        if former == nil {
            send(.joined(ParticipantFacts()))
            request(.follow)
        }
        if let loss, facts.isStoppedByRouteLoss, former?.isStoppedByRouteLoss != true {
            send(.losesOutput(loss.output, at: loss.time))
        }
        send(.changed(facts))
        request(.setStreams(facts.streams))
    }

    private func send(_ change: SessionInput.ParticipantChange) {
        session.assumeIsolated { $0.receive(change, from: self) }
    }

    private func request(_ request: ParticipantRequest) {
        session.manager.assumeIsolated { $0.receive(request, from: self, of: session) }
    }
}
