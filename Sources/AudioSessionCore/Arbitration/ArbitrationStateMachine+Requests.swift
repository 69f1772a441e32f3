/// This extension handles the requests of this process's sessions, one at a time for each session.
extension ArbitrationStateMachine {
    mutating func opened(_ id: AudioSessionID, _ traits: TokenTraits) {
        guard sessions[id] == nil, sessions.all.count < Limits.sessions else { return }
        sessions.append(OwnSession(id, traits))
    }

    mutating func closed(_ id: AudioSessionID) {
        guard var session = sessions.remove(id) else { return }
        if session.state != .inactive { release(&session, notify: nil) }
        if let asking = session.asking {
            announceRelease(of: session, asking.traits, place: nil, notify: true, insteadOf: asking.name)
            answer(asking.request, .noSuchSession)
        }
        for waiting in session.queue { answer(waiting.id, .noSuchSession) }
        guard case .releasePending(let former, let notify) = session.hold, notify != former.traits.leavesWithNotice
        else { return }
        if closedReleases.count == Limits.sessions { closedReleases.removeFirst() }
        session.queue = []
        closedReleases.append(session)
    }

    mutating func requested(_ request: ArbitrationRequest, _ id: AudioSessionID, _ requestID: ArbitrationRequestID) {
        guard let count = sessions[id]?.queue.count else { return answer(requestID, .noSuchSession) }
        if request.isConfiguration { sessions[id]?.isConfigurationGranted = false }
        if count >= OwnSession.largestQueue {
            guard case .deactivate = request else { return answer(requestID, .tooManyRequests) }
            // It ends what the others would begin.
            let waiting = sessions[id]?.queue ?? []
            sessions[id]?.queue = waiting.filter { $0.request.isDeactivation }
            for superseded in waiting where !superseded.request.isDeactivation {
                answer(superseded.id, .tooManyRequests)
            }
        }
        sessions[id]?.queue.append(.init(request: request, id: requestID, deadline: now + timeout))
    }

    mutating func work(off session: inout OwnSession) {
        while session.asking == nil, !session.queue.isEmpty {
            let waiting = session.queue.removeFirst()
            let isLate = waiting.deadline <= now
            switch waiting.request {
            case .deactivate(let notify): deactivate(&session, notify, waiting)
            case .activate where isLate: answer(waiting.id, .timedOut(after: timeout))
            case .configure where isLate, .configureAgain where isLate: answer(waiting.id, .timedOut(after: timeout))
            case .activate: activate(&session, waiting)
            case .configureAgain where session.isConfigurationGranted: answer(waiting.id, nil)
            case .configure(let traits), .configureAgain(let traits): configure(&session, traits, waiting)
            }
        }
    }

    private mutating func activate(_ session: inout OwnSession, _ waiting: OwnSession.QueuedRequest) {
        if owner == nil {
            answer(waiting.id, .mediaServicesFailed)
        } else if session.state == .active, session.wanted == session.standing?.traits {
            answer(waiting.id, nil)
        } else {
            // A change that was stored while PipeWire was away may have been refused since.
            ask(&session, session.wanted, isChange: false, waiting.id, until: waiting.deadline)
        }
    }

    private mutating func deactivate(
        _ session: inout OwnSession, _ notify: Bool, _ waiting: OwnSession.QueuedRequest
    ) {
        guard session.state != .inactive else { return answer(waiting.id, nil) }
        let hadPlace = session.standing != nil
        release(&session, notify: notify)
        send(.deactivated, session)
        guard owner != nil, hadPlace, let id = waiting.id else { return answer(waiting.id, nil) }
        let name = nextName(for: session)
        actions.append(.barrier(name))
        leaving[name] = Leaving(request: id, deadline: waiting.deadline)
    }

    private mutating func configure(
        _ session: inout OwnSession, _ traits: TokenTraits, _ waiting: OwnSession.QueuedRequest
    ) {
        session.wanted = traits
        // Another configuration wins a new place on top, even if the stack does not differ by it.
        if session.state == .active, owner != nil {
            ask(&session, traits, isChange: true, waiting.id, until: waiting.deadline)
        } else {
            answer(waiting.id, nil)
        }
    }

    /// Requests a place of PipeWire by a token.
    private mutating func ask(
        _ session: inout OwnSession, _ traits: TokenTraits, isChange: Bool, _ request: ArbitrationRequestID?,
        until deadline: MonotonicTime, isRepeated: Bool = false
    ) {
        let name = nextName(for: session)
        session.asking = .init(
            name: name, traits: traits, isChange: isChange, request: request, deadline: deadline,
            isRepeated: isRepeated)
        let background = background(of: session)
        actions.append(.create(TokenContents(name: name, traits: traits, background: background, isChange: isChange)))
    }

    private func background(of session: OwnSession) -> TokenContents.Background {
        guard isInBackground, let owner else { return .no }
        // The advice to resume is a permission.
        if case .advised = session.state { return .no }
        return tokens.lastPlayers.background(of: TokenGroup(session.wanted.group, in: owner.process))
    }

