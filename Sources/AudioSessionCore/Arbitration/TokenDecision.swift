/// The decision about a token that arrives.
package enum TokenDecision: Sendable, Hashable {
    /// The token has its place.
    /// - Parameter mustConfirm: Whether the owner must re-make the token with its place at once. A
    ///   session that would have refused it is interrupted, or was refused but is still live. A
    ///   program that starts after that session is unblocked would otherwise refuse the token.
    case granted(mustConfirm: Bool)
    case refused(Refusal)

    var isRefusal: Bool {
        switch self {
        case .refused: true
        case .granted: false
        }
    }

    package enum Refusal: Sendable, Hashable {
        case insufficientPriority(by: AudioSessionPeer)
        /// The program is in the background and not now playing.
        case cannotInterruptOthers
        /// The token changes the configuration of a session that was interrupted meanwhile.
        case interruptedMeanwhile
        /// The token arrived after a live token of a higher serial, so its owner held it back.
        case heldBack
    }
}

extension Arbitration {
    /// Decides about a token that arrives.
    /// - Parameters:
    ///   - token: The token, which is newer than all in the stack.
    ///   - refused: The older tokens that were refused and are still live.
    package func decision(on token: Token, refused: some Sequence<Token>) -> TokenDecision {
        decision(on: token, refused: refused, before: nil)
    }

    /// Decides about a token as a program that sees all tokens for the first time.
    ///
    /// - Parameter refused: The tokens that were refused and are still live.
    func review(_ token: Token, refused: some Sequence<Token>) -> TokenDecision {
        decision(on: token, refused: refused.lazy.filter { $0.arrival < token.arrival }, before: token.serial)
    }

    private func decision(on token: Token, refused: some Sequence<Token>, before serial: UInt64?) -> TokenDecision {
        guard token.isNewcomer else { return .granted(mustConfirm: false) }
        let opposition = opposition(to: token, before: serial)
        if let opponent = opposition.refusing {
            return .refused(.insufficientPriority(by: stack[opponent].token.cause))
        }
        if !token.traits.isMixable && isUnwelcomeInBackground(token, before: serial) {
            return .refused(.cannotInterruptOthers)
        }
        if token.contents.isChange, let present = self[token.key] {
            // A program that starts later does not know whether the session was interrupted before.
            let isInterrupted = present.isBlocked || (serial == nil && present.isSpent)
            if isInterrupted, present.serial < serial ?? .max { return .refused(.interruptedMeanwhile) }
        }
        let isDoubtful = refused.contains { $0.group != token.group && $0.traits.forbids(token.traits) }
        return .granted(mustConfirm: isDoubtful || opposition.isAny)
    }

    /// Whether a program in the background is not the last player. Its own claim may be out of
    /// date.
    private func isUnwelcomeInBackground(_ token: Token, before serial: UInt64?) -> Bool {
        switch token.contents.background {
        case .no: false
        case .yes: true
        case .nowPlaying(let since): isAnyPlayer(besides: token.group, since: since, before: serial ?? .max)
        }
    }
}
