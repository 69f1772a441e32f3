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
    private let cookie: UInt32
    /// Where to find each session in the stack, which is in the order of its ranks.
    private var ranks: [SessionKey: Rank] = [:]
    private var groups = GroupNumbers()
    /// The stack in short.
    private var seats = Seats()

    package var activity: Activity { seats.activity }
    /// Whether anyone can be blocked by an older session.
    package var canBeOvertaken: Bool { seats.canBeOvertaken }
    var highestPriority: TokenPriority? { seats.highestPriority }
    /// Who was blocked or freed by the last change.
    var turned: some Sequence<StandingSession> { seats.turned.lazy.map { stack[$0] } }
    /// Who is not active because he was interrupted, but is not blocked any more.
    var unblocked: some Sequence<StandingSession> { seats.unblocked.lazy.map { stack[$0] } }

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
            ranks[token.key] = rank
            stack.append(StandingSession(token, rank: rank, isSpent: spent.contains(token.serial)))
        }
        stack.sort { $0.rank < $1.rank }
        for position in stack.indices { sit(at: position) }
        block()
    }

    /// The same as beginning anew, but for one session only.
    ///
    /// - Parameter token: the session's newest granted one, of this run of the daemon: others can change the order.
    mutating func replace(_ key: SessionKey, with token: Token?, isSpent: Bool) {
        if let position = position(of: key) {
            groups.forget(stack.remove(at: position).group)
            seats.remove(at: position)
        }
        ranks[key] = nil
        released[key] = nil
        if let token, token.contents.state.isReleased {
            released[key] = token.contents.state == .releasedWithNotice
        } else if let token {
            let session = StandingSession(token, rank: Rank(token, cookie: cookie, epochs: [:]), isSpent: isSpent)
            ranks[key] = session.rank
            let position = firstPosition(from: session.rank)
            stack.insert(session, at: position)
            sit(at: position)
        }
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

    package subscript(key: SessionKey) -> StandingSession? { position(of: key).map { stack[$0] } }

    /// `nil` for a session that does not stand.
    func isBlocked(_ key: SessionKey) -> Bool? { position(of: key).map { stack[$0].isBlocked } }

    /// Those who block a session, oldest first.
    package func blockers(of key: SessionKey) -> [StandingSession] {
        guard let position = position(of: key), stack[position].isBlocked else { return [] }
        return stack.indices.filter { isBlocked(position, by: $0) }.map { stack[$0] }
    }

    /// Whether one session is among those who block another.
    func isBlocked(_ key: SessionKey, by other: SessionKey) -> Bool {
        guard let blocked = position(of: key), let blocker = position(of: other) else { return false }
        return stack[blocked].isBlocked && isBlocked(blocked, by: blocker)
    }

    /// Those who lower a session's sound, oldest first. They say nothing about a session that is not active.
    package func duckers(of key: SessionKey) -> [StandingSession] {
        guard !activity.duckers.isEmpty, let session = self[key] else { return [] }
        return activity.duckers.lazy.map { stack[$0] }.filter {
            $0.group != session.group && $0.traits.ducks(session.traits)
        }
    }

    /// What sounds beside the sessions of a group.
    func others(besides group: TokenGroup) -> OtherSessions {
        let number = groups[group]
        return OtherSessions(
            isAnyActive: activity.all.contains(besides: number),
            isPrimaryActive: activity.primary.contains(besides: number))
    }

    /// Marks all who are blocked now.
    /// - Returns: the serials of those who were not marked yet.
    mutating func spendBlocked() -> [UInt64] {
        seats.turned.compactMap { position in
            guard stack[position].isBlocked, !stack[position].isSpent else { return nil }
            stack[position].isSpent = true
            seats.spend(position)
            return stack[position].serial
        }
    }

    private func position(of key: SessionKey) -> Int? { ranks[key].map(firstPosition) }

    /// The first position whose rank is not lower.
    private func firstPosition(from rank: Rank) -> Int {
        var range = stack.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if stack[middle].rank < rank {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }

    private mutating func sit(at position: Int) {
        let session = stack[position]
        seats.insert(Seat(session, group: groups.number(of: session.group)), at: position)
    }

    private mutating func block() {
        seats.block()
        if canBeOvertaken {
            let stack = stack
            seats.blockOvertaken { older, newer in Self.overtakes(stack[older], stack[newer]) }
        }
        seats.sumUp()
        for position in seats.turned { stack[position].isBlocked.toggle() }
    }

    private func isBlocked(_ position: Int, by other: Int) -> Bool {
        guard stack[other].group != stack[position].group else { return false }
        if other > position { return stack[other].traits.interrupts(stack[position].traits) }
        return !stack[other].isBlocked && Self.overtakes(stack[other], stack[position])
    }

    /// An older session that was put back in its place after the newer one had arrived.
    private static func overtakes(_ older: StandingSession, _ newer: StandingSession) -> Bool {
        older.isRemade && older.serial > newer.serial && older.traits.forbids(newer.traits)
    }
}
