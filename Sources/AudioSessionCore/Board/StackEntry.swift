/// A session that has a place in the stack.
package struct StackEntry: Sendable, Hashable {
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

    /// Whether this session blocks an older one.
    func interrupts(_ older: Self) -> Bool { group != older.group && traits.interrupts(older.traits) }

    /// Whether this session, unless it is blocked, blocks a newer one: it was put back in its place after the newer one had
    /// arrived, which it would have forbidden.
    func overtakes(_ newer: Self) -> Bool {
        isRemade && serial > newer.serial && group != newer.group && traits.forbids(newer.traits)
    }

    /// Whether this session ducks the other one while both are active.
    func ducks(_ other: Self) -> Bool {
        traits.lowersOthers && group != other.group && traits.ducks(other.traits)
    }
}

/// Where a session is in the stack: restored sessions first, run by run, and each run in the order of its places.
package struct Rank: Sendable, Hashable {
    /// The daemon's earlier run that gave the place; `nil` for the present one. ``RestartCounters`` has their order.
    let run: UInt32?
    /// The serial that its place was given for.
    package let place: UInt64
    private let serial: UInt64

    init(_ token: Token, cookie: UInt32) {
        serial = token.serial
        if let old = token.contents.place, old.cookie != cookie {
            run = old.cookie
            place = old.serial
        } else {
            run = nil
            // A place is never newer than its token.
            place = min(token.contents.place?.serial ?? token.serial, token.serial)
        }
    }

    func isSamePlace(as other: Self) -> Bool { (run, place) == (other.run, other.place) }

    /// - Parameter other: of the same run.
    func precedes(_ other: Self) -> Bool { (place, serial) < (other.place, other.serial) }
}
