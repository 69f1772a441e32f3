/// The live tokens of one connection, and what was decided when each of them came.
struct BoardTokens: Sendable {
    private(set) var arbitration: Arbitration
    /// Tokens that could not be read, or were more than anybody needs.
    private(set) var malformedCount: UInt64 = 0
    private(set) var surplusCount: UInt64 = 0
    /// How often the stack has changed.
    private(set) var version: UInt64 = 0
    /// The one session that the last change was about, and could have made a difference to others by.
    private var changed: SessionKey?
    /// Whether anybody ducks, or did before the last change.
    private var isDucking = false
    /// The last to have become a player.
    private(set) var player: (group: TokenGroup, since: UInt64)?
    let cookie: UInt32

    private var live: [ObjectID: Token] = [:]
    private var bySession: [SessionKey: [Token]] = [:]
    private var refused: [UInt64: Refused] = [:]
    private var unconfirmed: Set<UInt64> = []
    /// When those came that were refused or have to be confirmed.
    private var doubtful: [UInt64: MonotonicTime] = [:]
    private var spent: Set<UInt64> = []
    /// Releases of activations that a newer one followed. They outlive it if its program is killed within a second, and
    /// must not be taken for its release then.
    private var outdated: Set<UInt64> = []
    private var counts = TokenCounts()
    /// How many of them make each epoch the first after theirs.
    private var epochs: [UInt32: Int] = [:]
    private var surplus = SurplusTokens()
    private var unblocked: [SessionKey: Unblocked] = [:]

    private struct Refused {
        let token: Token
        let refusal: Verdict.Refusal
    }

    private struct Unblocked {
        let place: UInt64
        let since: MonotonicTime
    }

    enum Limits {
        static let tokens = 4096
        /// As many connections as it has.
        static let tokensOfOneProcess = 1024
        /// Surplus tokens are not let in one by one, for each of which all of them would be looked through.
        static func isRoomAgain(_ count: Int, of limit: Int) -> Bool { count == limit / 4 * 3 }
        /// How long what was decided at a token's coming is held to, should the reason for it go first. Its owner
        /// destroys or confirms it at once. If not, all who saw it come have to agree with those who did not.
        static let memory = Duration.seconds(1)
        /// How many such owners get a second look; more are up to no good.
        static let doubtful = 32
        /// How long the owner of a place has to say what becomes of it.
        static let answer = Duration.seconds(5)
    }

    /// - Parameter old: those of the connection before.
    init(cookie: UInt32, after old: BoardTokens? = nil) {
        self.cookie = cookie
        player = old?.player.map { ($0.group, 0) }
        version = old.map { $0.version + 1 } ?? 0
        arbitration = Arbitration(granted: EmptyCollection(), cookie: cookie)
    }

    mutating func appeared(_ identity: TokenIdentity, _ properties: Properties, _ now: MonotonicTime) -> Bool {
        let isReplaced = vanished(identity.object, now) != nil
        switch TokenContents.read(properties) {
        case .noToken: return isReplaced
        case .malformed:
            malformedCount &+= 1
            return isReplaced
        case .token(let contents):
            let token = Token(identity, contents)
            guard live.count < Limits.tokens, counts[token.key.owner] < Limits.tokensOfOneProcess else {
                surplusCount &+= 1
                surplus.keep(token)
                return isReplaced
            }
            admit(token, now)
            return true
        }
    }

    private mutating func admit(_ token: Token, _ now: MonotonicTime) {
        counts.add(token.key.owner)
        if let epoch = epoch(after: token) { epochs[epoch, default: 0] += 1 }
        live[token.identity.object] = token
        bySession[token.key, default: []].append(token)
        judge(token, now)
        update(now, token)
    }

    mutating func vanished(_ object: ObjectID, _ now: MonotonicTime) -> Token? {
        guard let token = live.removeValue(forKey: object) else {
            _ = surplus.remove(object)
            return nil
        }
        counts.remove(token.key.owner)
        if let epoch = epoch(after: token) {
            epochs[epoch, default: 0] -= 1
            if epochs[epoch] == 0 { epochs[epoch] = nil }
        }
        let rest = bySession[token.key, default: []].filter { $0.identity.object != object }
        bySession[token.key] = rest.isEmpty ? nil : rest
        refused[token.serial] = nil
        unconfirmed.remove(token.serial)
        doubtful[token.serial] = nil
        spent.remove(token.serial)
        outdated.remove(token.serial)
        update(now, token)
        admitSurplus(after: token.key.owner, now)
        return token
    }

