/// This extension creates, re-makes and releases places.
extension ArbitrationStateMachine {
    /// Publishes the session's new state in its place, by a new token.
    mutating func remake(_ session: inout OwnSession) {
        guard let standing = session.standing else { return }
        let old = standing.token
        show(&session)
        if old != session.standing?.token { actions.append(.destroy(old)) }
    }

    private mutating func show(_ session: inout OwnSession) {
        guard let standing = session.standing, owner != nil else { return }
        let name = nextName(for: session)
        session.standing?.token = name
        actions.append(
            .create(
                TokenContents(name: name, state: session.tokenState, traits: standing.traits, place: standing.place)))
    }

    /// Releases the session's place.
    /// - Parameter notify: Whether to notify others; `nil` for the way in which sessions of this
    ///   kind normally leave.
    mutating func release(_ session: inout OwnSession, notify: Bool?) {
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

    /// Replaces the session's token by a release, and removes both. If the session leaves the way
    /// its kind normally does, only the token is removed, because peers then assume the same.
    ///
    /// PipeWire receives and forwards all of this as one message, so each peer wakes once. After a
    /// reconnection the release stays for a second, because peers may reconnect later.
    ///
    /// - Parameters:
    ///   - place: The session's place; `nil` if its token may still be granted.
    ///   - token: The session's token; `nil` if it has none on this connection.
    mutating func announceRelease(
        of session: OwnSession, _ traits: TokenTraits, place: TokenPlace?, notify: Bool, insteadOf token: TokenName?
    ) {
        guard notify != traits.leavesWithNotice else {
            if let token { actions.append(.destroy(token)) }
            return
        }
        let name = nextName(for: session)
        let state = notify ? TokenContents.State.releasedWithNotice : .releasedSilently
        actions.append(.create(TokenContents(name: name, state: state, traits: traits, place: place)))
        // The token is destroyed before the release, because it would count again after the
        // release.
        if let token { actions.append(.destroy(token)) }
        if graceEnd != nil {
            keptReleases[name] = now + Limits.grace
        } else {
            actions.append(.destroy(name))
        }
    }

    /// Answers a deactivation that waits for PipeWire.
    mutating func left(_ name: TokenName, _ failure: ActivationFailure?) {
        answer(leaving.removeValue(forKey: name)?.request, failure)
    }

    mutating func nextName(for session: OwnSession) -> TokenName {
        lastNumber &+= 1
        return TokenName(session.id, lastNumber)
    }

    /// Restores a session's token on a new connection.
    mutating func restore(_ session: inout OwnSession) {
        if case .releasePending(let former, let notify) = session.hold {
            session.hold = .none
            announceRelease(of: session, former.traits, place: former.place, notify: notify, insteadOf: nil)
        }
        show(&session)
        // A configuration chosen meanwhile becomes a request, which can be made now.
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
        if session.standing?.token == token.contents.name { replace(&session) } else { loseSurplusPlace(&session) }
        sessions[session.id] = session
    }

    /// Gives up a place if its token has no room, because another token took that of the token
    /// before. Other programs do not see the session any more, so none could interrupt it.
    mutating func loseSurplusPlace(_ session: inout OwnSession) {
        guard let owner, let token = session.standing?.token, tokens.hasNoPlace(for: token, of: owner) else { return }
        actions.append(.destroy(token))
        losePlace(&session)
    }

    private mutating func losePlace(_ session: inout OwnSession) {
        session.standing = nil
        release(&session, notify: nil)
        send(.placeLost, session)
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

    /// Re-makes a token that another client destroyed.
    private mutating func replace(_ session: inout OwnSession) {
        guard let removals = session.standing?.removals, removals < Limits.removals else {
            return losePlace(&session)
        }
        session.standing?.removals += 1
        show(&session)
    }
}
