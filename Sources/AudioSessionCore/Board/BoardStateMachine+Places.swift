/// Making, re-making and giving up places.
extension BoardStateMachine {
    /// Shows the session's new state, in the place that it has.
    mutating func remake(_ session: inout BoardSession) {
        guard let standing = session.standing else { return }
        let old = standing.token
        show(&session)
        if old != session.standing?.token { actions.append(.destroy(old)) }
    }

    private mutating func show(_ session: inout BoardSession) {
        guard let standing = session.standing, owner != nil else { return }
        let name = nextName(for: session)
        session.standing?.token = name
        create(
            TokenContents(name: name, state: session.tokenState, traits: standing.traits, place: standing.place))
    }

    /// - Parameter notify: `nil` for the way that sessions of this kind normally leave.
    mutating func release(_ session: inout BoardSession, notify: Bool?) {
        session.state = .inactive
        session.blockers = [:]
        session.resetSound(OtherSessions())
        guard let standing = session.standing else { return }
        session.standing = nil
        let notify = notify ?? standing.traits.leavesWithNotice
        guard owner != nil else {
            session.hold = .releasePending(standing, notify: notify)
            return
        }
        announceRelease(
            of: session, standing.traits, place: standing.place, notify: notify, insteadOf: standing.token)
    }

    /// Replaces the session's token by a release, and removes both. If the session leaves the way that its kind normally
    /// does, it only removes the token, because peers then assume the same.
    ///
    /// PipeWire receives all of it in one message and forwards it in one, so each peer wakes once. After a reconnection
    /// the release stays for a second, because peers may reconnect later.
    ///
    /// - Parameters:
    ///   - place: the one that it had; `nil` if its token may still be granted.
    ///   - token: `nil` if there is none on this connection.
    mutating func announceRelease(
        of session: BoardSession, _ traits: TokenTraits, place: TokenPlace?, notify: Bool, insteadOf token: TokenName?
    ) {
        guard notify != traits.leavesWithNotice else {
            if let token { actions.append(.destroy(token)) }
            return
        }
        let name = nextName(for: session)
        create(
            TokenContents(
                name: name, state: notify ? .releasedWithNotice : .releasedSilently, traits: traits, place: place))
        // Before the release: without it a token that is still live would count again.
        if let token { actions.append(.destroy(token)) }
        if graceEnd != nil {
            keptReleases[name] = now + Limits.grace
        } else {
            actions.append(.destroy(name))
        }
    }

    /// A deactivation waits no more for PipeWire.
    mutating func left(_ name: TokenName, _ failure: BoardFailure?) {
        answer(leaving.removeValue(forKey: name)?.request, failure)
    }

    mutating func create(_ contents: TokenContents) { actions.append(.create(contents)) }

    mutating func nextName(for session: BoardSession) -> TokenName {
        lastNumber &+= 1
        return TokenName(session.id, lastNumber)
    }

    /// On a new connection, everything is as it was.
    mutating func restore(_ session: inout BoardSession) {
        if case .releasePending(let former, let notify) = session.hold {
            session.hold = .none
            announceRelease(of: session, former.traits, place: former.place, notify: notify, insteadOf: nil)
        }
        show(&session)
        // What was chosen in the meantime is a change, now that it can be made.
        if session.state == .active, let standing = session.standing, standing.traits != session.wanted {
            session.queue.insert(
                .init(request: .configure(session.wanted), id: nil, deadline: now + timeout), at: 0)
            session.wanted = standing.traits
        }
    }

    mutating func vanished(_ object: ObjectID) {
        guard let token = tokens.vanished(object, now), token.identity.owner.client == owner?.client,
            var session = sessions[token.contents.name.session]
        else { return }
        if session.standing?.token == token.contents.name { replace(&session) }
        sessions[session.id] = session
    }

    mutating func failed(_ name: TokenName) {
        keptReleases[name] = nil
        left(name, nil)
        guard var session = sessions[name.session] else { return }
        if session.reinstatement == name { session.reinstatement = nil }
        if session.asking?.name == name {
            conclude(&session, .tokenNotMade)
        } else if session.standing?.token == name {
            replace(&session)
        }
        sessions[session.id] = session
    }

    /// Somebody destroyed a token of ours.
    private mutating func replace(_ session: inout BoardSession) {
        guard let removals = session.standing?.removals, removals < Limits.removals else {
            session.standing = nil
            release(&session, notify: nil)
            return tell(.placeLost, session)
        }
        session.standing?.removals += 1
        show(&session)
    }
}
