/// The highest priority among sessions, with the group of one set aside.
struct StrongestTwo {
    private var first: (priority: TokenPriority, group: TokenGroup)?
    /// The highest of all other groups than the first's.
    private var second: (priority: TokenPriority, group: TokenGroup)?

    func priority(besides group: TokenGroup) -> TokenPriority? {
        guard let first else { return nil }
        return first.group == group ? second?.priority : first.priority
    }

    mutating func add(_ priority: TokenPriority, _ group: TokenGroup) {
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

    init(of stack: [StandingSession]) {
        for position in stack.indices where stack[position].isActive {
            all.add(stack[position].group)
            if !stack[position].traits.isMixable { primary.add(stack[position].group) }
            if stack[position].traits.lowersOthers { duckers.append(position) }
        }
    }

    /// Whether there is any other group than one's own, which two groups are enough to tell.
    struct Groups: Sendable, Hashable {
        private var first: TokenGroup?
        private var second: TokenGroup?

        func contains(besides group: TokenGroup) -> Bool { second != nil || (first != nil && first != group) }

        mutating func add(_ group: TokenGroup) {
            guard second == nil, first != group else { return }
            if first == nil { first = group } else { second = group }
        }
    }
}