    /// - Parameter process: who has a token less.
    private mutating func admitSurplus(after process: TokenOwner.Process, _ now: MonotonicTime) {
        let isRoomForAll = Limits.isRoomAgain(live.count, of: Limits.tokens)
        guard isRoomForAll || Limits.isRoomAgain(counts[process], of: Limits.tokensOfOneProcess) else { return }
        let room = Limits.tokens - live.count
        for token in surplus.take(of: isRoomForAll ? nil : process, room: room, used: counts) { admit(token, now) }
    }

    /// What has changed since the stack had an earlier version.
    func change(since version: UInt64) -> Change {
        if version == self.version { return .nothing }
        guard version + 1 == self.version, let changed else { return .everything }
        return .session(changed)
    }

    /// Whether one session of another process came, changed or went, and that made no difference to anybody who is active,
    /// but for what there is to be known of others (``Arbitration/others(besides:)``).
    func isQuiet(since version: UInt64, for process: TokenOwner.Process) -> Bool {
        guard case .session(let other) = change(since: version), other.owner != process else { return false }
        return !isDucking && !arbitration.turned.contains { $0.key.owner == process }
    }

    enum Change {
        case nothing, everything
        case session(SessionKey)
    }

    /// Whether nothing is kept of any token.
    var isEmpty: Bool {
        live.isEmpty && bySession.isEmpty && surplus.count == 0 && refused.isEmpty && unconfirmed.isEmpty
            && doubtful.isEmpty && spent.isEmpty && outdated.isEmpty && unblocked.isEmpty && epochs.isEmpty
    }

    /// The token of a client by its name, and what was decided when it came.
    func verdict(on name: TokenName, of owner: TokenOwner) -> (token: Token, verdict: Verdict)? {
        let all = bySession[SessionKey(owner: owner.process, session: name.session), default: []]
        let found = all.filter { $0.contents.name == name && $0.identity.owner.client == owner.client }
        guard let token = found.max(by: { $0.serial < $1.serial }) else { return nil }
        let verdict = refused[token.serial].map { Verdict.refused($0.refusal) }
        return (token, verdict ?? .granted(mustConfirm: unconfirmed.contains(token.serial)))
    }

    /// Whether the owner of a place, unblocked or advised long ago, does not stir. Delays are measured by this
    /// process's own clock: to be used for advice, never for who may sound.
    func hasLapsed(_ key: SessionKey, _ now: MonotonicTime) -> Bool {
        unblocked[key].map { $0.since + Limits.answer <= now } ?? false
    }

    func nextLapse(after now: MonotonicTime) -> MonotonicTime? {
        unblocked.values.map { $0.since + Limits.answer }.filter { $0 > now }.min()
    }

    func nextReview(after now: MonotonicTime) -> MonotonicTime? {
        doubtful.values.map { $0 + Limits.memory }.filter { $0 > now }.min()
    }

    /// The first epoch after all that the restored tokens come from.
    var presentEpoch: UInt32 { epochs.keys.max() ?? 0 }

    private func epoch(after token: Token) -> UInt32? {
        token.contents.place.map { $0.cookie == cookie || $0.epoch == .max ? $0.epoch : $0.epoch + 1 }
    }

    private mutating func judge(_ token: Token, _ now: MonotonicTime) {
        let verdict = arbitration.verdict(on: token, refused: refused.values.lazy.map(\.token))
        note(verdict, token)
        if verdict != .granted(mustConfirm: false) { doubtful[token.serial] = now }
        guard case .granted = verdict else { return }
        if token.isNewcomer, token.traits.isPlayer { player = (token.group, token.serial) }
        outdateReleases(of: token.key)
    }

