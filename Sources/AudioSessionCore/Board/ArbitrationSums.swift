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

/// What the active sessions of a stack do to all others, so that nobody has to look at each of them for each.
package struct Activity: Sendable, Hashable {
    private(set) var all = Groups()
    /// Of those who do not mix.
    private(set) var primary = Groups()
    /// Positions of those who duck, oldest first.
    private(set) var duckers: [Int] = []

    package init() {}

    /// Whether more groups make no difference any more to whoever is mixed.
    var isFull: Bool { all.isFull }

    /// - Parameter seat: active, and newer than all before.
    mutating func add(_ seat: Seat, at position: Int) {
        all.add(seat.group)
        if !seat.kind.contains(.mixable) { primary.add(seat.group) }
        if seat.kind.contains(.lowersOthers) { duckers.append(position) }
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
