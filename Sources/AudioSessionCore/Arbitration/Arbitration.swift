/// The stack and each session's state in it: a pure function of the live tokens, with the same
/// result in every process.
///
/// The place of a session is that of its newest granted token. A newer session interrupts an older
/// one by ``TokenTraits/interrupts(_:)``, whether it is interrupted itself or not. The older one is
/// *blocked* while any such newer session stands. Three cases that the tokens alone leave open are
/// decided as follows.
///
/// - Only a newcomer can be refused, by the sessions that stand when it arrives. A token that
///   carries a place re-makes one that was granted, and is granted too.
/// - A newcomer may arrive while a session that would have refused it is interrupted. The newcomer
///   keeps its place when that session is unblocked: its owner confirms it, see ``TokenDecision``.
/// - A newcomer may arrive while the token of a session that would have refused it is missing. The
///   reason is a restart of the daemon, or another client that destroyed the token. When that
///   session is back in its place, it blocks the newer one.
package struct Arbitration: Sendable, Hashable {
    /// The standing sessions, oldest first.
    package private(set) var stack: [StackEntry] = []
    /// The sessions whose newest valid token is a release, and whether that notifies others.
    package private(set) var released: [SessionKey: Bool] = [:]
    private let cookie: UInt32
    /// The number of sessions of each process in `stack` and `released`.
    private var sessionCounts: [TokenOwner.Process: Int] = [:]
    /// The rank by which each session is found in the stack.
    private var ranks: [SessionKey: Rank] = [:]
    /// The earlier runs of the daemon from which sessions were restored, oldest first. Their
    /// sessions are the first in the stack.
    private var runs: [Run] = []
    private var restoredCount = 0
    private var counters = RestartCounters()
    /// The places by which the counters are claimed.
    private var claims: [SessionKey: TokenPlace] = [:]
    private var index = StackIndex()

    private struct Run: Sendable, Hashable {
        let cookie: UInt32
        var count = 0
    }

    package var active: ActiveSummary { index.active }
    /// The processes that have sessions.
    package var processes: some Sequence<TokenOwner.Process> { sessionCounts.keys }
    /// The number of runs of the daemon before the present one, as tokens claim.
    var presentCounter: UInt32 { counters.present }
    /// The sessions that the last change blocked or unblocked.
    var turned: some Sequence<StackEntry> { index.turned.lazy.map { stack[$0] } }
    /// Whether no state of any token is left.
    var isEmpty: Bool {
        stack.isEmpty && released.isEmpty && sessionCounts.isEmpty && ranks.isEmpty && claims.isEmpty && runs.isEmpty
    }
    /// Whether the last change unblocked a session whose owner must now resume or release it.
    var isAnyNewlyUnblocked: Bool { index.isAnyNewlyUnblocked }
    /// The sessions that the last change blocked or unblocked and that can block newer ones.
    var turnedOvertakers: some Sequence<SessionKey> {
        index.turned.lazy.filter(index.isOvertaker).map { stack[$0].key }
    }

    /// Makes an empty stack.
    /// - Parameter cookie: The cookie of the daemon's present run.
    package init(cookie: UInt32) { self.cookie = cookie }

    /// Makes the stack of granted tokens.
    /// - Parameters:
    ///   - granted: The granted tokens in any order.
    ///   - cookie: The cookie of the daemon's present run.
    package init(granted: some Sequence<Token>, cookie: UInt32) {
        self.init(cookie: cookie)
        for token in granted.sorted(by: { $0.serial < $1.serial }) { place(token.key, token, isSpent: false) }
        update(MonotonicTime(nanoseconds: 0))
    }

    mutating func reserveCapacity(_ count: Int) {
        ranks.reserveCapacity(count)
        claims.reserveCapacity(count)
        stack.reserveCapacity(count)
        index.reserveCapacity(count)
    }

    /// Resolves all live tokens in the same way as a program that sees them for the first time.
    package init(live: some Sequence<Token>, cookie: UInt32) {
        self.init(cookie: cookie)
        var refused: [Token] = []
        var highestSerial: UInt64 = 0
        for token in live.sorted(by: { $0.arrival < $1.arrival }) {
            let isHeldBack = token.serial < highestSerial
            highestSerial = max(highestSerial, token.serial)
            if isHeldBack {
                refused.append(token)
            } else if case .refused = decision(on: token, refused: refused) {
                refused.append(token)
            } else {
                replace(token.key, with: token)
            }
        }
    }

    /// Sets or removes the place of a session.
    ///
    /// - Parameters:
    ///   - token: The session's newest granted token; `nil` removes its place.
    ///   - isSpent: Whether the session was blocked under this token, so that it cannot become
    ///     active again under it.
    mutating func replace(
        _ key: SessionKey, with token: Token?, isSpent: Bool = false,
        _ now: MonotonicTime = MonotonicTime(nanoseconds: 0)
    ) {
        place(key, token, isSpent: isSpent)
        update(now)
    }

    private mutating func place(_ key: SessionKey, _ token: Token?, isSpent: Bool) {
        var former: (rank: Rank, unblockedSince: MonotonicTime?)?
        if let position = position(of: key) {
            let unblockedSince = index.unblockedSince(position)
            former = (remove(at: position).rank, unblockedSince)
        }
        count(key, -1)
        ranks[key] = nil
        released[key] = nil
        claim(token?.contents.place, key)
        guard let token else { return }
        guard !token.contents.state.isReleased else {
            released[key] = token.contents.state == .releasedWithNotice
            count(key, 1)
            return
        }
        let entry = StackEntry(token, rank: Rank(token, cookie: cookie), isSpent: isSpent)
        ranks[key] = entry.rank
        count(key, 1)
        let isSamePlace = former?.rank.isSamePlace(as: entry.rank) ?? false
        index.insert(entry, at: insert(entry), unblockedSince: isSamePlace ? former?.unblockedSince : nil)
    }

    /// Counts a session that is in `stack` or `released`.
    private mutating func count(_ key: SessionKey, _ change: Int) {
        guard ranks[key] != nil || released[key] != nil else { return }
        let count = (sessionCounts[key.owner] ?? 0) + change
        sessionCounts[key.owner] = count > 0 ? count : nil
    }

    private mutating func claim(_ place: TokenPlace?, _ key: SessionKey) {
        var isOrderStale = false
        if let former = claims.removeValue(forKey: key) {
            isOrderStale = counters.remove(former, of: key.owner, cookie: cookie)
        }
        if let place {
            claims[key] = place
            isOrderStale = counters.add(place, of: key.owner, cookie: cookie) || isOrderStale
        }
        if isOrderStale, runs.count > 1 { sortRuns() }
    }

    private mutating func sortRuns() {
        let sorted = runs.sorted { counters.precedes($0.cookie, $1.cookie) }
        guard sorted != runs else { return }
        var ranges: [UInt32: Range<Int>] = [:]
        var start = 0
        for run in runs {
            ranges[run.cookie] = start..<start + run.count
            start += run.count
        }
        let order = sorted.compactMap { ranges[$0.cookie] }
        stack.reorder(order)
        index.reorder(order)
        runs = sorted
    }

    private mutating func insert(_ entry: StackEntry) -> Int {
        guard let run = entry.rank.run else {
            let position = firstPosition(from: entry.rank)
            stack.insert(entry, at: position)
            return position
        }
        if !runs.contains(where: { $0.cookie == run }) {
            let next = runs.firstIndex { counters.precedes(run, $0.cookie) } ?? runs.endIndex
            runs.insert(Run(cookie: run), at: next)
        }
        let position = firstPosition(from: entry.rank)
        for own in runs.indices where runs[own].cookie == run { runs[own].count += 1 }
        restoredCount += 1
        stack.insert(entry, at: position)
        return position
    }

    private mutating func remove(at position: Int) -> StackEntry {
        let entry = stack.remove(at: position)
        index.remove(entry, at: position)
        guard let run = runs.firstIndex(where: { $0.cookie == entry.rank.run }) else { return entry }
        runs[run].count -= 1
        restoredCount -= 1
        if runs[run].count == 0 { runs.remove(at: run) }
        return entry
    }

    package func hasSession(of process: TokenOwner.Process) -> Bool { sessionCounts[process] != nil }

    package subscript(key: SessionKey) -> StackEntry? { position(of: key).map { stack[$0] } }

    /// Whether a session is blocked; `nil` for a session that does not stand.
    func isBlocked(_ key: SessionKey) -> Bool? { position(of: key).map { stack[$0].isBlocked } }

    /// Returns the sessions that block a session, oldest first, and at most so many.
    package func blockers(of key: SessionKey, most: Int = .max) -> [StackEntry] {
        guard let position = position(of: key), stack[position].isBlocked else { return [] }
        return stack.indices.lazy.filter { isBlocked(position, by: $0) }.prefix(most).map { stack[$0] }
    }

    /// Calls `body` with each session that blocks another one, oldest first, and the time since
    /// which it has been unblocked itself.
    func forEachBlocker(of key: SessionKey, _ body: (StackEntry, MonotonicTime?) -> Void) {
        guard let position = position(of: key), stack[position].isBlocked else { return }
        for other in stack.indices where isBlocked(position, by: other) {
            body(stack[other], index.unblockedSince(other))
        }
    }

    /// Whether one session blocks another.
    func isBlocked(_ key: SessionKey, by other: SessionKey) -> Bool {
        guard let blocked = position(of: key), let blocker = position(of: other) else { return false }
        return stack[blocked].isBlocked && isBlocked(blocked, by: blocker)
    }

    /// Returns the sessions that duck a session, oldest first. The result is valid only for an
    /// active session.
    ///
    /// - Parameter most: The maximum length of the result.
    package func duckers(of key: SessionKey, most: Int = .max) -> [StackEntry] {
        guard gain(of: key) < TokenTraits.fullGain, let entry = self[key] else { return [] }
        return Array(active.duckers.lazy.map { stack[$0] }.filter { $0.ducks(entry) }.prefix(most))
    }

    /// Returns the gain to which others duck a session, in thousandths. The result is valid only
    /// for an active session.
    package func gain(of key: SessionKey) -> UInt16 {
        guard !active.duckers.isEmpty, let position = position(of: key) else { return TokenTraits.fullGain }
        return index.gain(position)
    }

    /// Returns the active sessions of all groups but one.
    func others(besides group: TokenGroup) -> OtherSessions { index.others(besides: group) }

    /// Returns the sessions that were unblocked at a time in this range and are not active again.
    func unblocked(since range: ClosedRange<MonotonicTime>) -> some Sequence<SessionKey> {
        index.positions(unblockedSince: range).lazy.map { stack[$0].key }
    }

    /// The time since which a session is unblocked but not active again; `nil` for other sessions.
    func unblockedSince(_ key: SessionKey) -> MonotonicTime? {
        position(of: key).flatMap(index.unblockedSince)
    }

    /// Marks the tokens of all sessions that the last change blocked: they cannot become active
    /// again under them.
    mutating func spendBlocked() {
        for position in index.turned where stack[position].isBlocked && !stack[position].isSpent {
            stack[position].isSpent = true
            index.spend(position)
        }
    }

    private func position(of key: SessionKey) -> Int? { ranks[key].map(firstPosition) }

    /// Returns the first position within the rank's run whose rank is not lower.
    private func firstPosition(from rank: Rank) -> Int {
        var range = positions(of: rank.run)
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if stack[middle].rank.precedes(rank) {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }

    private func positions(of run: UInt32?) -> Range<Int> {
        guard let run else { return restoredCount..<stack.count }
        var start = 0
        for other in runs {
            if other.cookie == run { return start..<start + other.count }
            start += other.count
        }
        return start..<start
    }

    private mutating func update(_ now: MonotonicTime) {
        index.update(now)
        for position in index.turned { stack[position].isBlocked.toggle() }
    }

    /// Returns the opposition to a newcomer; see ``StackIndex/opposition(to:at:before:)``.
    func opposition(to token: Token, before serial: UInt64?) -> (refusing: Int?, isAny: Bool) {
        index.opposition(to: token, at: position(of: token.key), before: serial)
    }

    /// Whether a player of another group got its place after `place`, by a token older than
    /// `serial`.
    func isAnyPlayer(besides group: TokenGroup, since place: UInt64, before serial: UInt64) -> Bool {
        for position in (restoredCount..<stack.count).reversed() {
            guard stack[position].rank.place > place else { return false }
            if index.isPlayer(position, besides: group, before: serial) { return true }
        }
        return false
    }

    private func isBlocked(_ position: Int, by other: Int) -> Bool {
        if other > position { return stack[other].interrupts(stack[position]) }
        return !stack[other].isBlocked && stack[other].overtakes(stack[position])
    }
}
