/// The live tokens that were refused, or granted on the condition that their owners confirm them.
///
/// Their owners normally destroy or confirm them at once. Otherwise a program that starts later may
/// decide differently, because the reason for the decision may be gone. So each token is reviewed
/// once when it is a second old, and then once a second while other tokens change. Only a few are
/// reviewed at a time, and never during a change itself.
struct ProvisionalTokens: Sendable {
    /// The entries, the oldest first.
    private var all: [Entry] = []
    /// The tokens that were not reviewed yet, in order of arrival. The first one is always live.
    private var fresh = FirstInFirstOut<Fresh>()
    private var reviewedCount = 0
    /// The serial at which the current round of reviews continues; `nil` without a round.
    private var next: UInt64?
    private var lastRound = MonotonicTime(nanoseconds: 0)
    /// The version of the stack with which the last round began.
    private var reviewedVersion: UInt64 = 0

    private struct Fresh {
        let serial: UInt64
        let due: MonotonicTime
    }

    struct Entry: Sendable {
        let token: Token
        var isRefused: Bool
        /// Whether the token was reviewed or refused, so that it counts against the limit of its
        /// process.
        var isCounted: Bool
        fileprivate var isReviewed = false
    }

    enum Limits {
        /// How long a decision stays valid after its reason is gone, and the interval between two
        /// rounds.
        static let memory = Duration.seconds(1)
        /// The number of reviews in one iteration of the event loop.
        static let reviewsAtOnce = 2
    }

    var isEmpty: Bool { all.isEmpty }
    var refused: some Sequence<Token> { all.lazy.filter(\.isRefused).map(\.token) }

    subscript(serial: UInt64) -> Entry? { position(of: serial).map { all[$0] } }

    mutating func insert(_ token: Token, isRefused: Bool, _ now: MonotonicTime) {
        let isNewest = all.last.map { $0.token.serial < token.serial } ?? true
        let position = isNewest ? all.count : firstPosition(from: token.serial)
        all.insert(Entry(token: token, isRefused: isRefused, isCounted: isRefused), at: position)
        fresh.append(Fresh(serial: token.serial, due: now + Limits.memory))
    }

    mutating func remove(_ serial: UInt64) -> Entry? {
        guard let position = position(of: serial) else { return nil }
        let entry = all.remove(at: position)
        if entry.isReviewed { reviewedCount -= 1 }
        forgetGone()
        return entry
    }

    mutating func reviewed(_ serial: UInt64, isRefused: Bool) {
        guard let position = position(of: serial) else { return }
        all[position].isRefused = isRefused
        all[position].isCounted = true
        guard !all[position].isReviewed else { return }
        all[position].isReviewed = true
        reviewedCount += 1
        forgetGone()
    }

    /// Returns the time of the next review, for this version of the stack.
    func nextReview(version: UInt64, _ now: MonotonicTime) -> MonotonicTime? {
        if next != nil { return now }
        let first = fresh.first?.due
        guard version != reviewedVersion, reviewedCount > 0 else { return first }
        let round = lastRound + Limits.memory
        return first.map { min($0, round) } ?? round
    }

    /// Returns the tokens that are due for a review.
    mutating func takeDue(version: UInt64, _ now: MonotonicTime) -> [Token] {
        if let first = fresh.first, first.due <= now {
            if reviewedCount == 0 { (lastRound, reviewedVersion) = (now, version) }
            return self[first.serial].map { [$0.token] } ?? []
        }
        if next == nil {
            guard version != reviewedVersion, reviewedCount > 0, lastRound + Limits.memory <= now else { return [] }
            (next, lastRound, reviewedVersion) = (0, now, version)
        }
        guard let start = next else { return [] }
        let rest = all[firstPosition(from: start)...].lazy.filter(\.isReviewed).map(\.token)
        let turn = Array(rest.prefix(Limits.reviewsAtOnce))
        next = turn.count < Limits.reviewsAtOnce ? nil : turn.last.map { $0.serial + 1 }
        return turn
    }

    private mutating func forgetGone() {
        while let first = fresh.first, self[first.serial]?.isReviewed ?? true { fresh.removeFirst() }
    }

    private func position(of serial: UInt64) -> Int? {
        let position = firstPosition(from: serial)
        return position < all.count && all[position].token.serial == serial ? position : nil
    }

    private func firstPosition(from serial: UInt64) -> Int {
        var range = all.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if all[middle].token.serial < serial {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }
}
