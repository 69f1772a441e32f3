/// The live tokens of one session, and what was decided about each.
struct SessionTokens: Sendable {
    /// The oldest first.
    private var all: [Entry] = []

    struct Entry: Sendable {
        let token: Token
        /// After it was granted on condition, it stays so until its owner confirms it.
        var verdict = Verdict.granted(mustConfirm: false)
        /// The release of an activation that a newer one followed. It may outlive that one, if its program is killed within
        /// a second, and must not be taken for its release then.
        var isOutdated = false
        /// It was seen blocked, and does not come to life again by itself.
        var isSpent = false

        /// Whether it says something about its session.
        var isValid: Bool { !verdict.isRefusal && !isOutdated }
    }

    var isEmpty: Bool { all.isEmpty }
    var count: Int { all.count }
    /// The one that counts.
    var newestValid: Entry? { all.last(where: \.isValid) }

    subscript(serial: UInt64) -> Entry? { position(of: serial).map { all[$0] } }

    func newest(where isWanted: (Token) -> Bool) -> Entry? { all.last { isWanted($0.token) } }

    mutating func insert(_ token: Token) {
        let position = firstPosition(from: token.serial)
        all.insert(Entry(token: token), at: position)
    }

    mutating func remove(_ serial: UInt64) {
        if let position = position(of: serial) { all.remove(at: position) }
    }

    mutating func note(_ verdict: Verdict, on serial: UInt64) {
        if let position = position(of: serial) { all[position].verdict = verdict }
    }

    mutating func spend(_ serial: UInt64) {
        if let position = position(of: serial) { all[position].isSpent = true }
    }

    /// Marks releases that a newer activation followed, in whatever order they arrived.
    mutating func outdateReleases() {
        var isFollowed = false
        for position in all.indices.reversed() {
            if !all[position].token.contents.state.isReleased {
                isFollowed = isFollowed || !all[position].verdict.isRefusal
            } else if isFollowed {
                all[position].isOutdated = true
            }
        }
    }

    private func position(of serial: UInt64) -> Int? {
        let position = firstPosition(from: serial)
        return position < all.count && all[position].token.serial == serial ? position : nil
    }

    private func firstPosition(from serial: UInt64) -> Int {
        if let last = all.last, last.token.serial < serial { return all.count }
        return all.firstIndex { $0.token.serial >= serial } ?? all.count
    }
}
