/// Who sounds, who waits and for whom: a pure function of the live tokens, so that every process finds the same.
///
/// A session stands where its newest granted token puts it. A newer session interrupts an older one by
/// ``TokenTraits/interrupts(_:)``, whether it is interrupted itself or not; the older one is *blocked* for as long as
/// any such newer session stands. Three things that the tokens alone would leave open are decided as follows.
///
/// - Only a newcomer can be refused, when it arrives, by what stood there then. A token that carries a place re-makes
///   one that was granted, and is granted too.
/// - A newcomer may arrive over an interrupted session that would have forbidden it. When that one is unblocked the
///   newcomer keeps its place: its owner confirms it, see ``Verdict``.
/// - A newcomer may arrive while the token of a session that would have forbidden it is away: after a restart of the
///   daemon, or because somebody destroyed it. Once that one is back in its place, it blocks the newer.
package struct Arbitration: Sendable, Hashable {
    /// The sessions that stand, oldest first.
    package private(set) var stack: [StandingSession] = []
    /// The sessions whose last word is that they have gone, and whether they gave notice.
    package private(set) var released: [SessionKey: Bool] = [:]
    private var positions: [SessionKey: Int] = [:]
    private let cookie: UInt32

    /// - Parameters:
    ///   - granted: without those that were refused, in any order.
    ///   - cookie: of the daemon's present run.
    ///   - spent: serials of tokens that were seen blocked. They do not come to life again by themselves.
    package init(granted: some Sequence<Token>, cookie: UInt32, spent: Set<UInt64> = []) {
        self.cookie = cookie
        var newest: [SessionKey: Token] = [:]
        for token in granted where newest[token.key].map({ $0.serial < token.serial }) ?? true {
            newest[token.key] = token
        }
        let epochs = Self.epochs(of: newest.values)
        for token in newest.values {
            guard !token.contents.state.isReleased else {
                released[token.key] = token.contents.state == .releasedWithNotice
                continue
            }
            let rank = Rank(token, cookie: cookie, epochs: epochs)
            stack.append(StandingSession(token, rank: rank, isSpent: spent.contains(token.serial)))
        }
        stack.sort { $0.rank < $1.rank }
        for (position, session) in stack.enumerated() { positions[session.key] = position }
        block()
    }

    /// Settles all live tokens as somebody does who sees them for the first time.
    package init(live: some Sequence<Token>, cookie: UInt32) {
        var granted: [Token] = []
        var refused: [Token] = []
        self.init(granted: granted, cookie: cookie)
        for token in live.sorted(by: { $0.serial < $1.serial }) {
            if case .refused = verdict(on: token, refused: refused) {
                refused.append(token)
                continue
            }
            granted.append(token)
            self = Arbitration(granted: granted, cookie: cookie)
        }
    }

    package subscript(key: SessionKey) -> StandingSession? { positions[key].map { stack[$0] } }

    /// Those who block a session, oldest first.
    package func blockers(of key: SessionKey) -> [StandingSession] {
        guard let session = self[key] else { return [] }
        return session.isBlocked ? stack.filter { isBlocked(session, by: $0) } : []
    }

    /// Those who lower a session's sound, oldest first. They say nothing about a session that is not active.
    package func duckers(of key: SessionKey) -> [StandingSession] {
        guard let session = self[key] else { return [] }
        return stack.filter { $0.isActive && $0.group != session.group && $0.traits.ducks(session.traits) }
    }

    private func isBlocked(_ session: StandingSession, by other: StandingSession) -> Bool {
        guard other.group != session.group else { return false }
        if other.rank > session.rank { return other.traits.interrupts(session.traits) }
        return other.rank < session.rank && overtakes(other, session)
    }

    /// An older session that was put back in its place after the newer one had arrived.
    private func overtakes(_ older: StandingSession, _ newer: StandingSession) -> Bool {
        older.isRemade && older.serial > newer.serial && older.forbidsNewcomers && older.traits.forbids(newer.traits)
    }

    private mutating func block() {
        var players = StrongestTwo()
        var prompts = StrongestTwo()
        for position in stack.indices.reversed() {
            let session = stack[position]
            stack[position].isBlocked =
                session.isInterrupted(byPlayer: players.priority(besides: session.group))
                || (session.traits.isSpokenAudio
                    && prompts.priority(besides: session.group).map { $0 >= session.traits.priority } ?? false)
            if !session.traits.isMixable { players.add(session) }
            if session.traits.interruptsSpokenAudio { prompts.add(session) }
        }
        blockOvertaken()
    }

    /// From the highest priority down, for the blocked do not block.
    private mutating func blockOvertaken() {
        let remade = stack.indices.filter { stack[$0].isRemade && stack[$0].traits.priority > .media }
        for older in remade.sorted(by: { stack[$0].traits.priority > stack[$1].traits.priority }) {
            for newer in stack.indices.dropFirst(older + 1)
            where stack[newer].group != stack[older].group && overtakes(stack[older], stack[newer]) {
                stack[newer].isBlocked = true
            }
        }
    }
}

extension StandingSession {
    /// - Parameter priority: the highest of all newer sessions that do not mix.
    fileprivate func isInterrupted(byPlayer priority: TokenPriority?) -> Bool {
        priority.map { TokenTraits(priority: $0).interrupts(traits) } ?? false
    }
}

/// The highest priority among sessions, with the group of one set aside.
private struct StrongestTwo {
    private var first: (priority: TokenPriority, group: TokenGroup)?
    /// The highest of all other groups than the first's.
    private var second: (priority: TokenPriority, group: TokenGroup)?

    func priority(besides group: TokenGroup) -> TokenPriority? {
        first?.group == group ? second?.priority : first?.priority
    }

    mutating func add(_ session: StandingSession) {
        let new = (priority: session.traits.priority, group: session.group)
        guard let strongest = first else { return first = new }
        if strongest.group == new.group {
            first = (max(strongest.priority, new.priority), new.group)
        } else if new.priority > strongest.priority {
            second = strongest
            first = new
        } else if second.map({ $0.priority < new.priority }) ?? true {
            second = new
        }
    }
}
