/// The live tokens whose decision a program that starts later may not share, because the reason for
/// it may be gone: those that were refused, or granted on condition.
///
/// Their owners normally destroy or confirm them at once. Otherwise each token is reviewed when it
/// is a second old, and then in rounds while other tokens change. A review decides as a program
/// that starts then. It depends on tokens that arrived earlier and on the existence of later ones,
/// but not on the decisions about those. So the reviews end, with one result in all programs.
///
/// Only one token is reviewed at a time, and never during a change itself.
struct ProvisionalTokens: Sendable {
    /// The entries in the order of their arrival.
    private var all: [Entry] = []
    /// The tokens that were not reviewed yet, in the order of their reviews. The first one is
    /// always live.
    private var fresh = FirstInFirstOut<Fresh>()
    private var reviewedCount = 0
    /// The arrival at which the current round of reviews continues; `nil` without a round.
    private var next: UInt64?
    private var lastRound = MonotonicTime(nanoseconds: 0)
    /// The version of the tokens with which the last round began.
    private var reviewedVersion: UInt64 = 0

    private struct Fresh {
        let arrival: UInt64
        let due: MonotonicTime
    }

    private struct Entry: Sendable {
        let token: Token
        var isReviewed = false
    }

    enum Limits {
        /// How long a decision stays valid after its reason is gone, and the interval between two
        /// rounds.
        static let memory = Duration.seconds(1)
        /// The number of tokens for which the interval between two rounds becomes longer by its
        /// first length, so that the number of reviews in a second is limited.
        static let reviewsOfRound = 64
    }

    var isEmpty: Bool { all.isEmpty }

    mutating func insert(_ token: Token, _ now: MonotonicTime) {
        all.insert(Entry(token: token), at: firstPosition(from: token.arrival))
        fresh.append(Fresh(arrival: token.arrival, due: now + Limits.memory))
    }

    mutating func remove(_ token: Token) {
        guard let position = position(of: token.arrival) else { return }
        if all.remove(at: position).isReviewed { reviewedCount -= 1 }
        forgetGone()
    }

    mutating func reviewed(_ token: Token) {
        guard let position = position(of: token.arrival), !all[position].isReviewed else { return }
        all[position].isReviewed = true
        reviewedCount += 1
        forgetGone()
    }

    private var interval: Duration { Limits.memory * (1 + reviewedCount / Limits.reviewsOfRound) }

    /// Returns the time of the next review, for this version of the tokens.
    func nextReview(version: UInt64, _ now: MonotonicTime) -> MonotonicTime? {
        if next != nil { return now }
        let first = fresh.first?.due
        guard version != reviewedVersion, reviewedCount > 0 else { return first }
        let round = lastRound + interval
        return first.map { min($0, round) } ?? round
    }

    /// Returns the token that is due for a review.
    mutating func takeDue(version: UInt64, _ now: MonotonicTime) -> Token? {
        if let first = fresh.first, first.due <= now {
            if reviewedCount == 0 { (lastRound, reviewedVersion) = (now, version) }
            return position(of: first.arrival).map { all[$0].token }
        }
        if next == nil {
            guard version != reviewedVersion, reviewedCount > 0, lastRound + interval <= now else { return nil }
            (next, lastRound, reviewedVersion) = (0, now, version)
        }
        guard let start = next else { return nil }
        let rest = all[firstPosition(from: start)...].lazy.filter(\.isReviewed).map(\.token)
        let due = Array(rest.prefix(2))
        next = due.count > 1 ? due[1].arrival : nil
        return due.first
    }

    private mutating func forgetGone() {
        while let first = fresh.first, position(of: first.arrival).map({ all[$0].isReviewed }) ?? true {
            fresh.removeFirst()
        }
    }

    private func position(of arrival: UInt64) -> Int? {
        let position = firstPosition(from: arrival)
        return position < all.count && all[position].token.arrival == arrival ? position : nil
    }

    private func firstPosition(from arrival: UInt64) -> Int {
        all.insertionIndex(after: { $0.token.arrival < arrival })
    }
}
