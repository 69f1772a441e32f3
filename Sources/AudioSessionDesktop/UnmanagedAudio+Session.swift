import AudioSessionCore
import AudioSessions
import DesktopBus
import PipeWireGraph

/// Translates the session's events into actions on players and streams.
extension UnmanagedAudio {
    func handle(_ event: AudioSession.Event) {
        if case .stateChanged(let state, _) = event { sessionState = state }
        if scope.followsSession { receiveForHosted(event) } else { receiveForOthers(event) }
        finishIfIdle()
    }

    /// Continues from the session's present state instead of the buffered events, because earlier
    /// ones were dropped: any program can cause events of the session at any rate, for example by
    /// the volume of the output.
    /// - Returns: How many events were dropped until then.
    func catchUp(_ backlog: EventBacklog<AudioSession.Event>) async -> Int {
        let (present, droppedCount) = await session.catchUp(backlog)
        follow(present, at: session.manager.environment.now())
        return droppedCount
    }

    /// Handles the events by which a session gets into this state.
    private func follow(_ present: SessionStateMachine, at time: MonotonicTime) {
        if scope.followsSession { receiveHosted(.eventsDropped(isServiceLost: present.isServiceLost, at: time)) }
        let holdsClaim = present.silenceReasons.contains(.advised)
        // Without a claim, the interruption may have ended without advice, so the players of a
        // hosted program are not resumed.
        if present.state == .inactive, holdsClaim || sessionState == .interrupted {
            handle(.interruptionEnded(options: holdsClaim ? .shouldResume : [], at: time))
        }
        // An interruption may have ended, and another begun, among the dropped events.
        if present.state != sessionState || present.state == .interrupted {
            handle(.stateChanged(present.state, at: time))
        }
        handle(.silenceReasonsChanged(present.silenceReasons, at: time))
        guard sessionState == .active else { return }
        if scope.followsSession {
            receiveHosted(.ducked(Self.thousandths(present.gain)))
        } else {
            receiveOthers(.policyRead(policy))
        }
    }

    /// Follows the computer's outputs, of which one may be a headset with a mode for calls.
    func followOutputs() {
        guard !isClosed else { return }
        let events = session.manager.events(bufferingNewest: 1)
        readOutputs()
        outputsTask = Task { [weak self] in for await _ in events { await self?.readOutputs() } }
    }

    private func readOutputs() { receive(.outputsRead(session.manager.currentRoute.outputs)) }

    func beginHosting() {
        guard !isClosed else { return }
        let participant = HostedParticipant(of: session, isAttached: scope.isAttached)
        self.participant = participant
        participant.update(host.facts, lost: nil)
        Task { [weak self, events = participant.events] in
            for await event in events { await self?.receiveHosted(event) }
        }
        let muter = makeMuter()
        self.muter = muter
        muter.begin()
    }

    /// Follows the output of the streams that follow the session; `nil` if they are unknown.
    func follow(_ streams: HostedStreams?) {
        guard scope.followsSession else { return }
        receiveHosted(.streamsChanged(streams, at: session.manager.environment.now()))
    }

    private func receiveForHosted(_ event: AudioSession.Event) {
        let hosting: HostedProgramStateMachine.Event
        switch event {
        case .stateChanged(.active, _): hosting = .activated
        case .stateChanged(.interrupted, _): hosting = .interrupted
        case .stateChanged(.inactive, _): hosting = .deactivated
        case .interruptionEnded(let options, _):
            hosting = .interruptionEnded(shouldResume: options.contains(.shouldResume))
        case .silenceReasonsChanged(let reasons, _) where !reasons.contains(.advised): hosting = .claimEnded
        case .ducking(let gain, _, _): hosting = .ducked(Self.thousandths(gain))
        case .outputVolumeChanged(_, _, let time): hosting = .volumeChanged(at: time)
        case .mediaServicesLost: hosting = .mediaServicesLost
        case .mediaServicesReset(let time): hosting = .mediaServicesReset(at: time)
        default: return
        }
        receiveHosted(hosting)
    }

    private static func thousandths(_ gain: Float) -> UInt16 {
        UInt16((gain * Float(TokenTraits.fullGain)).rounded())
    }

    func receiveHosted(_ event: HostedProgramStateMachine.Event) {
        guard !isClosed else { return }
        let configuration = session.configuration
        host.pausesAtLoss =
            scope.isAttached ? configuration.silencesAttachedStreamsAtLoss : configuration.silencesHostedProgramAtLoss
        for action in host.receive(event) {
            switch action {
            case .silence:
                receive(.silenceBegan)
                muter?.muteForLoss(false)
            case .silenceForLoss:
                muter?.muteForLoss(true)
                receive(.outputLost)
            case .unsilence(let resumes):
                readOutputs()
                receive(.turnEnded(restores: resumes))
                muter?.muteForLoss(false)
            case .duck(let gain): muter?.duckHosted(to: gain)
            case .readRoute: arm(.route, after: HostedProgramStateMachine.settling)
            case .awaitStreams: arm(.streams, after: HostedProgramStateMachine.settling)
            case .awaitSession: arm(.suspicion, after: HostedProgramStateMachine.suspicionLimit)
            }
        }
        muter?.muteAll(host.mutesAll)
        participant?.update(host.facts, lost: host.loss)
    }

