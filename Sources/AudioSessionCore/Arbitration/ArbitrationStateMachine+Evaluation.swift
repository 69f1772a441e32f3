/// This extension evaluates the stack for the sessions of this process.
extension ArbitrationStateMachine {
    mutating func evaluate(_ session: inout OwnSession) {
        // A claim lapses by time alone, with or without a daemon.
        if case .advised(let until) = session.state, session.asking == nil, until <= now { return lapse(&session) }
        // A place that the daemon has not announced yet, after a reconnection or a timeout, cannot
        // be evaluated.
        guard let key = key(of: session), session.standing != nil, session.reinstatement == nil,
            let isBlocked = tokens.arbitration.isBlocked(key)
        else { return }
        switch session.state {
        case .inactive: return
        case .active where isBlocked:
            begin(&session, by: tokens.arbitration.blockers(of: key, most: 1).first, blockers(of: key).all)
        case .active: listen(&session, key)
        case .interrupted:
            let isOther = follow(&session, key, isBlocked: isBlocked)
            // Beyond the named ones, the cost for each token would grow with their number.
            if isOther, (1...Limits.namedCauses).contains(session.blockers.count) { send(.causesChanged, session) }
        case .advised:
            let mayBegin = isBlocked && session.asking == nil && isAnyChange(for: session, key)
            if mayBegin { beginAgain(&session, key) }
        }
        // Changes that concern an advised session wait until its own request is answered.
        if session.asking == nil || session.state == .interrupted { session.evaluatedVersion = tokens.version }
        // While a request is pending, only its outcome can end the interruption.
        if session.asking == nil, session.state == .interrupted, session.blockers.isEmpty { end(&session) }
    }

    private mutating func begin(
        _ session: inout OwnSession, by oldest: StackEntry?, _ blockers: [SessionKey: Bool]
    ) {
        guard let oldest else { return }
        session.state = .interrupted
        session.areAllNotified = true
        session.blockers = blockers
        session.resetSound(session.others)
        send(.began(by: oldest.token.cause), session)
    }

    /// Interrupts an advised session again, because another session was activated before it
    /// resumed.
    private mutating func beginAgain(_ session: inout OwnSession, _ key: SessionKey) {
        // Sessions whose places have lapsed do not interrupt again.
        let blockers = blockers(of: key)
        guard !blockers.all.isEmpty else { return }
        begin(&session, by: blockers.oldest, blockers.all)
        remake(&session)
    }

    /// Returns the sessions that block a session, except those whose places have lapsed, and
    /// whether their kind normally leaves with notice.
    ///
    /// - Parameter capacity: The expected number of sessions.
    private func blockers(of key: SessionKey, capacity: Int = 0) -> (oldest: StackEntry?, all: [SessionKey: Bool]) {
        var oldest: StackEntry?
        var all: [SessionKey: Bool] = [:]
        all.reserveCapacity(capacity)
        tokens.arbitration.forEachBlocker(of: key) { blocker, unblockedSince in
            guard !TokenBoard.hasLapsed(unblockedSince, now) else { return }
            if oldest == nil { oldest = blocker }
            all[blocker.key] = blocker.traits.leavesWithNotice
        }
        return (oldest, all)
    }

    /// Whether another session may have begun to block this one since its last evaluation.
    private func isAnyChange(for session: OwnSession, _ key: SessionKey) -> Bool {
        switch tokens.change(since: session.evaluatedVersion, for: key) {
        case .nothing: false
        case .everything: true
        case .sessions(let changed):
            changed.contains {
                $0 == key || (tokens.arbitration.isBlocked(key, by: $0) && !tokens.hasLapsed($0, now))
            }
        }
    }

    /// Updates the sessions that block this one, and whether those that left gave notice.
    /// - Returns: Whether other sessions block this one than before.
    private func follow(_ session: inout OwnSession, _ key: SessionKey, isBlocked: Bool) -> Bool {
        guard isBlocked else { return recount(&session, key) }
        switch tokens.change(since: session.evaluatedVersion, for: key) {
        case .nothing: return false
        case .sessions(let changed) where !changed.contains(key):
            return changed.reduce(false) { recount(&session, key, $1) || $0 }
        case .sessions, .everything: return recount(&session, key)
        }
    }

    private func recount(_ session: inout OwnSession, _ key: SessionKey) -> Bool {
        var present = blockers(of: key, capacity: session.blockers.count).all
        for (blocker, leavesWithNotice) in session.blockers where present[blocker] == nil {
            if isAwaited(blocker) {
                present[blocker] = leavesWithNotice
            } else if session.areAllNotified {
                session.areAllNotified = hasLeftWithNotice(blocker, leavesWithNotice)
            }
        }
        defer { session.blockers = present }
        return present.count != session.blockers.count || present.keys.contains { session.blockers[$0] == nil }
    }