    /// Handles the echo of a token. Every process has received the same tokens up to here, and has
    /// made the same decision.
    mutating func echoed(_ name: TokenName) {
        left(name, nil)
        if sessions[name.session]?.reinstatement == name { sessions[name.session]?.reinstatement = nil }
        if var session = sessions[name.session], session.standing?.token == name {
            loseSurplusPlace(&session)
            sessions[session.id] = session
        }
        guard var session = sessions[name.session], let asking = session.asking, asking.name == name, let owner
        else { return }
        switch tokens.decision(on: name, of: owner) {
        case nil:
            actions.append(.destroy(name))
            conclude(&session, tokens.hasNoRoom(for: name, of: owner) ? .tooManyTokens : .tokenNotMade)
        case (_, .refused(.heldBack))? where !asking.isRepeated:
            // PipeWire announced another token before the info of this one arrived.
            actions.append(.destroy(name))
            ask(
                &session, asking.traits, isChange: asking.isChange, asking.request, until: asking.deadline,
                isRepeated: true)
        case (_, .refused(let refusal))?:
            actions.append(.destroy(name))
            conclude(&session, refusal.failure)
        case (let token, .granted)? where asking.isChange && session.standing == nil:
            // The place was lost meanwhile, and a configuration activates nothing.
            announceRelease(of: session, token.traits, place: nil, notify: true, insteadOf: name)
            conclude(&session, nil)
        case (let token, .granted(let mustConfirm))?:
            stand(&session, asking, token)
            if mustConfirm || hasMissedInterruption(session) { confirm(&session) }
            evaluate(&session)
            session.asking = nil
            answer(asking.request, nil)
        }
        sessions[session.id] = session
    }

    private mutating func stand(
        _ session: inout OwnSession, _ asking: OwnSession.PendingRequest, _ token: Token
    ) {
        if let old = session.standing?.token { actions.append(.destroy(old)) }
        let place = TokenPlace(cookie: tokens.cookie, epoch: presentEpoch, serial: token.serial)
        session.standing = .init(token: token.contents.name, place: place, traits: asking.traits)
        session.isConfigurationGranted = !session.queue.contains { $0.request.isConfiguration }
        // An interruption of a changing session is newer than the change, because the change would
        // otherwise have been refused.
        guard !asking.isChange, session.state != .active else { return }
        session.state = .active
        session.blockers = [:]
        session.resetSound(OtherSessions())
        session.others = tokens.arbitration.others(besides: token.group)
        send(.activated, session)
    }

    /// Whether the session was interrupted and unblocked before the echo, too early to be notified.
    /// Other processes do not count it as active under its token.
    private func hasMissedInterruption(_ session: OwnSession) -> Bool {
        guard session.state == .active, let place = key(of: session).flatMap({ tokens.arbitration[$0] })
        else { return false }
        return place.wasInterrupted && !place.isBlocked
    }

    private mutating func confirm(_ session: inout OwnSession) {
        let isBlocked = key(of: session).flatMap { tokens.arbitration[$0] }?.isBlocked ?? false
        let state = session.state
        if isBlocked { session.state = .interrupted }
        remake(&session)
        session.state = state
    }

    /// Ends a request without an effect on the session's state.
    mutating func conclude(_ session: inout OwnSession, _ failure: ActivationFailure?) {
        guard let asking = session.asking else { return }
        session.asking = nil
        // A change without a waiting caller was chosen while PipeWire was away, and is stored for
        // the next activation.
        if failure != nil, asking.isChange, asking.request != nil {
            session.wanted = session.standing?.traits ?? asking.traits
        }
        answer(asking.request, failure)
    }
}

/// This extension ends the requests that PipeWire does not answer in time or at all.
extension ArbitrationStateMachine {
    /// Withdraws a request after its timeout.
    ///
    /// PipeWire reads the token of the request before the messages that are sent here, so a late
    /// grant holds only until PipeWire has read them.
    mutating func withdraw(ifLate session: inout OwnSession) {
        guard let asking = session.asking, asking.deadline <= now else { return }
        if session.standing != nil {
            remake(&session)
            session.reinstatement = session.standing?.token
            actions.append(.destroy(asking.name))
        } else {
            announceRelease(of: session, asking.traits, place: nil, notify: true, insteadOf: asking.name)
        }
        conclude(&session, .timedOut(after: timeout))
    }

    /// Answers the deactivations that timed out. Their sessions are inactive already, and others
    /// are notified when PipeWire continues.
    mutating func leaveLate() {
        guard !leaving.isEmpty else { return }
        let late = leaving.filter { $0.value.deadline <= now }.keys
        for name in late.sorted(by: { $0.number < $1.number }) { left(name, .timedOut(after: timeout)) }
    }

    /// Fails the pending requests when PipeWire is lost, except deactivations, which are carried
    /// out.
    mutating func abandon(_ session: inout OwnSession) {
        if let asking = session.asking {
            session.asking = nil
            if asking.request != nil, asking.isChange { session.wanted = session.standing?.traits ?? session.wanted }
            answer(asking.request, .mediaServicesFailed)
        }
        let queue = session.queue
        session.queue = []
        for waiting in queue {
            switch waiting.request {
            case .deactivate(let notify) where session.state != .inactive:
                release(&session, notify: notify)
                send(.deactivated, session)
            // It was chosen while PipeWire was away, and stored until it can be requested.
            case .configure(let traits) where waiting.id == nil: session.wanted = traits
            case .activate, .deactivate, .configure, .configureAgain: break
            }
            answer(waiting.id, .mediaServicesFailed)
        }
    }
}

extension TokenDecision.Refusal {
    /// The failure for the caller; `nil` for a change that is stored for the next activation.
    fileprivate var failure: ActivationFailure? {
        switch self {
        case .insufficientPriority(let cause): .insufficientPriority(by: cause)
        case .cannotInterruptOthers: .cannotInterruptOthers
        case .interruptedMeanwhile: nil
        case .heldBack: .tokenNotMade
        }
    }
}
