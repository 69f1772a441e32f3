/// A summary of the active sessions in a stack, as far as it concerns all other sessions.
package struct ActiveSummary: Sendable, Hashable {
    private var all = GroupedMaximum()
    /// The groups of the active sessions that do not mix.
    private var primary = GroupedMaximum()
    /// The positions of the active sessions that duck others, oldest first.
    private(set) var duckers: [Int] = []
    private var duckerKinds: [TraitsKind] = []
    /// The depth of ducking in thousandths, by the kind of the ducker; empty without duckers.
    private var depths: [GroupedMaximum] = []

    package init() {}

    /// Whether further groups of mixing sessions would change nothing.
    var isFull: Bool { all.hasTwoGroups }

    mutating func add(_ group: Int, isPrimary: Bool) {
        all.add(1, group)
        if isPrimary { primary.add(1, group) }
    }

    /// Adds a session that ducks others and is newer than all added before.
    mutating func add(ducker: StackIndex.Entry, at position: Int) {
        duckers.append(position)
        if depths.isEmpty { depths = Array(repeating: GroupedMaximum(), count: TraitsKind.count) }
        if depths[ducker.kind.index].isEmpty { duckerKinds.append(ducker.kind) }
        depths[ducker.kind.index].add(UInt64(TokenTraits.fullGain - ducker.duckedGain), ducker.group)
    }

    /// Returns the gain to which others duck an active session, in thousandths. The deepest ducking
    /// wins.
    func gain(of entry: StackIndex.Entry) -> UInt16 {
        var depth: UInt64 = 0
        for kind in duckerKinds where RuleTable.ducks[kind, entry.kind] {
            depth = max(depth, depths[kind.index].value(besides: entry.group))
        }
        return TokenTraits.fullGain - UInt16(depth)
    }

    /// Returns the active sessions of all groups but one; `nil` is a group without sessions in the
    /// stack.
    func others(besides group: Int?) -> OtherSessions {
        let group = group ?? GroupNumbers.none
        return OtherSessions(
            isAnyActive: all.value(besides: group) > 0, isPrimaryActive: primary.value(besides: group) > 0)
    }
}
