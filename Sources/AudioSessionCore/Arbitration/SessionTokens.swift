/// The live tokens of one session, with the decision about each.
struct SessionTokens: Sendable {
    /// The tokens, the oldest first.
    private var all: [Entry] = []

    struct Entry: Sendable {
        let token: Token
        /// The decision. A conditional grant stays conditional until the owner confirms it.
        var decision = TokenDecision.granted(mustConfirm: false)
        /// Whether this is the release of an activation that a newer one followed. If the program
        /// is killed within a second, it may outlive the newer token, and must not count as its
        /// release. The session does not return to a token before it either.
        var isOutdated = false
        /// Whether the session was blocked under this token, so that it cannot become active again
        /// under it.
        var wasInterrupted = false
    }

    var isEmpty: Bool { all.isEmpty }
    var count: Int { all.count }
    /// The token of a session that has no other.
    var only: Entry? { all.count == 1 ? all[0] : nil }
    /// The newest token that was not refused, which determines the session's state; `nil` if that
    /// is an outdated release.
    var newestValid: Entry? {
        guard let newest = all.last(where: { !$0.decision.isRefusal }), !newest.isOutdated else { return nil }
        return newest
    }
    /// The arrival of the token that arrived last; 0 without tokens.
    var latestArrival: UInt64 { all.lazy.map(\.token.arrival).max() ?? 0 }

    subscript(serial: UInt64) -> Entry? { position(of: serial).map { all[$0] } }

    func newest(where isWanted: (Token) -> Bool) -> Entry? { all.last { isWanted($0.token) } }

    /// The token by which the session stood when another one arrived; `nil` if it did not stand.
    func standing(before arrival: UInt64) -> Token? {
        let newest = all.last { !$0.decision.isRefusal && $0.token.arrival < arrival }
        guard let token = newest?.token, !token.contents.state.isReleased else { return nil }
        return token
    }

    mutating func insert(_ token: Token) {
        let position = firstPosition(from: token.serial)
        all.insert(Entry(token: token), at: position)
    }

    mutating func remove(_ serial: UInt64) {
        if let position = position(of: serial) { all.remove(at: position) }
    }

    /// Sets the decision about a token, which may outdate releases.
    mutating func note(_ decision: TokenDecision, on serial: UInt64) {
        if let position = position(of: serial) { all[position].decision = decision }
        markOutdatedReleases()
    }

    mutating func markInterrupted(_ serial: UInt64) {
        if let position = position(of: serial) { all[position].wasInterrupted = true }
    }

    /// Marks the releases that a newer activation followed, in whatever order they arrived.
    mutating func markOutdatedReleases() {
        var isFollowed = false
        for position in all.indices.reversed() {
            if !all[position].token.contents.state.isReleased {
                isFollowed = isFollowed || !all[position].decision.isRefusal
            } else if isFollowed {
                all[position].isOutdated = true
            }
        }
    }

    private func position(of serial: UInt64) -> Int? {
        let position = firstPosition(from: serial)
        return position < all.count && all[position].token.serial == serial ? position : nil
    }

    private func firstPosition(from serial: UInt64) -> Int { all.insertionIndex(after: { $0.token.serial < serial }) }
}