    /// In whatever order they arrived: surplus tokens are admitted late.
    private mutating func outdateReleases(of key: SessionKey) {
        let all = bySession[key, default: []]
        let newest = all.filter { !$0.contents.state.isReleased && refused[$0.serial] == nil }.map(\.serial).max()
        guard let newest else { return }
        for token in all where token.contents.state.isReleased && token.serial < newest {
            outdated.insert(token.serial)
        }
    }

    private mutating func note(_ verdict: Verdict, _ token: Token) {
        refused[token.serial] = nil
        unconfirmed.remove(token.serial)
        switch verdict {
        case .refused(let refusal): refused[token.serial] = Refused(token: token, refusal: refusal)
        case .granted(true): unconfirmed.insert(token.serial)
        case .granted: break
        }
    }

    /// Decides anew about those who neither went nor were confirmed, as somebody would who sees them for the first time.
    /// - Returns: whether there was anything to decide.
    private mutating func review(_ now: MonotonicTime) -> Bool {
        guard doubtful.values.contains(where: { $0 + Limits.memory <= now }) else { return false }
        let due = live.values.filter { token in doubtful[token.serial].map { $0 + Limits.memory <= now } ?? false }
        for token in due.sorted(by: { $0.serial < $1.serial }).prefix(Limits.doubtful) {
            let older = live.values.filter { $0.serial < token.serial }
            let granted = older.filter { refused[$0.serial] == nil }
            let verdict = Arbitration(granted: granted, cookie: cookie).verdict(
                on: token, refused: older.filter { refused[$0.serial] != nil })
            // What it stood over may have gone, but was there.
            note(verdict == .granted(mustConfirm: false) ? .granted(mustConfirm: true) : verdict, token)
            outdateReleases(of: token.key)
        }
        return true
    }

    /// - Parameter changed: the token that came or went; `nil` if only time has passed.
    mutating func update(_ now: MonotonicTime, _ changed: Token? = nil) {
        let isReviewed = review(now)
        let wasAnybodyDucking = !arbitration.activity.duckers.isEmpty
        if isReviewed || changed.map(isOfThisRun) == false {
            let valid = live.values.filter(isValid)
            arbitration = Arbitration(granted: valid, cookie: cookie, spent: spent)
        } else if let changed {
            let newest = newestGranted(of: changed.key)
            let isSpent = newest.map { spent.contains($0.serial) } ?? false
            arbitration.replace(changed.key, with: newest, isSpent: isSpent)
        }
        let hadLapsed = isAnyLapsed(now)
        spent.formUnion(arbitration.spendBlocked())
        noteUnblocked(now)
        version &+= 1
        let isAlone = !isReviewed && !hadLapsed && !isAnyLapsed(now) && !arbitration.canBeOvertaken
        self.changed = isAlone ? changed?.key : nil
        isDucking = wasAnybodyDucking || !arbitration.activity.duckers.isEmpty
    }

    /// Something is to be judged by another measure from now on.
    mutating func forgetWhatWasSeen() {
        version &+= 1
        changed = nil
    }

    private func newestGranted(of key: SessionKey) -> Token? {
        bySession[key]?.lazy.filter(isValid).max { $0.serial < $1.serial }
    }

    /// Whether a token says something about its session: it was granted, and no later activation followed its release.
    private func isValid(_ token: Token) -> Bool { refused[token.serial] == nil && !outdated.contains(token.serial) }

    private func isAnyLapsed(_ now: MonotonicTime) -> Bool {
        unblocked.values.contains { $0.since + Limits.answer <= now }
    }

    /// Sessions that were restored have to be put in the order of all runs of the daemon.
    private func isOfThisRun(_ token: Token) -> Bool {
        guard arbitration[token.key]?.rank.isRestored != true else { return false }
        return isPlacedInThisRun(token) && bySession[token.key, default: []].allSatisfy(isPlacedInThisRun)
    }

    private func isPlacedInThisRun(_ token: Token) -> Bool {
        token.contents.place.map { $0.cookie == cookie } ?? true
    }

    private mutating func noteUnblocked(_ now: MonotonicTime) {
        let old = unblocked
        unblocked = [:]
        for session in arbitration.unblocked {
            let place = session.rank.place
            let known = old[session.key].flatMap { $0.place == place ? $0 : nil }
            unblocked[session.key] = known ?? Unblocked(place: place, since: now)
        }
    }
}
