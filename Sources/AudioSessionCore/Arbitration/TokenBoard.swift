/// The tokens of one connection, with the decision about each of those that count.
///
/// Each change costs a few passes over the stack at most, whatever tokens other programs publish.
struct TokenBoard: Sendable {
    private(set) var arbitration: Arbitration
    /// The number of tokens that could not be parsed.
    private(set) var malformedCount: UInt64 = 0
    /// The number of changes of the stack.
    private(set) var version: UInt64 = 0
    /// The session that each recent change concerned; `nil` for a change that concerned several.
    private var recentChanges: [SessionKey?] = []
    /// The version with which sessions of an earlier run of the daemon last moved in the stack.
    private var lastMove: UInt64 = 0
    /// Whether any session ducks others, or did so before the last change.
    private var isDucking = false
    private(set) var lastPlayers = LastPlayers()
    let cookie: UInt32

    private var present: PresentTokens
    private var sessions: [SessionKey: SessionTokens] = [:]
    private var provisional = ProvisionalTokens()
    /// The number of changes of tokens and decisions, after which reviews are due. Other changes of
    /// the stack, such as lapses, change no decision.
    private var tokenChanges: UInt64 = 0
    private(set) var departures = Departures()
    /// The times at which sessions were unblocked that may still resume or be released.
    private var unblockings = FirstInFirstOut<MonotonicTime>()

    enum Limits {
        /// The number of tokens that exceeds ordinary use.
        static let few = 64
        /// The time within which the owner of an unblocked place must resume or release it.
        static let answer = Duration.seconds(5)
        fileprivate static let recentChanges = 16
        /// The number of simultaneous changes from which on all sessions are evaluated.
        fileprivate static let manyChanges = 5
    }

    /// Makes an empty set of tokens for a new connection.
    /// - Parameter old: The tokens of the previous connection.
    init(cookie: UInt32, after old: TokenBoard? = nil, limits: TokenLimits = .standard) {
        self.cookie = cookie
        present = PresentTokens(limits: limits)
        if let old {
            lastPlayers = old.lastPlayers
            // On a new connection to the same run, older players are announced again.
            if old.cookie != cookie { lastPlayers.beginRun() }
        }
        version = old.map { $0.version + 1 } ?? 0
        arbitration = Arbitration(cookie: cookie)
    }

    mutating func appeared(_ identity: TokenIdentity, _ properties: Properties, _ now: MonotonicTime) -> Bool {
        let isReplaced = vanished(identity.object, now) != nil
        switch TokenContents.read(properties) {
        case .noToken: return isReplaced
        case .malformed:
            malformedCount &+= 1
            return isReplaced
        case .token(let contents):
            guard let token = present.append(identity, contents) else { return isReplaced }
            add(token, isNewest: true, now)
            return true
        }
    }

    /// Adds a token that counts from now on.
    private mutating func add(_ token: Token, isNewest: Bool, _ now: MonotonicTime) {
        let decision = decide(on: token, isNewest: isNewest)
        // Capacity is reserved at once, because moving thousands of entries takes too long for one
        // change.
        switch sessions.count {
        case Limits.few + 1: sessions.reserveCapacity(TokenLimits.standard.all)
        case Limits.few + 2: arbitration.reserveCapacity(TokenLimits.standard.all)
        default: break
        }
        sessions[token.key, default: SessionTokens()].insert(token)
        sessions[token.key]?.note(decision, on: token.serial)
        if isProvisional(decision, on: token) { provisional.insert(token, now) }
        if !decision.isRefusal { lastPlayers.note(token) }
        let isRunMoved = arbitration.claim(token)
        update(now, token.key)
        if isRunMoved { lastMove = version }
    }

    /// Decides about a token.
    /// - Parameter isNewest: Whether it has just arrived. Otherwise the decision is that of a
    ///   program that sees all tokens for the first time.
    private mutating func decide(on token: Token, isNewest: Bool) -> TokenDecision {
        guard token.isNewcomer else { return .granted(mustConfirm: false) }
        if present.isHeldBack(token) { return .refused(.heldBack) }
        let isContested = present.isContested(token)
        if isNewest { return arbitration.decision(on: token, isContested: isContested) }
        let former = sessions[token.key]?.standing(before: token.arrival)
        return arbitration.review(token, after: former, isContested: isContested)
    }

