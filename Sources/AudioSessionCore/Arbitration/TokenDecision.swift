/// The decision about a token that arrives.
package enum TokenDecision: Sendable, Hashable {
    /// The token has its place.
    /// - Parameter mustConfirm: Whether the owner must re-make the token with its place at once. A
    ///   token that would refuse it is present, but not in effect. A program that starts when that
    ///   token is in effect would otherwise refuse this one.
    case granted(mustConfirm: Bool)
    case refused(Refusal)

    var isRefusal: Bool { if case .refused = self { true } else { false } }

    package enum Refusal: Sendable, Hashable {
        case insufficientPriority(by: AudioSessionPeer)
        /// The program is in the background and not now playing.
        case cannotInterruptOthers
        /// The token changes the configuration of a session that was interrupted meanwhile.
        case interruptedMeanwhile
        /// The token arrived after a token of a higher serial that is present, so its owner held it
        /// back.
        case heldBack
    }
}

extension Arbitration {
    /// Decides about a token that arrives.
    /// - Parameters:
    ///   - token: The token, which has arrived after all in the stack.
    ///   - isContested: Whether a token that is not in effect may come to refuse it.
    package func decision(on token: Token, isContested: Bool = false) -> TokenDecision {
        let present = token.contents.isChange ? self[token.key] : nil
        // A program that starts later does not know whether the session was interrupted before.
        let isInterrupted = present.map { $0.isBlocked || $0.wasInterrupted } ?? false
        return decision(on: token, isContested: isContested, isInterrupted: isInterrupted, before: nil)
    }

    /// Decides about a token as a program that sees all tokens for the first time.
    ///
    /// - Parameters:
    ///   - former: The token by which the session stood when this one arrived.
    ///   - isContested: Whether a token that is not in effect may come to refuse it.
    func review(_ token: Token, after former: Token?, isContested: Bool) -> TokenDecision {
        let former = token.contents.isChange ? former : nil
        let isInterrupted = former.map { wasInterrupted($0, before: token.arrival) } ?? false
        return decision(on: token, isContested: isContested, isInterrupted: isInterrupted, before: token.arrival)
    }

    private func decision(
        on token: Token, isContested: Bool, isInterrupted: Bool, before arrival: UInt64?
    ) -> TokenDecision {
        guard token.isNewcomer else { return .granted(mustConfirm: false) }
        let opposition = opposition(to: token, before: arrival)
        if let opponent = opposition.refusing {
            return .refused(.insufficientPriority(by: stack[opponent].token.cause))
        }
        if !token.traits.isMixable && isRefusedInBackground(token, before: arrival) {
            return .refused(.cannotInterruptOthers)
        }
        if isInterrupted { return .refused(.interruptedMeanwhile) }
        return .granted(mustConfirm: isContested || opposition.isAny)
    }

    /// Whether a program in the background is not the last player. Its own claim may be out of
    /// date.
    private func isRefusedInBackground(_ token: Token, before arrival: UInt64?) -> Bool {
        switch token.contents.background {
        case .no: false
        case .yes: true
        case .nowPlaying(let since): isAnyPlayer(besides: token.group, since: since, before: arrival ?? .max)
        }
    }
}
