/// A session that has a place in the stack.
package struct StackEntry: Sendable, Hashable {
    package let token: Token
    package let rank: Rank
    /// Whether the session was interrupted under this token, so that it cannot become active again
    /// under it.
    package internal(set) var wasInterrupted: Bool
    package internal(set) var isBlocked = false

    init(_ token: Token, rank: Rank, wasInterrupted: Bool) {
        self.token = token
        self.rank = rank
        self.wasInterrupted = wasInterrupted || token.contents.state == .waiting
    }

    package var key: SessionKey { token.key }
    package var group: TokenGroup { token.group }
    package var serial: UInt64 { token.serial }
    package var traits: TokenTraits { token.traits }
    /// Whether the session is active by a token that was re-made in the place of another.
    package var isRemade: Bool { token.contents.state == .standing && token.contents.place != nil }
    package var isAdvised: Bool { token.contents.state == .advised }
    package var isActive: Bool { token.contents.state == .standing && !isBlocked && !wasInterrupted }

    /// Whether this session blocks an older one.
    func interrupts(_ older: Self) -> Bool { group != older.group && traits.interrupts(older.traits) }

    /// Whether this session, unless it is blocked, blocks a newer one. It does if it would have
    /// refused the newer one, but was put back in its place only after the newer one arrived.
    func overtakes(_ newer: Self) -> Bool {
        isRemade && token.arrival > newer.token.arrival && group != newer.group && traits.forbids(newer.traits)
    }

    /// Whether this session ducks the other one while both are active.
    func ducks(_ other: Self) -> Bool {
        traits.ducksOthers && group != other.group && traits.ducks(other.traits)
    }
}

/// The rank of a session in the stack: restored sessions first, run by run, and each run in the
/// order of its places.
package struct Rank: Sendable, Hashable {
    /// The earlier run of the daemon that gave the place; `nil` for the present one.
    /// ``RestartCounters`` has their order.
    let run: UInt32?
    /// The serial of the token that won the place.
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

    /// Whether this rank precedes another one of the same run.
    func precedes(_ other: Self) -> Bool { (place, serial) < (other.place, other.serial) }
}
