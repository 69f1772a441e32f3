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
    /// The number of sessions that were restored from earlier runs of the daemon. They are the
    /// first in the stack, run by run in the order of `counters`.
    private var restoredCount = 0
    private var counters = RestartCounters()
    private var index = StackIndex()

    package var active: ActiveSummary { index.active }
    /// The processes that have sessions.
    package var processes: some Sequence<TokenOwner.Process> { sessionCounts.keys }
    /// The number of runs of the daemon before the present one, as tokens claim.
    var presentCounter: UInt32 { counters.present }
    /// The sessions that the last change blocked or unblocked.
    var toggled: some Sequence<StackEntry> { index.toggled.lazy.map { stack[$0] } }
    /// Whether no state of any token is left.
    var isEmpty: Bool {
        stack.isEmpty && released.isEmpty && sessionCounts.isEmpty && ranks.isEmpty && counters.isEmpty
            && restoredCount == 0
    }
    /// Whether the last change blocked or unblocked any session.
    var isAnyToggled: Bool { !index.toggled.isEmpty }
    /// Whether the last change unblocked a session whose owner must now resume or release it.
    var isAnyNewlyUnblocked: Bool { index.isAnyNewlyUnblocked }
    /// The sessions that the last change blocked or unblocked and that can block newer ones.
    var toggledOvertakers: some Sequence<SessionKey> {
        index.toggled.lazy.filter(index.isOvertaker).map { stack[$0].key }
    }
    /// The sessions that the last change blocked again under the same token. The result is valid
    /// until ``markBlockedAsInterrupted()``.
    var blockedAgain: some Sequence<SessionKey> {
        index.toggled.lazy.map { stack[$0] }.filter { $0.isBlocked && $0.wasInterrupted }.map(\.key)
    }

    /// Makes an empty stack.
    /// - Parameter cookie: The cookie of the daemon's present run.
    package init(cookie: UInt32) { self.cookie = cookie }

    mutating func reserveCapacity(_ count: Int) {
        ranks.reserveCapacity(count)
        stack.reserveCapacity(count)
        index.reserveCapacity(count)
    }

    /// Resolves all live tokens in the same way as a program that sees them for the first time.
    package init(live: some Sequence<Token>, cookie: UInt32) {
        self.init(cookie: cookie)
        var sessions: [SessionKey: SessionTokens] = [:]
        var highestSerial: UInt64 = 0
        for token in live.sorted(by: { $0.arrival < $1.arrival }) {
            let isHeldBack = token.isNewcomer && token.serial < highestSerial
            highestSerial = max(highestSerial, token.serial)
            if isHeldBack || decision(on: token).isRefusal { continue }
            sessions[token.key, default: SessionTokens()].insert(token)
            sessions[token.key]?.markOutdatedReleases()
            claim(token)
            replace(token.key, with: sessions[token.key]?.newestValid?.token)
        }
    }

    /// Sets or removes the place of a session.
    ///
    /// - Parameters:
    ///   - token: The session's newest granted token; `nil` removes its place.
    ///   - wasInterrupted: Whether the session was blocked under this token, so that it cannot
    ///     become active again under it.
    ///   - latestArrival: The arrival of the session's token that arrived last; `nil` if it is this
    ///     token.
    mutating func replace(
        _ key: SessionKey, with token: Token?, wasInterrupted: Bool = false, latestArrival: UInt64? = nil,
        _ now: MonotonicTime = MonotonicTime(nanoseconds: 0)
    ) {
        place(key, token, wasInterrupted: wasInterrupted, latestArrival: latestArrival ?? token?.arrival ?? 0)
        update(now)
    }

    private mutating func place(_ key: SessionKey, _ token: Token?, wasInterrupted: Bool, latestArrival: UInt64) {
        var former: (rank: Rank, unblockedSince: MonotonicTime?)?
        if let rank = ranks.removeValue(forKey: key) {
            let position = firstPosition(from: rank)
            former = (rank, index.unblockedSince(position))
            remove(at: position)
            sessionCounts.add(-1, to: key.owner)
        } else if !released.isEmpty, released.removeValue(forKey: key) != nil {
            sessionCounts.add(-1, to: key.owner)
        }
        guard let token else { return }
        sessionCounts.add(1, to: key.owner)
        guard !token.contents.state.isReleased else {
            released[key] = token.contents.state == .releasedWithNotice
            return
        }
        let entry = StackEntry(token, rank: Rank(token, cookie: cookie), wasInterrupted: wasInterrupted)
        ranks[key] = entry.rank
        let isSamePlace = former?.rank.isSamePlace(as: entry.rank) ?? false
        index.insert(
            entry, at: insert(entry), latestArrival: latestArrival,
            unblockedSince: isSamePlace ? former?.unblockedSince : nil)
    }

    /// Counts the restart counter that a token claims by its place.
    ///
    /// All tokens that are live claim their counters, whether or not they determine their session's
    /// state, because that state may depend on the order of the runs. The blocking of sessions is
    /// updated with the next ``replace(_:with:wasInterrupted:latestArrival:_:)``.
    /// - Returns: Whether sessions have moved.
    @discardableResult mutating func claim(_ token: Token) -> Bool {
        guard let place = token.contents.place else { return false }
        let run = positions(of: place.cookie)
        return counters.add(place, of: token.key.owner, cookie: cookie) && move(run)
    }

    /// Withdraws the claim of a token that was removed.
    /// - Returns: Whether sessions have moved.
    mutating func withdrawClaim(_ token: Token) -> Bool {
        guard let place = token.contents.place else { return false }
        let run = positions(of: place.cookie)
        return counters.remove(place, of: token.key.owner, cookie: cookie) && move(run)
    }

    /// Moves the sessions of a run whose place among the other runs may have changed.
    /// - Returns: Whether it has changed.
    private mutating func move(_ range: Range<Int>) -> Bool {
        guard !range.isEmpty, let run = stack[range.lowerBound].rank.run else { return false }
        let order = counters.order(of: run)
        let before = stack.insertionIndex(in: 0..<range.lowerBound) { isEarlier($0, than: order) }
        let after = stack.insertionIndex(in: range.upperBound..<restoredCount) { isEarlier($0, than: order) }
        let position = before < range.lowerBound ? before : after - range.count
        guard position != range.lowerBound else { return false }
        stack.move(range, to: position)
        index.move(range, to: position)
        return true
    }

    private mutating func insert(_ entry: StackEntry) -> Int {
        let position = firstPosition(from: entry.rank)
        if entry.rank.run != nil { restoredCount += 1 }
        stack.insert(entry, at: position)
        return position
    }

    private mutating func remove(at position: Int) {
        let entry = stack.remove(at: position)
        index.remove(entry, at: position)
        if entry.rank.run != nil { restoredCount -= 1 }
    }

    package func hasSession(of process: TokenOwner.Process) -> Bool { sessionCounts[process] != nil }

    package subscript(key: SessionKey) -> StackEntry? { position(of: key).map { stack[$0] } }

    /// Whether a session's place was restored from an earlier run of the daemon.
    func isRestored(_ key: SessionKey) -> Bool { ranks[key]?.run != nil }

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
    mutating func markBlockedAsInterrupted() {
        for position in index.toggled where stack[position].isBlocked && !stack[position].wasInterrupted {
            stack[position].wasInterrupted = true
            index.markInterrupted(position)
        }
    }

    private func position(of key: SessionKey) -> Int? { ranks[key].map(firstPosition(from:)) }

    /// Returns the first position within the rank's run whose rank is not lower.
    private func firstPosition(from rank: Rank) -> Int {
        let range = rank.run.map(positions(of:)) ?? restoredCount..<stack.count
        return stack.insertionIndex(in: range) { $0.rank.precedes(rank) }
    }

    /// Returns the positions of the sessions that were restored from a run; an empty range in the
    /// run's place without such sessions.
    private func positions(of run: UInt32) -> Range<Int> {
        let order = counters.order(of: run)
        let start = stack.insertionIndex(in: 0..<restoredCount) { isEarlier($0, than: order) }
        return start..<stack.insertionIndex(in: start..<restoredCount) { $0.rank.run == run }
    }

    /// Whether a restored session comes from a run before this one.
    private func isEarlier(_ entry: StackEntry, than order: RunOrder) -> Bool {
        entry.rank.run.map { counters.order(of: $0) < order } ?? false
    }

    private mutating func update(_ now: MonotonicTime) {
        index.update(now)
        for position in index.toggled { stack[position].isBlocked.toggle() }
    }

    /// Returns the opposition to a newcomer; see ``StackIndex/opposition(to:at:before:)``.
    func opposition(to token: Token, before arrival: UInt64?) -> (refusing: Int?, isAny: Bool) {
        index.opposition(to: token, at: position(of: token.key), before: arrival)
    }

    /// Whether a session was interrupted when it stood by a token. Only sessions all of whose
    /// tokens arrived before this arrival count.
    func wasInterrupted(_ token: Token, before arrival: UInt64) -> Bool {
        index.wasInterrupted(token, at: firstPosition(from: Rank(token, cookie: cookie)), before: arrival)
    }

    /// Whether a player of another group got its place after `place`. Only sessions all of whose
    /// tokens arrived before this arrival count.
    func isAnyPlayer(besides group: TokenGroup, since place: UInt64, before arrival: UInt64) -> Bool {
        for position in (restoredCount..<stack.count).reversed() {
            guard stack[position].rank.place > place else { return false }
            if index.isPlayer(position, besides: group, before: arrival) { return true }
        }
        return false
    }

    private func isBlocked(_ position: Int, by other: Int) -> Bool {
        if other > position { return stack[other].interrupts(stack[position]) }
        return !stack[other].isBlocked && stack[other].overtakes(stack[position])
    }
}
