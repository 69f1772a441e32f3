import AudioSessionCore
import PipeWireGraph

/// What the board says about a session, and what follows for its members, its snapshot and its listeners.
extension AudioSession {
    /// From now on it is known what others do. Happens by itself with the first call that needs it.
    package func open() {
        guard !isOpen, !isClosed else { return }
        isOpen = true
        let traits = TokenTraits(configuration)
        manager.assumeIsolated { $0.open(self, traits) }
        followRoute()
        othersStreaming(manager.assumeIsolated { $0.board.areOthersStreaming })
        updateSound()
    }

    func shutDown() {
        guard !isClosed, !PipeWireLibrary.isForked else { return }
        isClosed = true
        managerCloses()
        let token = token
        if isOpen { manager.assumeIsolated { $0.close(token) } }
        unfollowRoute()
    }

    /// Its turn is over, and there is nothing more to tell.
    func managerCloses() {
        for member in liveMembers { _ = member.sessionDeactivates() }
        snapshot.withLock { snapshot in
            snapshot.state = .inactive
            snapshot.gain = 1
            snapshot.silence = [.inactive]
        }
        broadcaster.finish()
    }

    func ask(_ request: BoardRequest) async throws(AudioSessionError) {
        guard let failure = await manager.request(request, of: token) else { return }
        guard failure == .noSuchSession, !isClosed else { throw AudioSessionError(failure) }
        // There was no room for it. The next call tries again.
        isOpen = false
        await manager.close(token)
        throw AudioSessionError(
            .resourcesExhausted, rule: "A manager has at most 256 sessions at a time.",
            fix: "Close those that are not needed any more.")
    }

    func checkUsable() throws(AudioSessionError) {
        guard !PipeWireLibrary.isForked else { throw .forked }
        guard isClosed else { return }
        throw AudioSessionError(.expiredSession, "The session was closed. Make another one.")
    }

    /// Sound first, then what can be read, then listeners: whoever hears of it finds it true.
    func receive(_ event: BoardEvent) {
        switch event {
        case .activated:
            snapshot.withLock { $0.leavesSilently = false }
            // Those whom it interrupted do not count any more.
            refreshOthers()
            // Nothing of it is to be heard louder than it may be, not even its first frame.
            setGain(status.map { Float($0.gain) / Float(TokenTraits.fullGain) } ?? 1)
            // A change of configuration is no wish to be heard.
            if state != .active { consider(.turned) }
            change(to: .active)
            forgetRouteLoss()
            // Their streams are made for where they are to go.
            chooseRoute()
            for member in liveMembers { member.sessionActivated() }
        case .deactivated:
            consider(.turned)
            change(to: .inactive)
            forgetRouteLoss()
            endChoice()
        case .began(let cause):
            consider(.interrupted)
            for member in liveMembers { member.sessionInterrupted() }
            let now = manager.environment.now()
            change(to: .interrupted, .interruptionBegan(reason: .default, by: Cause(cause), at: now))
            chooseRoute()
        case .ended(let shouldResume, let withNotice):
            let now = manager.environment.now()
            let options: InterruptionOptions = shouldResume ? .shouldResume : []
            change(to: .inactive, .interruptionEnded(options: options, at: now))
            for member in liveMembers { member.sessionInterruptionEnded(shouldResume: shouldResume) }
            consider(.freed(withNotice: withNotice))
            forgetRouteLoss()
        case .claimLapsed:
            refresh()
            endChoice()
        case .placeLost:
            consider(.turned)
            for member in liveMembers { _ = member.sessionDeactivates() }
            change(to: .inactive)
            forgetRouteLoss()
            endChoice()
        case .ducking(let gain, let causes): ducked(to: Float(gain) / Float(TokenTraits.fullGain), causes)
        case .others(let others):
            self.others = others
            updateHint()
        }
    }

    private func change(to state: State, _ event: Event? = nil) {
        let isNew = snapshot.withLock { snapshot in
            defer { snapshot.state = state }
            return snapshot.state != state
        }
        if state != .active { setGain(1) }
        refresh()
        if let event { broadcaster.send(event) }
        if isNew { broadcaster.send(.stateChanged(state)) }
        if state == .active { updateHint() }
    }

    private func ducked(to gain: Float, _ causes: [BoardCause]) {
        setGain(gain)
        refresh()
        broadcaster.send(.ducking(gain: gain, by: causes.map(Cause.init)))
    }

    private func setGain(_ gain: Float) {
        guard gain != self.gain else { return }
        snapshot.withLock { $0.gain = gain }
        for member in liveMembers { member.sessionDucked(to: gain) }
    }

    func othersStreaming(_ areStreaming: Bool) {
        areOthersStreaming = areStreaming
        updateHint()
    }

    private func forgetRouteLoss() {
        guard wasStoppedByRouteLoss else { return }
        wasStoppedByRouteLoss = false
        updateRouteLoss()
    }