    /// Updates the blocking by one other session, if only that session has changed.
    private func recount(_ session: inout OwnSession, _ key: SessionKey, _ other: SessionKey) -> Bool {
        if tokens.arbitration.isBlocked(key, by: other), !tokens.hasLapsed(other, now) {
            // The capacity is reserved at once; see `TokenBoard.add`.
            if session.blockers.count == TokenBoard.Limits.few {
                session.blockers.reserveCapacity(TokenLimits.standard.all)
            }
            return session.blockers.updateValue(
                tokens.arbitration[other]?.traits.leavesWithNotice ?? true, forKey: other) == nil
        } else if let leavesWithNotice = session.blockers[other], !isAwaited(other) {
            session.blockers[other] = nil
            if !hasLeftWithNotice(other, leavesWithNotice) { session.areAllNotified = false }
            return true
        }
        return false
    }

    /// Whether a missing blocker may still return after a reconnection.
    private func isAwaited(_ blocker: SessionKey) -> Bool {
        graceEnd != nil && tokens.arbitration[blocker] == nil && tokens.departureNotice(of: blocker, now) == nil
    }

    private func hasLeftWithNotice(_ blocker: SessionKey, _ leavesWithNotice: Bool) -> Bool {
        if let isWithNotice = tokens.departureNotice(of: blocker, now) { return isWithNotice }
        // The blocker stands, but with another configuration.
        let isStanding = tokens.arbitration[blocker] != nil && !tokens.hasLapsed(blocker, now)
        return isStanding || leavesWithNotice
    }

    private mutating func end(_ session: inout OwnSession) {
        let shouldResume = session.areAllNotified && !session.isStoppedByRouteLoss
        send(.ended(shouldResume: shouldResume, withNotice: session.areAllNotified), session)
        if shouldResume {
            session.state = .advised(until: now + Limits.claim)
            remake(&session)
        } else {
            release(&session, notify: nil)
        }
    }

    private mutating func lapse(_ session: inout OwnSession) {
        send(.claimLapsed, session)
        release(&session, notify: nil)
    }

    /// Updates silent mode, ducking and other sessions of an active session.
    private mutating func listen(_ session: inout OwnSession, _ key: SessionKey) {
        let (former, formerDuckers) = (session.gain, session.duckers)
        session.isSilenced = isSilentMode && session.standing?.traits.followsSilentMode == true
        let gain = tokens.arbitration.gain(of: key)
        if graceEnd == nil || gain <= session.duckedGain {
            session.duckedGain = gain
            session.duckers = tokens.arbitration.duckers(of: key, most: Limits.namedCauses).map(\.token.cause)
        }
        if session.gain != former {
            send(.ducking(gain: session.gain, by: session.isSilenced ? [] : session.duckers), session)
        } else if session.duckers != formerDuckers {
            send(.causesChanged, session)
        }
        let others = others(for: session)
        guard others != session.others, graceEnd == nil else { return }
        session.others = others
        send(.others(others), session)
    }

    mutating func send(_ event: ArbitrationEvent, _ session: OwnSession) {
        actions.append(.notify(event, session.id))
    }
}

extension ArbitrationStateMachine {
    /// The other active sessions, for each session that is not notified of them because it is not
    /// active.
    package var othersOfInactive: [(session: AudioSessionID, others: OtherSessions)] {
        sessions.all.filter { $0.state != .active }.map { ($0.id, others(for: $0)) }
    }

    /// Returns the other active sessions for any session, active or not.
    package func otherSessions(for session: AudioSessionID) -> OtherSessions {
        sessions[session].map(others(for:)) ?? OtherSessions()
    }

    private func others(for session: OwnSession) -> OtherSessions {
        guard let owner else { return OtherSessions() }
        return tokens.arbitration.others(besides: group(of: session, owner.process))
    }

    /// Returns the session's group as other processes see it, or would see it.
    private func group(of session: OwnSession, _ process: TokenOwner.Process) -> TokenGroup {
        // Other processes know a change before it is granted.
        if session.asking != nil, let key = key(of: session), let group = tokens.arbitration[key]?.group {
            return group
        }
        return TokenGroup((session.standing?.traits ?? session.wanted).group, in: process)
    }

    package func status(of session: AudioSessionID) -> SessionStatus? {
        guard let session = sessions[session] else { return nil }
        let id = AudioSessionPeer(
            session: session.id, applicationName: owner?.application, processID: owner?.processID)
        var status = SessionStatus(
            id: id, traits: session.standing?.traits ?? session.wanted, state: .inactive,
            gain: Float(session.duckedGain) / Float(TokenTraits.fullGain), duckedBy: session.duckers)
        status.isSilenced = session.isSilenced
        switch session.state {
        case .inactive: break
        case .active: status.state = .active
        case .interrupted:
            status.state = .interrupted
            let blockers = key(of: session).map { tokens.arbitration.blockers(of: $0, most: Limits.namedCauses) }
            status.interruptedBy = blockers?.map(\.token.cause) ?? []
        case .advised: status.state = .advised
        }
        return status
    }

    /// The stack as this process sees it.
    package var arbitration: Arbitration { tokens.arbitration }
    /// The number of tokens that could not be parsed.
    package var malformedCount: UInt64 { tokens.malformedCount }
    /// The number of tokens above the limits.
    package var surplusCount: UInt64 { tokens.surplusCount }
}
