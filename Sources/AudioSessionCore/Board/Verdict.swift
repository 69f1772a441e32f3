/// What becomes of a token that arrives.
package enum Verdict: Sendable, Hashable {
    /// - Parameter mustConfirm: It was granted only because somebody who would have forbidden it is interrupted, or was
    ///   refused and is still there. Its owner is to re-make it with its place at once, lest those who come late refuse
    ///   it when that one is free.
    case granted(mustConfirm: Bool)
    case refused(Refusal)

    var isRefusal: Bool {
        switch self {
        case .refused: true
        case .granted: false
        }
    }

    package enum Refusal: Sendable, Hashable {
        case insufficientPriority(by: AudioSessionCause)
        /// From the background, and not what is playing now.
        case cannotInterruptOthers
        /// A change of configuration, of a session that was interrupted in the meantime.
        case interruptedMeanwhile
        /// It arrived after a live token of a higher serial: its owner made it long before it showed it.
        case heldBack
    }
}

extension Arbitration {
    /// - Parameters:
    ///   - token: newer than all that this was made of.
    ///   - refused: the older ones that were refused and have not gone.
    package func verdict(on token: Token, refused: some Sequence<Token>) -> Verdict {
        verdict(on: token, refused: refused, before: nil)
    }

    /// The verdict of a program that sees all tokens for the first time.
    ///
    /// - Parameter refused: those that were refused and have not gone.
    func review(_ token: Token, refused: some Sequence<Token>) -> Verdict {
        verdict(on: token, refused: refused.lazy.filter { $0.arrival < token.arrival }, before: token.serial)
    }

    private func verdict(on token: Token, refused: some Sequence<Token>, before serial: UInt64?) -> Verdict {
        guard token.isNewcomer else { return .granted(mustConfirm: false) }
        let opposition = opposition(to: token, before: serial)
        if let opponent = opposition.refusing {
            return .refused(.insufficientPriority(by: stack[opponent].token.cause))
        }
        if !token.traits.isMixable && isUnwelcomeInBackground(token, before: serial) {
            return .refused(.cannotInterruptOthers)
        }
        if token.contents.isChange, let present = self[token.key] {
            // Whether it is spent is not known to a program that came late.
            let isInterrupted = present.isBlocked || (serial == nil && present.isSpent)
            if isInterrupted, present.serial < serial ?? .max { return .refused(.interruptedMeanwhile) }
        }
        let isDoubtful = refused.contains { $0.group != token.group && $0.traits.forbids(token.traits) }
        return .granted(mustConfirm: isDoubtful || opposition.isAny)
    }

    /// What the program knew of its being the last player when it asked may be out of date.
    private func isUnwelcomeInBackground(_ token: Token, before serial: UInt64?) -> Bool {
        switch token.contents.background {
        case .no: false
        case .yes: true
        case .nowPlaying(let since): isAnyPlayer(besides: token.group, since: since, before: serial ?? .max)
        }
    }
}