    func servicesLost() {
        consider(.overruled)
        refresh()
        broadcaster.send(.mediaServicesLost)
    }

    func servicesReset() {
        refresh()
        let change = adoptRoute()
        chooser.forgetCards()
        chooseRoute()
        for member in liveMembers { member.sessionChoseRoute(for: nil) }
        broadcaster.send(.mediaServicesReset)
        if let change { broadcaster.send(.routeChanged(change)) }
        updateSound()
    }

    /// Only the active are told what others do, but everybody may ask.
    func refreshOthers() {
        guard state != .active else { return }
        let token = token
        refreshOthers(manager.assumeIsolated { $0.board.machine.otherSessions(for: token) })
    }

    func refreshOthers(_ others: OtherSessions) {
        guard others != self.others else { return }
        self.others = others
        updateHint()
    }

    private func updateHint() {
        let isPlaying = others.isAnyActive || areOthersStreaming
        let isPrimary = others.isPrimaryActive || areOthersStreaming
        let state = snapshot.withLock { snapshot in
            snapshot.isOtherAudioPlaying = isPlaying
            snapshot.hint = isPrimary
            return snapshot.state
        }
        guard state == .active, isPrimary != toldHint else { return }
        toldHint = isPrimary
        broadcaster.send(.silenceSecondaryAudioHint(isPrimary ? .begin : .end))
    }

    private var status: BoardStatus? {
        let token = token
        return manager.assumeIsolated { $0.status(of: token) }
    }

    /// Works out anew why the session is silent.
    package func refresh() {
        guard !isClosed else { return }
        let token = token
        let (isManagerClosed, isConnected, status) = manager.assumeIsolated {
            ($0.isClosed, $0.machine.isKnown, $0.status(of: token))
        }
        guard !isManagerClosed else { return }
        let members = liveMembers
        var silence: [Silence] = []
        if !isConnected { silence.append(.daemonLost) }
        switch status?.state {
        case nil, .inactive: silence.append(.inactive)
        case .interrupted: silence.append(.interrupted(by: status?.interruptedBy.map(Cause.init) ?? []))
        case .advised: silence.append(.advised)
        case .active: break
        }
        if members.contains(where: \.isStoppedByRouteLoss) {
            silence.append(.routeLost)
        } else if status?.state == .active, !members.isEmpty, !members.contains(where: \.isPlaying) {
            silence.append(.paused)
        }
        if let status, status.state == .active { silence += attenuation(status, members) }
        if members.contains(where: \.isInputMuted) { silence.append(.inputMuted) }
        snapshot.withLock { $0.silence = silence }
    }

    /// Why it is not heard, or less, while it plays.
    private func attenuation(_ status: BoardStatus, _ members: [any SessionMember]) -> [Silence] {
        let streams = Set(members.flatMap(\.streams))
        var silence: [Silence] = status.isSilenced ? [.silentMode] : []
        let plays = configuration.allowsPlayback
        if plays, manager.assumeIsolated({ $0.machine.registry.graph.areMuted(streams) }) { silence.append(.muted) }
        if status.duckedGain < TokenTraits.fullGain {
            let gain = Float(status.duckedGain) / Float(TokenTraits.fullGain)
            silence.append(.ducked(gain: gain, by: status.duckedBy.map(Cause.init)))
        }
        return silence
    }
}

extension AudioSessionError {
    init(_ failure: BoardFailure) {
        switch failure {
        case .insufficientPriority(let cause):
            let who = cause.application ?? cause.processID.map { "process \($0)" } ?? "another program"
            self.init(
                .insufficientPriority, rule: "A session of higher priority (of \(who)) has the sound.",
                fix: "Try again when it has ended.")
        case .cannotInterruptOthers:
            self.init(
                .cannotInterruptOthers,
                rule: "In the background only the program that played last may silence others.",
                fix: "Use option mixWithOthers, or activate in the foreground.")
        case .timedOut(let timeout): self = .timedOut(after: timeout)
        case .mediaServicesFailed:
            self.init(.mediaServicesFailed, "There is no connection to PipeWire. Try again when it is back.")
        case .tokenNotMade:
            self.init(
                .mediaServicesFailed,
                "PipeWire did not show this program's session to others. "
                    + "Its modules session-manager and client-device may be switched off, or the program may not use them."
            )
        case .tooManyTokens:
            self.init(
                .resourcesExhausted,
                rule: "There are too many sessions: 1,024 tokens of one process count, 4,096 of all.",
                fix: "Try again in a second, or end the program that has so many ('audiosession status').")
        case .tooManyRequests:
            self.init(
                .resourcesExhausted, "Too many requests for this session wait for an answer. Wait for each of them.")
        case .noSuchSession:
            self.init(.expiredSession, "The session was closed. Make another one.")
        }
    }
}
