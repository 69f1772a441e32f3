/// The highest priority among sessions, with the group of one set aside.
struct StrongestTwo {
    private var first: (priority: TokenPriority, group: Int)?
    /// The highest of all other groups than the first's.
    private var second: (priority: TokenPriority, group: Int)?

    func priority(besides group: Int) -> TokenPriority? {
        guard let first else { return nil }
        return first.group == group ? second?.priority : first.priority
    }

    mutating func add(_ priority: TokenPriority, _ group: Int) {
        guard let strongest = first else { return first = (priority, group) }
        if strongest.group == group {
            if priority > strongest.priority { first = (priority, group) }
        } else if priority > strongest.priority {
            second = strongest
            first = (priority, group)
        } else if second.map({ $0.priority < priority }) ?? true {
            second = (priority, group)
        }
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

    /// - Parameter seat: active, and newer than all before.
    mutating func add(_ seat: Seat, at position: Int) {
        all.add(seat.group)
        if !seat.kind.contains(.mixable) { primary.add(seat.group) }
        if seat.kind.contains(.lowersOthers) { duckers.append(position) }
    }

    /// Whether there is any other group than one's own, which two groups are enough to tell.
    struct Groups: Sendable, Hashable {
        private var first: Int?
        private var second: Int?

        func contains(besides group: Int?) -> Bool { second != nil || (first != nil && first != group) }

        mutating func add(_ group: Int) {
            guard second == nil, first != group else { return }
            if first == nil { first = group } else { second = group }
        }
    }
}
