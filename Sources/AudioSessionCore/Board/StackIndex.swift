/// Finds which sessions of a stack block, duck and refuse others without comparing each with each.
///
/// The rules are those of ``TokenTraits``; `StackIndexTests` compare the answers with those of the rules for every pair.
/// For the largest stacks, comparing all pairs takes longer than an event may take. A change costs a few passes over the
/// entries, whatever the tokens of other programs contain.
struct StackIndex: Sendable, Hashable {
    private var all: [Entry] = []
    private var groups = GroupNumbers()
    private(set) var active = ActiveSummary()
    /// The kinds of the sessions in the stack.
    private var kinds: [TraitsKind] = []
    private var hasOvertakers = false
    /// Positions of the sessions that the last change blocked or freed.
    private(set) var turned: [Int] = []
    /// Whether the last change unblocked any session that is not active again.
    private(set) var isAnyNewlyUnblocked = false

    /// What of a session in the stack decides which sessions are heard.
    struct Entry: Sendable, Hashable {
        let serial: UInt64
        let group: Int
        let kind: TraitsKind
        let duckedGain: UInt16
        fileprivate let flags: Flags
        fileprivate var isSpent: Bool
        fileprivate var isBlocked = false
        /// As of the last ``StackIndex/summarize(_:)``.
        fileprivate var wasBlocked = false
        /// Since when it is unblocked and neither active again nor released.
        fileprivate(set) var unblockedSince: MonotonicTime?

        fileprivate struct Flags: OptionSet, Sendable, Hashable {
            let rawValue: UInt8

            static let standing = Flags(rawValue: 1)
            static let advised = Flags(rawValue: 2)
            static let mixable = Flags(rawValue: 4)
            static let player = Flags(rawValue: 8)
            static let ducker = Flags(rawValue: 16)
            /// Can block newer sessions.
            static let overtaker = Flags(rawValue: 32)
        }

        fileprivate init(_ entry: StackEntry, group: Int, unblockedSince: MonotonicTime?) {
            let traits = entry.traits
            serial = entry.serial
            self.group = group
            kind = TraitsKind(traits)
            duckedGain = traits.duckedGain ?? TokenTraits.fullGain
            var flags: Flags = []
            if entry.token.contents.state == .standing { flags.insert(.standing) }
            if entry.isAdvised { flags.insert(.advised) }
            if traits.isMixable { flags.insert(.mixable) }
            if traits.isPlayer { flags.insert(.player) }
            if traits.lowersOthers { flags.insert(.ducker) }
            if entry.isRemade, !RuleTable.forbids.affected(by: kind).isEmpty { flags.insert(.overtaker) }
            self.flags = flags
            isSpent = entry.isSpent
            self.unblockedSince = unblockedSince
        }

        fileprivate var isActive: Bool { flags.contains(.standing) && !isBlocked && !isSpent }

        /// It was interrupted or advised, and no session blocks it now.
        fileprivate var isUnblocked: Bool { flags.contains(.advised) || (isSpent && !isBlocked) }

        fileprivate var isStillBlocked: Bool { isBlocked && wasBlocked && !flags.contains(.advised) }

        /// Active as before, and mixed, without ducking others.
        fileprivate var isStillMixed: Bool {
            flags.isSuperset(of: [.standing, .mixable]) && flags.isDisjoint(with: [.advised, .ducker])
                && !(isSpent || isBlocked || wasBlocked)
        }
    }

    mutating func reserveCapacity(_ count: Int) { all.reserveCapacity(count) }

    mutating func insert(_ entry: StackEntry, at position: Int, unblockedSince: MonotonicTime?) {
        let group = groups.number(of: entry.group)
        all.insert(Entry(entry, group: group, unblockedSince: unblockedSince), at: position)
    }

    mutating func remove(_ entry: StackEntry, at position: Int) {
        groups.forget(entry.group)
        all.remove(at: position)
    }

    mutating func spend(_ position: Int) { all[position].isSpent = true }

    /// Puts the entries of these positions one after the other; the rest stays behind them.
    mutating func reorder(_ ranges: [Range<Int>]) { all.reorder(ranges) }

    // MARK: What follows from the stack

    /// Finds what the stack means, after sessions were inserted, removed or reordered.
    mutating func update(_ now: MonotonicTime) {
        block()
        if hasOvertakers { blockOvertaken() }
        summarize(now)
    }

    private mutating func block() {
        var newer = Interrupters()
        hasOvertakers = false
        for position in all.indices.reversed() {
            let isBlocked = newer.add(all[position].kind, all[position].group)
            if isBlocked != all[position].isBlocked { all[position].isBlocked = isBlocked }
            if all[position].flags.contains(.overtaker) { hasOvertakers = true }
        }
        kinds = newer.kinds
    }

    /// Blocks newer sessions by older ones that were put back in front of them after they had arrived. An older session
    /// that is blocked does not block, so the pass begins with the oldest.
    private mutating func blockOvertaken() {
        let forbids = RuleTable.forbids
        var latest = Array(repeating: GroupedMaximum(), count: TraitsKind.count)
        var kinds: [TraitsKind] = []
        for position in all.indices where !all[position].isBlocked {
            let entry = all[position]
            let isOvertaken = kinds.contains {
                forbids[$0, entry.kind] && latest[$0.index].value(besides: entry.group) > entry.serial
            }
            if isOvertaken {
                all[position].isBlocked = true
            } else if entry.flags.contains(.overtaker) {
                if latest[entry.kind.index].isEmpty { kinds.append(entry.kind) }
                latest[entry.kind.index].add(entry.serial, entry.group)
            }
        }
    }

