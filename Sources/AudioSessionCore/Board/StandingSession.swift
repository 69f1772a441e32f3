/// A session that has a place in the stack.
package struct StandingSession: Sendable, Hashable {
    package let token: Token
    package let rank: Rank
    /// It was interrupted under this token, and so will not be active under it again.
    package internal(set) var isSpent: Bool
    package internal(set) var isBlocked = false

    init(_ token: Token, rank: Rank, isSpent: Bool) {
        self.token = token
        self.rank = rank
        self.isSpent = isSpent || token.contents.state == .waiting
    }

    package var key: SessionKey { token.key }
    package var group: TokenGroup { token.group }
    package var serial: UInt64 { token.serial }
    package var traits: TokenTraits { token.traits }
    /// Active by a token that was made anew in the place of another.
    package var isRemade: Bool { token.contents.state == .standing && token.contents.place != nil }
    package var isAdvised: Bool { token.contents.state == .advised }
    package var isActive: Bool { token.contents.state == .standing && !isBlocked && !isSpent }

    /// Active or with a claim. That it is spent does not count: those who came late cannot know.
    package var forbidsNewcomers: Bool { token.contents.state != .waiting && !isBlocked }
}

/// Where a session is in the stack: restored ones first, each run of the daemon's in the order of their serials.
package struct Rank: Sendable, Hashable, Comparable {
    package let isRestored: Bool
    private let epoch: UInt32
    private let cookie: UInt32
    /// The serial that its place was given for.
    package let place: UInt64
    private let serial: UInt64

    init(_ token: Token, cookie: UInt32, epochs: [UInt32: UInt32]) {
        serial = token.serial
        let old = token.contents.place
        if let old, old.cookie != cookie {
            isRestored = true
            epoch = epochs[old.cookie] ?? old.epoch
            self.cookie = old.cookie
            place = old.serial
        } else {
            isRestored = false
            epoch = 0
            self.cookie = 0
            // A place is never newer than its token.
            place = min(old?.serial ?? token.serial, token.serial)
        }
    }

    package static func < (left: Self, right: Self) -> Bool {
        if left.isRestored != right.isRestored { return left.isRestored }
        return (left.epoch, left.cookie, left.place, left.serial)
            < (right.epoch, right.cookie, right.place, right.serial)
    }
}

extension Arbitration {
    /// The epoch of each run of the daemon: the highest that anybody claims, as those who came late know of fewer.
    static func epochs(of tokens: some Sequence<Token>) -> [UInt32: UInt32] {
        var epochs: [UInt32: UInt32] = [:]
        for token in tokens {
            guard let place = token.contents.place else { continue }
            epochs[place.cookie] = max(epochs[place.cookie] ?? 0, place.epoch)
        }
        return epochs
    }
}