    /// Whether a program that starts later may decide otherwise about a token.
    private func isProvisional(_ decision: TokenDecision, on token: Token) -> Bool {
        if decision != .granted(mustConfirm: false) { return true }
        // Whether the session was interrupted matters as long as its token before is live.
        return token.isNewcomer && token.contents.isChange && sessions[token.key]?.count ?? 0 > 1
    }

    mutating func vanished(_ object: ObjectID, _ now: MonotonicTime) -> Token? {
        guard let removal = present.remove(object) else { return nil }
        let token = removal.token
        guard removal.hasCounted else {
            // A token that was held back behind it may be granted at the next review.
            tokenChanges &+= 1
            return nil
        }
        let isWithNotice = arbitration.released[token.key] ?? arbitration[token.key]?.traits.leavesWithNotice
        provisional.remove(token)
        sessions[token.key]?.remove(token.serial)
        if sessions[token.key]?.isEmpty == true { sessions[token.key] = nil }
        // A change that replaced this token needs no review any more.
        if let entry = sessions[token.key]?.only, entry.decision == .granted(mustConfirm: false) {
            provisional.remove(entry.token)
        }
        let isRunMoved = arbitration.withdrawClaim(token)
        update(now, token.key)
        if isRunMoved { lastMove = version }
        if let isWithNotice, sessions[token.key]?.newestValid == nil {
            departures.append(token.key, isWithNotice: isWithNotice, now)
        }
        if let next = removal.next { add(next, isNewest: false, now) }
        return token
    }

    /// Whether a session that left within the last second gave notice; `nil` if it did not leave.
    func departureNotice(of key: SessionKey, _ now: MonotonicTime) -> Bool? {
        arbitration.released[key] ?? departures.isWithNotice(key, now)
    }

    /// Returns the change of the stack since an earlier version, as far as it concerns the blockers
    /// of a session.
    func change(since version: UInt64, for key: SessionKey) -> Change {
        let count = self.version - version
        if count == 0 { return .nothing }
        // All other sessions are newer than those that move.
        if lastMove > version, arbitration.isRestored(key) { return .everything }
        guard count <= recentChanges.count else { return .everything }
        let changes = recentChanges.suffix(Int(count))
        let sessions = changes.compactMap(\.self)
        return sessions.count == changes.count ? .sessions(sessions) : .everything
    }

    /// Whether one session of another process changed, without an effect on active sessions except
    /// for ``Arbitration/others(besides:)``.
    func isQuiet(since version: UInt64, for process: TokenOwner.Process) -> Bool {
        guard self.version == version + 1, let other = recentChanges.last ?? nil, other.owner != process
        else { return false }
        return !isDucking && !arbitration.toggled.contains { $0.key.owner == process }
    }

    enum Change {
        case nothing, everything
        case sessions([SessionKey])
    }

    /// Whether no state of any token is left.
    var isEmpty: Bool {
        present.isEmpty && sessions.isEmpty && provisional.isEmpty && arbitration.isEmpty
    }

    /// Returns a client's token by its name, with the decision made when it arrived.
    func decision(on name: TokenName, of owner: TokenOwner) -> (token: Token, decision: TokenDecision)? {
        let key = SessionKey(owner: owner.process, session: name.session)
        let isWanted = { (token: Token) in
            token.contents.name == name && token.identity.owner.client == owner.client && token.key == key
        }
        return sessions[key]?.newest(where: isWanted).map { ($0.token, $0.decision) }
    }

    /// Whether a client's token does not count because a limit is reached.
    func hasNoRoom(for name: TokenName, of owner: TokenOwner) -> Bool {
        present.isSurplus(name, of: owner)
    }

    /// Whether a client's token does not count because a limit is reached, and no other token of
    /// its session counts.
    func hasNoPlace(for name: TokenName, of owner: TokenOwner) -> Bool {
        sessions[SessionKey(owner: owner.process, session: name.session)] == nil && hasNoRoom(for: name, of: owner)
    }

