/// What the active sessions of a stack mean to all others.
package struct ActiveSummary: Sendable, Hashable {
    private var all = GroupedMaximum()
    /// Of those that do not mix.
    private var primary = GroupedMaximum()
    /// Positions of those that duck, oldest first.
    private(set) var duckers: [Int] = []
    private var duckerKinds: [TraitsKind] = []
    /// By the kind of the ducker: how far it ducks others, in thousandths. Empty without duckers.
    private var depths: [GroupedMaximum] = []

    package init() {}

    /// Whether more groups make no difference any more to what is mixed.
    var isFull: Bool { all.hasTwoGroups }

    mutating func add(_ group: Int, isPrimary: Bool) {
        all.add(1, group)
        if isPrimary { primary.add(1, group) }
    }

    /// - Parameter ducker: newer than all before.
    mutating func add(ducker: StackIndex.Entry, at position: Int) {
        duckers.append(position)
        if depths.isEmpty { depths = Array(repeating: GroupedMaximum(), count: TraitsKind.count) }
        if depths[ducker.kind.index].isEmpty { duckerKinds.append(ducker.kind) }
        depths[ducker.kind.index].add(UInt64(TokenTraits.fullGain - ducker.duckedGain), ducker.group)
    }

    /// What others duck an active session to, in thousandths: the deepest wins.
    func gain(of entry: StackIndex.Entry) -> UInt16 {
        var depth: UInt64 = 0
        for kind in duckerKinds where RuleTable.ducks[kind, entry.kind] {
            depth = max(depth, depths[kind.index].value(besides: entry.group))
        }
        return TokenTraits.fullGain - UInt16(depth)
    }

    /// - Parameter group: `nil` for one without sessions in the stack.
    func others(besides group: Int?) -> OtherSessions {
        let group = group ?? GroupNumbers.none
        return OtherSessions(
            isAnyActive: all.value(besides: group) > 0, isPrimaryActive: primary.value(besides: group) > 0)
    }
}
