/// What becomes of a token that arrives.
package enum Verdict: Sendable, Hashable {
    /// - Parameter mustConfirm: It was granted only because somebody who would have forbidden it is interrupted, or was
    ///   refused and is still there. Its owner is to re-make it with its place at once, lest those who come late refuse
    ///   it when that one is free.
    case granted(mustConfirm: Bool)
    case refused(Refusal)

    package enum Refusal: Sendable, Hashable {
        case insufficientPriority(by: BoardCause)
        /// From the background, and not what is playing now.
        case cannotInterruptOthers
        /// A change of configuration, of a session that was interrupted in the meantime.
        case interruptedMeanwhile
    }
}

extension Arbitration {
    /// - Parameters:
    ///   - token: newer than all that this was made of.
    ///   - refused: the older ones that were refused and have not gone.
    package func verdict(on token: Token, refused: some Sequence<Token>) -> Verdict {
        guard token.isNewcomer else { return .granted(mustConfirm: false) }
        let opponents = opponents(of: token)
        if let opponent = opponents.last(where: { stack[$0].forbidsNewcomers }) {
            return .refused(.insufficientPriority(by: stack[opponent].token.cause))
        }
        if !token.traits.isMixable && isUnwelcomeInBackground(token) { return .refused(.cannotInterruptOthers) }
        if token.contents.isChange, let present = self[token.key], present.isBlocked || present.isSpent {
            return .refused(.interruptedMeanwhile)
        }
        let isDoubtful = refused.contains { $0.group != token.group && $0.traits.forbids(token.traits) }
        return .granted(mustConfirm: isDoubtful || !opponents.isEmpty)
    }

    private func opponents(of token: Token) -> [Int] {
        guard let highest = highestPriority, token.traits.priority < highest else { return [] }
        return stack.indices.filter {
            stack[$0].traits.forbids(token.traits) && stack[$0].key != token.key && stack[$0].group != token.group
        }
    }

    /// What the program knew of its being the last player when it asked may be out of date.
    private func isUnwelcomeInBackground(_ token: Token) -> Bool {
        switch token.contents.background {
        case .no: false
        case .yes: true
        case .nowPlaying(let since):
            stack.contains {
                $0.traits.isPlayer && $0.group != token.group && !$0.rank.isRestored && $0.rank.place > since
            }
        }
    }
}