    private mutating func summarize(_ now: MonotonicTime) {
        var active = ActiveSummary()
        turned.removeAll(keepingCapacity: true)
        isAnyNewlyUnblocked = false
        for position in all.indices {
            // Most are what they were: interrupted, or active, where the first two groups decide for all.
            if all[position].isStillBlocked || (active.isFull && all[position].isStillMixed) { continue }
            let entry = all[position]
            if entry.isBlocked != entry.wasBlocked {
                all[position].wasBlocked = entry.isBlocked
                turned.append(position)
            }
            if entry.isUnblocked != (entry.unblockedSince != nil) {
                all[position].unblockedSince = entry.isUnblocked ? now : nil
                if entry.isUnblocked { isAnyNewlyUnblocked = true }
            }
            guard entry.isActive else { continue }
            active.add(entry.group, isPrimary: !entry.flags.contains(.mixable))
            if entry.flags.contains(.ducker) { active.add(ducker: entry, at: position) }
        }
        self.active = active
    }

    // MARK: Questions

    /// Whether the session can block newer ones.
    func isOvertaker(_ position: Int) -> Bool { all[position].flags.contains(.overtaker) }

    func unblockedSince(_ position: Int) -> MonotonicTime? { all[position].unblockedSince }

    func positions(unblockedSince range: ClosedRange<MonotonicTime>) -> some Sequence<Int> {
        all.indices.lazy.filter { all[$0].unblockedSince.map(range.contains) ?? false }
    }

    /// What others duck a session to, in thousandths.
    func gain(_ position: Int) -> UInt16 { active.gain(of: all[position]) }

    /// What sounds beside the sessions of a group.
    func others(besides group: TokenGroup) -> OtherSessions { active.others(besides: groups[group]) }

    /// Whether the session is a player of another group, by a token from before a serial.
    func isPlayer(_ position: Int, besides group: TokenGroup, before serial: UInt64) -> Bool {
        let entry = all[position]
        return entry.flags.contains(.player) && entry.serial < serial && entry.group != groups[group]
    }

    /// Whether other sessions keep a newcomer from having its place.
    ///
    /// - Parameters:
    ///   - position: the one that its session has already.
    ///   - serial: Only sessions whose tokens are older count, in the state that they alone would be in; `nil` for all, as
    ///     they are.
    /// - Returns: the newest session that refuses the newcomer, and whether there are any that would if they were not blocked.
    func opposition(
        to newcomer: Token, at position: Int?, before serial: UInt64?
    ) -> (refusing: Int?, isAny: Bool) {
        let (forbids, kind, group) = (RuleTable.forbids, TraitsKind(newcomer.traits), groups[newcomer.group])
        guard kinds.contains(where: { forbids[$0, kind] }) else { return (nil, false) }
        var newer = Interrupters()
        var isAny = false
        for other in all.indices.reversed() {
            let entry = all[other]
            if let serial, entry.serial >= serial { continue }
            let isBlocked = serial == nil ? entry.isBlocked : newer.add(entry.kind, entry.group)
            guard forbids[entry.kind, kind], entry.group != group, other != position else { continue }
            isAny = true
            // Whether it was interrupted before does not count, because programs that start later cannot know that.
            if !isBlocked, !entry.flags.isDisjoint(with: [.standing, .advised]) { return (other, true) }
        }
        return (nil, isAny)
    }
}

/// Sessions, and which older ones they interrupt.
private struct Interrupters {
    private(set) var kinds: [TraitsKind] = []
    /// By kind: the groups of its sessions.
    private var groups = Array(repeating: GroupedMaximum(), count: TraitsKind.count)
    /// By kind: the groups of the sessions that interrupt one of it.
    private var interrupters = Array(repeating: GroupedMaximum(), count: TraitsKind.count)
    /// By kind: whether its sessions are interrupted, once their groups make no difference to that nor to others.
    private var settled: [Bool?] = Array(repeating: nil, count: TraitsKind.count)

    /// Adds a session that is older than all before.
    ///
    /// - Returns: whether one of those interrupts it.
    mutating func add(_ kind: TraitsKind, _ group: Int) -> Bool { settled[kind.index] ?? addUnsettled(kind, group) }

    private mutating func addUnsettled(_ kind: TraitsKind, _ group: Int) -> Bool {
        if groups[kind.index].isEmpty { kinds.append(kind) }
        // Two groups of a kind interrupt all that any others of it would.
        if groups[kind.index].isRaised(by: 1, group) {
            groups[kind.index].add(1, group)
            for older in RuleTable.interrupts.affected(by: kind) {
                interrupters[older.index].add(1, group)
                settle(older)
            }
            settle(kind)
        }
        return interrupters[kind.index].value(besides: group) > 0
    }

    private mutating func settle(_ kind: TraitsKind) {
        let interrupters = interrupters[kind.index]
        let isSettled = groups[kind.index].hasTwoGroups && (interrupters.isEmpty || interrupters.hasTwoGroups)
        settled[kind.index] = isSettled ? interrupters.hasTwoGroups : nil
    }
}

extension Array {
    /// Puts the elements of these ranges one after the other; the rest stays behind them.
    mutating func reorder(_ ranges: [Range<Int>]) {
        var result: [Element] = []
        result.reserveCapacity(count)
        for range in ranges { result += self[range] }
        result += self[result.count...]
        self = result
    }
}
