/// What this process's own sessions ask for: one thing after the other for each.
extension BoardStateMachine {
    mutating func opened(_ id: TokenSession, _ traits: TokenTraits) {
        guard sessions[id] == nil, sessions.all.count < Limits.sessions else { return }
        sessions.append(BoardSession(id, traits))
    }

    mutating func closed(_ id: TokenSession) {
        guard var session = sessions.remove(id) else { return }
        if session.state != .inactive { release(&session, notify: nil) }
        if let asking = session.asking {
            actions.append(.destroy(asking.name))
            answer(asking.request, .noSuchSession)
        }
        for waiting in session.queue { answer(waiting.id, .noSuchSession) }
    }

    mutating func requested(_ request: BoardRequest, _ id: TokenSession, _ requestID: BoardRequestID) {
        guard let count = sessions[id]?.queue.count else { return answer(requestID, .noSuchSession) }
        guard count < BoardSession.largestQueue else { return answer(requestID, .tooManyRequests) }
        sessions[id]?.queue.append((request, requestID))
    }

    mutating func work(off session: inout BoardSession) {
        while session.asking == nil, !session.queue.isEmpty {
            let (request, id) = session.queue.removeFirst()
            switch request {
            case .activate: activate(&session, id)
            case .deactivate(let notify): deactivate(&session, notify, id)
            case .configure(let traits): configure(&session, traits, id)
            }
        }
    }

    private mutating func activate(_ session: inout BoardSession, _ id: BoardRequestID?) {
        if owner == nil {
            answer(id, .mediaServicesFailed)
        } else if session.state == .active {
            answer(id, nil)
        } else {
            ask(&session, isChange: false, id)
        }
    }

    private mutating func deactivate(_ session: inout BoardSession, _ notify: Bool, _ id: BoardRequestID?) {
        guard session.state != .inactive else { return answer(id, nil) }
        let farewell = release(&session, notify: notify)
        tell(.deactivated, session)
        if let farewell { leaving[farewell] = id } else { answer(id, nil) }
    }

    private mutating func configure(_ session: inout BoardSession, _ traits: TokenTraits, _ id: BoardRequestID?) {
        session.wanted = traits
        if session.state == .active, owner != nil, traits != session.standing?.traits {
            ask(&session, isChange: true, id)
        } else {
            answer(id, nil)
        }
    }

    private mutating func ask(_ session: inout BoardSession, isChange: Bool, _ id: BoardRequestID?) {
        let name = nextName(for: session)
        session.asking = .init(name: name, traits: session.wanted, isChange: isChange, request: id)
        create(
            TokenContents(
                name: name, traits: session.wanted, background: background(of: session), isChange: isChange))
    }

    private func background(of session: BoardSession) -> TokenContents.Background {
        guard isInBackground, let owner else { return .no }
        let group = session.wanted.group.map(TokenGroup.named) ?? .process(owner.process)
        guard let player = tokens.player, player.group == group else { return .yes }
        return .nowPlaying(player.since)
    }

    /// The moment of truth: every process has seen what this one has, and judged the same.
    mutating func echoed(_ name: TokenName) {
        left(name)
        guard var session = sessions[name.session], let asking = session.asking, asking.name == name, let owner
        else { return }
        switch tokens.verdict(on: name, of: owner) {
        case nil:
            actions.append(.destroy(name))
            conclude(&session, .tokenNotMade)
        case (_, .refused(let refusal))?:
            actions.append(.destroy(name))
            conclude(&session, refusal.failure)
        case (let token, .granted(let mustConfirm))?:
            stand(&session, asking, token)
            if mustConfirm || hasMissedInterruption(session) { confirm(&session) }
            evaluate(&session)
            session.asking = nil
            answer(asking.request, nil)
        }
        sessions[session.id] = session
    }

    private mutating func stand(_ session: inout BoardSession, _ asking: BoardSession.Asking, _ token: Token) {
        if let old = session.standing?.token { actions.append(.destroy(old)) }
        let place = TokenPlace(cookie: tokens.cookie, epoch: presentEpoch, serial: token.serial)
        session.standing = .init(token: token.contents.name, place: place, traits: asking.traits)
        // An interruption of a changing session is newer than the change, or that would have been refused.
        guard !asking.isChange else { return }
        session.state = .active
        session.blockers = [:]
        session.resetSound(OtherSessions())
        session.others = tokens.arbitration.others(besides: token.group)
        tell(.activated, session)
    }

    /// Interrupted and freed again before the echo: too early to be told. Others take the token for spent.
    private func hasMissedInterruption(_ session: BoardSession) -> Bool {
        guard session.state == .active, let place = key(of: session).flatMap({ tokens.arbitration[$0] })
        else { return false }
        return place.isSpent && !place.isBlocked
    }

    private mutating func confirm(_ session: inout BoardSession) {
        let isBlocked = key(of: session).flatMap { tokens.arbitration[$0] }?.isBlocked ?? false
        let state = session.state
        if isBlocked { session.state = .interrupted }
        remake(&session)
        session.state = state
    }

    /// The session stays what it was, and with what it had.
    mutating func conclude(_ session: inout BoardSession, _ failure: BoardFailure?) {
        guard let asking = session.asking else { return }
        session.asking = nil
        // What nobody waits for was chosen while PipeWire was away, and is stored for the next activation.
        if failure != nil, asking.isChange, asking.request != nil {
            session.wanted = session.standing?.traits ?? asking.traits
        }
        answer(asking.request, failure)
    }
}

extension Verdict.Refusal {
    /// `nil` for a change that is stored for the next activation.
    fileprivate var failure: BoardFailure? {
        switch self {
        case .insufficientPriority(let cause): .insufficientPriority(by: cause)
        case .cannotInterruptOthers: .cannotInterruptOthers
        case .interruptedMeanwhile: nil
        }
    }
}