    /// Reports a removed object, which may be a node of the hosted program's output. The program is
    /// then muted in PipeWire's own callback, because the session's report passes through two more
    /// threads.
    func removed(_ id: ObjectID) {
        receiveHosted(.objectRemoved(id, at: session.manager.environment.now()))
    }

    /// Handles an action by which the user ends the silence of the hosted program.
    func overrule() { receiveHosted(.overruled(at: session.manager.environment.now())) }

    private func receiveForOthers(_ event: AudioSession.Event) {
        switch event {
        case .stateChanged(.active, _): receiveOthers(.activated(policy))
        case .stateChanged(.interrupted, _): receiveOthers(.interrupted)
        case .stateChanged(.inactive, _): receiveOthers(.deactivated(notifiesOthers: !session.leavesSilently))
        case .interruptionEnded(let options, _):
            receiveOthers(.interruptionEnded(shouldResume: options.contains(.shouldResume)))
        case .silenceReasonsChanged(let reasons, _):
            receiveOthers(
                .silenceReasonsChanged(
                    isAdvised: reasons.contains(.advised), notifiesOthers: !session.leavesSilently))
        case .routeChanged(let change) where change.reason == .categoryChange: receiveOthers(.policyRead(policy))
        default: break
        }
    }

    private var policy: AudioSession.Configuration.UnmanagedAudioPolicy {
        session.configuration.effectiveUnmanagedAudioPolicy
    }

    private func receiveOthers(_ event: UnmanagedProgramsStateMachine.Event) {
        readOutputs()
        for action in programs.receive(event) {
            switch action {
            case .players(let event): receive(event)
            case .duck(let isDucking): duck(isDucking)
            }
        }
    }

    func receive(_ event: UnmanagedPlayers.Event) {
        guard !isClosed else { return }
        let actions = machine.receive(event)
        let silenced = machine.silenced.map(Player.init)
        state.withLock { $0.paused = silenced }
        for action in actions { perform(action) }
        finishIfIdle()
    }

    /// Resumes the callers of `waitUntilRestored(within:)` if everything is restored.
    func finishIfIdle() {
        guard !waiters.isEmpty else { return }
        // Attached streams are restored only at their end, whatever the session's state.
        let isSessionOver = sessionState == .inactive || scope.isAttached
        let areStreamsRestored = isSessionOver && ducker?.isIdle != false && muter?.isIdle != false
        for (id, waiter) in waiters {
            let arePlayersRestored = machine.isIdle || machine.isAwaitingHeadset && !waiter.awaitsHeadset
            guard isClosed || areStreamsRestored && arePlayersRestored else { continue }
            waiters[id] = nil
            waiter.continuation.resume(returning: true)
        }
    }

    private func perform(_ action: UnmanagedPlayers.Action) {
        switch action {
        case .survey: survey()
        case .dismiss: dismiss()
        case .claim(let owner): if let claim = DesktopBus.claim(on: owner) { bus?.request(name: claim) }
        case .pause(let owner):
            bus?.command("Pause", toPlayer: owner) { [weak self] result in
                if result == .refused { self?.assumeIsolated { $0.receive(.pauseFailed(owner: owner)) } }
            }
        case .allowTime(let owner): allowTime(owner)
        case .ask(let owner): ask(owner)
        case .watchStreams(let isWatching): watchStreams(isWatching)
        case .mute(let streams): muter?.mute(streams)
        case .resume(let owner): if let bus { resume(owner, by: bus) }
        case .release(let owner): release(owner)
        case .forget(let owner): if let claim = DesktopBus.claim(on: owner) { bus?.release(name: claim) }
        case .resumeAtExit(let owners): resumeAtExit(owners)
        case .wait(let isWaiting): arm(.turn, after: isWaiting ? environment.returnLimit : nil)
        case .awaitHeadset(let isWaiting): arm(.headset, after: isWaiting ? environment.headsetLimit : nil)
        case .notify(let event): broadcaster.send(Event(event, at: .now))
        case .overruled: overrule()
        }
    }

    /// Restores attached streams, for good, and returns when PipeWire has their volumes.
    func detach() async {
        muter?.end()
        await waitUntilRestored()
    }

    /// Starts or stops ducking.
    private func duck(_ isDucking: Bool) {
        guard !isClosed, isDucking || ducker != nil else { return }
        let ducker =
            self.ducker
            ?? StreamDucker(
                remote: environment.remote, connect: environment.connect, on: executor, scope: scope,
                gain: TokenTraits.defaultDuckedGain,
                notify: { [weak self] events, ducked in self?.assumeIsolated { $0.notify(events, ducked) } },
                changed: { [weak self] in self?.assumeIsolated { $0.finishIfIdle() } })
        self.ducker = ducker
        if isDucking { ducker.begin() } else { ducker.end() }
    }

    func notify(_ events: [UnmanagedAudioEvent], _ ducked: [UnmanagedStream]) {
        let (streams, now) = (ducked.map(Stream.init), MonotonicTime.now)
        state.withLock { $0.ducked = streams }
        for event in events { broadcaster.send(Event(event, at: now)) }
    }

    func shutDown() {
        guard !isClosed else { return }
        isClosed = true
        following.withLock(\.self)?.cancel()
        dismiss()
        traceTask?.cancel()
        outputsTask?.cancel()
        ducker = nil
        muter = nil
        timers = [:]
        departure = participant?.leave()
        participant = nil
        finishIfIdle()
        state.withLock {
            $0.paused = []
            $0.ducked = []
        }
        broadcaster.finish()
    }
}
