/// The highest priority among sessions, with the group of one set aside.
struct StrongestTwo {
    private var first: TokenPriority?
    private var group = GroupNumbers.none
    /// The highest of all other groups than that.
    private var second: TokenPriority?

    /// Whichever group is set aside, there is one that is at least as high.
    var surely: TokenPriority? { second }

    func priority(besides group: Int) -> TokenPriority? { self.group == group ? second : first }

    mutating func add(_ priority: TokenPriority, _ group: Int) {
        if let first, self.group != group, first >= priority {
            if second.map({ $0 < priority }) ?? true { second = priority }
            return
        }
        if self.group != group { second = first }
        first = first.map { max($0, priority) } ?? priority
        self.group = group
    }
}

/// The highest serial among tokens, with the group of one set aside. No token has the serial 0.
struct LatestTwo {
    private var first: UInt64 = 0
    private var group = GroupNumbers.none
    /// The highest of all other groups than that.
    private var second: UInt64 = 0

    func serial(besides group: Int) -> UInt64 { self.group == group ? second : first }

    mutating func add(_ serial: UInt64, _ group: Int) {
        if self.group == group {
            first = max(first, serial)
        } else if serial > first {
            (first, second, self.group) = (serial, first, group)
        } else {
            second = max(second, serial)
        }
    }
}

/// The lowest gain that sessions duck others to, with the group of one set aside.
struct DeepestTwo: Sendable, Hashable {
    private var first = TokenTraits.fullGain
    private var group = GroupNumbers.none
    /// The lowest of all other groups than that.
    private var second = TokenTraits.fullGain

    func gain(besides group: Int) -> UInt16 { self.group == group ? second : first }

    mutating func add(_ gain: UInt16, _ group: Int) {
        if self.group == group {
            first = min(first, gain)
        } else if gain < first {
            (first, second, self.group) = (gain, first, group)
        } else {
            second = min(second, gain)
        }
    }
}

/// What the active sessions of a stack do to all others, so that each need not be compared with each.
package struct Activity: Sendable, Hashable {
    private(set) var all = Groups()
    /// Of those that do not mix.
    private(set) var primary = Groups()
    /// Positions of those that duck, oldest first.
    private(set) var duckers: [Int] = []
    /// What they duck to, by their priority; empty without any.
    private var depths: [DeepestTwo] = []

    package init() {}

    /// Whether more groups make no difference any more to what is mixed.
    var isFull: Bool { all.isFull }

    /// - Parameter seat: active, and newer than all before.
    mutating func add(_ seat: Seat, at position: Int) {
        all.add(seat.group)
        if !seat.kind.contains(.mixable) { primary.add(seat.group) }
        guard seat.kind.contains(.lowersOthers) else { return }
        duckers.append(position)
        if depths.isEmpty { depths = Array(repeating: DeepestTwo(), count: TokenPriority.allCases.count) }
        depths[Int(seat.priority.rawValue)].add(seat.duckedGain, seat.group)
    }

    /// What others duck a session to that does not duck itself.
    func gain(of seat: Seat) -> UInt16 {
        depths.dropFirst(Int(seat.priority.rawValue)).lazy.map { $0.gain(besides: seat.group) }.min()
            ?? TokenTraits.fullGain
    }

    /// Whether there is any other group than one's own, which two groups are enough to tell.
    struct Groups: Sendable, Hashable {
        private var first = GroupNumbers.none
        private var second = GroupNumbers.none

        var isFull: Bool { second != GroupNumbers.none }

        func contains(besides group: Int?) -> Bool {
            second != GroupNumbers.none || (first != GroupNumbers.none && first != group)
        }

        mutating func add(_ group: Int) {
            guard second == GroupNumbers.none, first != group else { return }
            if first == GroupNumbers.none { first = group } else { second = group }
        }
    }
}
