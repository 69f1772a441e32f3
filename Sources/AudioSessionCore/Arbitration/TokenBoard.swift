/// The live tokens of one connection, with the decision made when each of them arrived.
///
/// Each change costs a few passes over the stack at most, whatever tokens other programs publish.
struct TokenBoard: Sendable {
    private(set) var arbitration: Arbitration
    /// The number of tokens that could not be parsed.
    private(set) var malformedCount: UInt64 = 0
    private(set) var surplusCount: UInt64 = 0
    /// The number of changes of the stack.
    private(set) var version: UInt64 = 0
    /// The session that each recent change concerned; `nil` for a change that concerned several.
    private var recentChanges: [SessionKey?] = []
    /// Whether any session ducks others, or did so before the last change.
    private var isDucking = false
    /// The group that last became a player, and the serial of its token.
    private(set) var player: (group: TokenGroup, since: UInt64)?
    let cookie: UInt32

    private var live: [ObjectID: Token] = [:]
    private var lastArrival: UInt64 = 0
    /// An upper bound for the serials of live and surplus tokens.
    private var highestSerial: UInt64 = 0
    /// The tokens that may have arrived after one of a higher serial that was not removed. All
    /// others are never compared with the present ones.
    private(set) var overtaken: Set<ObjectID> = []
    private var sessions: [SessionKey: SessionTokens] = [:]
    private var doubtful = ProvisionalTokens()
    private var accounts = ProcessAccounts()
    private var surplus = OverflowTokens()
    /// The processes of which further surplus tokens may have room, after one was admitted.
    private var refilling: Set<TokenOwner.Process> = []
    /// The number of places of removed tokens that the next surplus tokens get, because another
    /// limit keeps out those that were taken for them.
    private var freePlaces = 0
    private var departures = Departures()
    /// The times at which sessions were unblocked that may still resume or be released.
    private var unblockings = FirstInFirstOut<MonotonicTime>()

    enum Limits {
        static let tokens = 4096
        /// The number of tokens that exceeds ordinary use.
        static let few = 64
        /// The time within which the owner of an unblocked place must resume or release it.
        static let answer = Duration.seconds(5)
        /// The number of surplus tokens of one process that are admitted in one iteration of the
        /// event loop, after the first.
        fileprivate static let refillsAtOnce = 2
        fileprivate static let recentChanges = 16
        /// The number of simultaneous changes from which on all sessions are evaluated.
        fileprivate static let manyChanges = 5
    }