    /// The number of tokens that had no room when they arrived.
    var surplusCount: UInt64 { present.surplusCount }
    /// The newcomers that are compared with other tokens, because they may have been held back.
    var possiblyHeldBack: Set<ObjectID> { present.possiblyHeldBack }

    /// Whether the owner of a place that was unblocked or advised long ago does not respond.
    ///
    /// The time is measured by this process's own clock, so it may decide about advice but never
    /// about which session is heard.
    func hasLapsed(_ key: SessionKey, _ now: MonotonicTime) -> Bool {
        Self.hasLapsed(arbitration.unblockedSince(key), now)
    }

    static func hasLapsed(_ unblockedSince: MonotonicTime?, _ now: MonotonicTime) -> Bool {
        unblockedSince.map { $0 + Limits.answer <= now } ?? false
    }

    var nextLapse: MonotonicTime? { unblockings.first.map { $0 + Limits.answer } }

    func nextReview(_ now: MonotonicTime) -> MonotonicTime? {
        provisional.nextReview(version: tokenChanges, now)
    }

    /// The number of runs of the daemon before the present one, as restored tokens claim.
    var presentEpoch: UInt32 { arbitration.presentCounter }

    /// Decides again about a token that was neither destroyed nor confirmed. See
    /// ``ProvisionalTokens``.
    mutating func review(_ now: MonotonicTime) {
        guard let token = provisional.takeDue(version: tokenChanges, now) else { return }
        let decision = decide(on: token, isNewest: false)
        let wasRefused = sessions[token.key]?[token.serial]?.decision.isRefusal
        // Nothing that arrives later can contest a grant that is not contested now.
        if isProvisional(decision, on: token) { provisional.reviewed(token) } else { provisional.remove(token) }
        // The sessions that made this grant conditional may be gone, but existed when it was made.
        sessions[token.key]?.note(
            decision == .granted(mustConfirm: false) ? .granted(mustConfirm: true) : decision, on: token.serial)
        if wasRefused != decision.isRefusal { update(now, token.key) }
    }

    /// Evaluates what changes by time alone.
    mutating func passed(_ now: MonotonicTime) {
        review(now)
        noteLapses(now)
    }

    /// Updates the stack after a token of one session was added, changed or removed.
    private mutating func update(_ now: MonotonicTime, _ key: SessionKey) {
        tokenChanges &+= 1
        let wasDucking = !arbitration.active.duckers.isEmpty
        if let entry = arbitration[key], entry.wasInterrupted { sessions[key]?.markInterrupted(entry.serial) }
        let tokens = sessions[key]
        let newest = tokens?.newestValid
        if newest != nil { departures.remove(key) }
        arbitration.replace(
            key, with: newest?.token, wasInterrupted: newest?.wasInterrupted ?? false,
            latestArrival: tokens?.latestArrival, now)
        if arbitration.isAnyNewlyUnblocked, unblockings.last != now { unblockings.append(now) }
        changed(key)
        if arbitration.isAnyToggled {
            changed(arbitration.toggledOvertakers)
            // A place that had lapsed counts again.
            changed(arbitration.blockedAgain)
        }
        arbitration.markBlockedAsInterrupted()
        noteLapses(now)
        isDucking = wasDucking || !arbitration.active.duckers.isEmpty
    }

    private mutating func noteLapses(_ now: MonotonicTime) {
        guard let first = unblockings.first, first + Limits.answer <= now else { return }
        var last = first
        while let next = unblockings.first, next + Limits.answer <= now {
            unblockings.removeFirst()
            last = next
        }
        // One pass handles all of them, because other programs determine their number.
        changed(arbitration.unblocked(since: first...last))
    }

    private mutating func changed(_ keys: some Sequence<SessionKey>) {
        let some = Array(keys.prefix(Limits.manyChanges))
        if some.count < Limits.manyChanges { some.forEach { changed($0) } } else { changed(nil) }
    }

    private mutating func changed(_ key: SessionKey?) {
        version &+= 1
        if recentChanges.count == Limits.recentChanges { recentChanges.removeFirst() }
        recentChanges.append(key)
    }

    /// Makes all sessions be evaluated again, because a rule has changed.
    mutating func forgetChanges() { changed(nil) }
}