    /// Makes an empty set of tokens for a new connection.
    /// - Parameter old: The tokens of the previous connection.
    init(cookie: UInt32, after old: TokenBoard? = nil) {
        self.cookie = cookie
        // Serials start again with each run of the daemon. On a new connection to the same run,
        // older players are announced again.
        player = old?.player.map { ($0.group, old?.cookie == cookie ? $0.since : 0) }
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
            lastArrival += 1
            let token = Token(identity, contents, arrival: lastArrival)
            if token.serial < highestSerial { overtaken.insert(identity.object) }
            let isAdmitted = admit(token, now)
            if !isAdmitted {
                surplusCount &+= 1
                if !surplus.contains(identity.object) { overtaken.remove(identity.object) }
            }
            highestSerial = max(highestSerial, token.serial)
            return isAdmitted || isReplaced
        }
    }

    /// Admits a token, or keeps it as surplus if a limit is reached.
    /// - Returns: Whether the token was admitted.
    private mutating func admit(_ token: Token, _ now: MonotonicTime) -> Bool {
        let account = accounts[token.key.owner]
        guard live.count < Limits.tokens, account.hasRoom else {
            surplus.keep(token, .tokens)
            return false
        }
        guard account.hasRoom(forRunOf: token) else {
            surplus.keep(token, .runs)
            return false
        }
        let decision =
            isHeldBack(token) ? .refused(.heldBack) : arbitration.decision(on: token, refused: doubtful.refused)
        if case .refused(let refusal) = decision {
            guard account.hasRoomForDoubtful else {
                surplus.keep(token, .refused(refusal))
                return false
            }
            accounts.addDoubtful(token.key.owner)
        }
        accounts.add(token)
        // Capacity is reserved at once, because moving thousands of entries takes too long for one
        // change.
        switch live.count {
        case Limits.few: live.reserveCapacity(Limits.tokens)
        case Limits.few + 1: sessions.reserveCapacity(Limits.tokens)
        case Limits.few + 2: arbitration.reserveCapacity(Limits.tokens)
        default: break
        }
        live[token.identity.object] = token
        highestSerial = max(highestSerial, token.serial)
        sessions[token.key, default: SessionTokens()].insert(token)
        note(decision, on: token)
        if decision != .granted(mustConfirm: false) { doubtful.insert(token, isRefused: decision.isRefusal, now) }
        if !decision.isRefusal, token.isNewcomer, token.traits.isPlayer, token.serial > player?.since ?? 0 {
            player = (token.group, token.serial)
        }
        update(now, token.key)
        return true
    }

    /// Whether a token of a higher serial arrived before this one and was not removed. A program
    /// that starts now receives both in the same order, and may have room for the first.
    private mutating func isHeldBack(_ token: Token) -> Bool {
        guard overtaken.contains(token.identity.object) else { return false }
        if live.values.contains(where: { $0.arrival < token.arrival && $0.serial > token.serial }) { return true }
        if surplus.overtook(token) { return true }
        // The token with that serial was removed, and no other can overtake this one any more. The
        // bound is updated, so that the next token is not compared with all again.
        overtaken.remove(token.identity.object)
        highestSerial = max(live.values.lazy.map(\.serial).max() ?? 0, surplus.highestSerial)
        return false
    }

    private mutating func note(_ decision: TokenDecision, on token: Token) {
        sessions[token.key]?.note(decision, on: token.serial)
        sessions[token.key]?.outdateReleases()
    }

    mutating func vanished(_ object: ObjectID, _ now: MonotonicTime) -> Token? {
        overtaken.remove(object)
        guard let token = live[object] else {
            // A token that was held back behind it may be granted at the next review.
            if let token = surplus.remove(object), !doubtful.isEmpty { changed(token.key) }
            return nil
        }
        let isWithNotice = arbitration.released[token.key] ?? arbitration[token.key]?.traits.leavesWithNotice
        remove(token)
        update(now, token.key)
        if let isWithNotice, sessions[token.key]?.newestValid == nil {
            departures.append(token.key, isWithNotice: isWithNotice, now)
        }
        admitSurplus(after: token.key.owner, now)
        return token
    }

    private mutating func remove(_ token: Token) {
        live[token.identity.object] = nil
        accounts.remove(token)
        if doubtful.remove(token.serial)?.isCounted == true { accounts.removeDoubtful(token.key.owner) }
        sessions[token.key]?.remove(token.serial)
        if sessions[token.key]?.isEmpty == true { sessions[token.key] = nil }
    }

    /// Admits one surplus token for each limit that the removal of a token may have freed.
    ///
    /// - Parameter process: The process whose token was removed.
    private mutating func admitSurplus(after process: TokenOwner.Process, _ now: MonotonicTime) {
        guard surplus.count > 0 else { return }
        if admitSurplus(of: process, now) { refilling.insert(process) }
        guard live.count < Limits.tokens else { return }
        freePlaces += 1
        fillPlace(now)
    }

    /// Admits the oldest surplus token that only the number of tokens keeps out, if no other limit
    /// does.
    private mutating func fillPlace(_ now: MonotonicTime) {
        let accounts = accounts
        if let next = surplus.take(where: { accounts[$0].hasRoom }) {
            if admit(next, now) { freePlaces -= 1 }
        } else {
            freePlaces = 0
        }
    }

    /// Admits the oldest surplus token that exceeded a limit of its own process and has room now,
    /// if no other limit keeps it out.
    /// - Returns: Whether there was one. Others may have room as well, such as those of a run of
    ///   the daemon that counts now.
    private mutating func admitSurplus(of process: TokenOwner.Process, _ now: MonotonicTime) -> Bool {
        let account = accounts[process]
        let next = surplus.take(of: process) { entry in
            switch entry.reason {
            case .tokens: false
            case .refused, .unconfirmed: account.hasRoom && account.hasRoomForDoubtful
            case .runs: account.hasRoom && account.hasRoom(forRunOf: entry.token)
            }
        }
        guard let next else { return false }
        _ = admit(next, now)
        return true
    }

    /// Admits a few further surplus tokens, which a program that starts now admits at once.
    private mutating func refill(_ now: MonotonicTime) {
        for _ in 0..<Limits.refillsAtOnce where freePlaces > 0 {
            if live.count < Limits.tokens { fillPlace(now) } else { freePlaces = 0 }
        }
        guard let process = refilling.first else { return }
        for _ in 0..<Limits.refillsAtOnce {
            guard live.count < Limits.tokens, admitSurplus(of: process, now) else {
                refilling.remove(process)
                return
            }
        }
    }

    /// Whether a session that left within the last second gave notice; `nil` if it did not leave.
    func departureNotice(of key: SessionKey, _ now: MonotonicTime) -> Bool? {
        arbitration.released[key] ?? departures.isWithNotice(key, now)
    }

    /// The end of the process's newest departure; see ``Departures/end(of:_:)``.
    func departureEnd(of process: TokenOwner.Process, _ now: MonotonicTime) -> MonotonicTime? {
        departures.end(of: process, now)
    }

    /// Returns the change of the stack since an earlier version.
    func change(since version: UInt64) -> Change {
        let count = self.version - version
        if count == 0 { return .nothing }
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
        return !isDucking && !arbitration.turned.contains { $0.key.owner == process }
    }

    enum Change {
        case nothing, everything
        case sessions([SessionKey])
    }

    /// Whether no state of any token is left.
    var isEmpty: Bool {
        live.isEmpty && sessions.isEmpty && surplus.count == 0 && overtaken.isEmpty && doubtful.isEmpty
            && accounts.isEmpty && arbitration.isEmpty
    }

    /// Returns a client's token by its name, with the decision made when it arrived.
    func decision(on name: TokenName, of owner: TokenOwner) -> (token: Token, decision: TokenDecision)? {
        let key = SessionKey(owner: owner.process, session: name.session)
        let isWanted = { (token: Token) in
            token.contents.name == name && token.identity.owner.client == owner.client && token.key == key
        }
        if let entry = sessions[key]?.newest(where: isWanted) { return (entry.token, entry.decision) }
        let entry = surplus.newest(of: owner.process, where: isWanted)
        guard let entry, case .refused(let refusal) = entry.reason else { return nil }
        return (entry.token, .refused(refusal))
    }

    /// Whether a client's token does not count because a limit is reached.
    func hasNoRoom(for name: TokenName, of owner: TokenOwner) -> Bool {
        let entry = surplus.newest(of: owner.process) {
            $0.contents.name == name && $0.identity.owner.client == owner.client
        }
        return entry != nil
    }

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
        refilling.isEmpty && freePlaces == 0 ? doubtful.nextReview(version: version, now) : now
    }

    /// The number of runs of the daemon before the present one, as restored tokens claim.
    var presentEpoch: UInt32 { arbitration.presentCounter }

    /// Decides again about some tokens that were neither destroyed nor confirmed. See
    /// ``ProvisionalTokens``.
    mutating func review(_ now: MonotonicTime) {
        for token in doubtful.takeDue(version: version, now) {
            let process = token.key.owner
            if doubtful[token.serial]?.isCounted == false {
                guard accounts[process].hasRoomForDoubtful else {
                    remove(token)
                    update(now, token.key)
                    surplusCount &+= 1
                    surplus.keep(token, .unconfirmed)
                    continue
                }
                accounts.addDoubtful(process)
            }
            let decision =
                isHeldBack(token) ? .refused(.heldBack) : arbitration.review(token, refused: doubtful.refused)
            let wasRefused = doubtful[token.serial]?.isRefused == true
            doubtful.reviewed(token.serial, isRefused: decision.isRefusal)
            // The sessions that made this grant conditional may be gone, but existed when it was
            // made.
            note(decision == .granted(mustConfirm: false) ? .granted(mustConfirm: true) : decision, on: token)
            if wasRefused != decision.isRefusal { update(now, token.key) }
        }
    }

    /// Evaluates what changes by time alone.
    mutating func passed(_ now: MonotonicTime) {
        review(now)
        refill(now)
        noteLapses(now)
    }

    /// Updates the stack after a token of one session was added, changed or removed.
    private mutating func update(_ now: MonotonicTime, _ key: SessionKey) {
        let wasDucking = !arbitration.active.duckers.isEmpty
        if let standing = arbitration[key], standing.isSpent { sessions[key]?.spend(standing.serial) }
        let newest = sessions[key]?.newestValid
        if newest != nil { departures.remove(key) }
        arbitration.replace(key, with: newest?.token, isSpent: newest?.isSpent ?? false, now)
        arbitration.spendBlocked()
        if arbitration.isAnyNewlyUnblocked, unblockings.last != now { unblockings.append(now) }
        changed(key)
        changed(arbitration.turnedOvertakers)
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
