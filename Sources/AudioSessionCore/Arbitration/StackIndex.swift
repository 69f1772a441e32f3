/// An index that finds which sessions of a stack block, duck and refuse others without comparing
/// all pairs.
///
/// The rules are those of ``TokenTraits``; `StackIndexTests` compare the answers with those of the
/// rules for every pair. Comparing all pairs of the largest stacks would exceed the budget of an
/// event. A change costs a few passes over the entries, whatever tokens other programs publish.
struct StackIndex: Sendable, Hashable {
    private var all: [Entry] = []
    private var groups = GroupNumbers()
    private(set) var active = ActiveSummary()
    /// The sessions of the last pass of ``block()``. Its tables are kept, because making them takes
    /// longer than a pass over most stacks.
    private var interrupters = Interrupters()
    private var hasOvertakers = false
    /// The positions of the sessions that the last change blocked or unblocked.
    private(set) var toggled: [Int] = []
    /// Whether the last change unblocked any session that is not active again.
    private(set) var isAnyNewlyUnblocked = false

    /// The part of a session that decides which sessions are heard.
    struct Entry: Sendable, Hashable {
        let arrival: UInt64
        /// The arrival of the session's token that arrived last, whether or not it counts.
        fileprivate let latestArrival: UInt64
        let group: Int
        let kind: TraitsKind
        let duckedGain: UInt16
        fileprivate let flags: Flags
        fileprivate var wasInterrupted: Bool
        fileprivate var isBlocked = false
        /// Whether the session was blocked at the last ``StackIndex/summarize(_:)``.
        fileprivate var wasBlocked = false
        /// The time since which the session is unblocked, but neither active again nor released.
        fileprivate(set) var unblockedSince: MonotonicTime?

        fileprivate struct Flags: OptionSet, Sendable, Hashable {
            let rawValue: UInt8

            static let standing = Flags(rawValue: 1)
            static let advised = Flags(rawValue: 2)
            static let mixable = Flags(rawValue: 4)
            static let player = Flags(rawValue: 8)
            static let ducker = Flags(rawValue: 16)
            /// The session can block newer ones.
            static let overtaker = Flags(rawValue: 32)
        }

        fileprivate init(_ entry: StackEntry, group: Int, latestArrival: UInt64, unblockedSince: MonotonicTime?) {
            let traits = entry.traits
            arrival = entry.token.arrival
            self.latestArrival = latestArrival
            self.group = group
            kind = TraitsKind(traits)
            duckedGain = traits.duckedGain ?? TokenTraits.fullGain
            var flags: Flags = []
            if entry.token.contents.state == .standing { flags.insert(.standing) }
            if entry.isAdvised { flags.insert(.advised) }
            if traits.isMixable { flags.insert(.mixable) }
            if traits.isPlayer { flags.insert(.player) }
            if traits.ducksOthers { flags.insert(.ducker) }
            if entry.isRemade, !RuleTable.forbids.affected(by: kind).isEmpty { flags.insert(.overtaker) }
            self.flags = flags
            wasInterrupted = entry.wasInterrupted
            self.unblockedSince = unblockedSince
        }

        fileprivate var isActive: Bool { flags.contains(.standing) && !isBlocked && !wasInterrupted }

        /// Whether the session was interrupted or advised, and no session blocks it now.
        fileprivate var isUnblocked: Bool { flags.contains(.advised) || (wasInterrupted && !isBlocked) }

        fileprivate var isStillBlocked: Bool { isBlocked && wasBlocked && !flags.contains(.advised) }

        /// Whether the session is still active and mixing, and does not duck others.
        fileprivate var isStillMixed: Bool {
            flags.isSuperset(of: [.standing, .mixable]) && flags.isDisjoint(with: [.advised, .ducker])
                && !(wasInterrupted || isBlocked || wasBlocked) && unblockedSince == nil
        }
    }

    mutating func reserveCapacity(_ count: Int) { all.reserveCapacity(count) }

    /// Inserts a session at its place.
    /// - Parameters:
    ///   - latestArrival: The arrival of the session's token that arrived last.
    ///   - unblockedSince: The time since which the session is unblocked in its place.
    mutating func insert(
        _ entry: StackEntry, at position: Int, latestArrival: UInt64, unblockedSince: MonotonicTime?
    ) {
        let group = groups.number(of: entry.group)
        all.insert(
            Entry(entry, group: group, latestArrival: latestArrival, unblockedSince: unblockedSince), at: position)
    }

    mutating func remove(_ entry: StackEntry, at position: Int) {
        groups.forget(entry.group)
        all.remove(at: position)
    }

    mutating func markInterrupted(_ position: Int) { all[position].wasInterrupted = true }

    mutating func move(_ range: Range<Int>, to position: Int) { all.move(range, to: position) }

    // MARK: Evaluation

    /// Evaluates the stack after sessions were inserted, removed or moved.
    mutating func update(_ now: MonotonicTime) {
        block()
        if hasOvertakers { blockOvertaken() }
        summarize(now)
    }

    private mutating func block() {
        interrupters.removeAll()
        hasOvertakers = false
        for position in all.indices.reversed() {
            let isBlocked = interrupters.add(all[position].kind, all[position].group)
            if isBlocked != all[position].isBlocked { all[position].isBlocked = isBlocked }
            if all[position].flags.contains(.overtaker) { hasOvertakers = true }
        }
    }

    /// Blocks newer sessions by older ones that were put back after the newer ones had arrived.
    ///
    /// An older session that is blocked does not block, so the pass begins with the oldest.
    private mutating func blockOvertaken() {
        let forbids = RuleTable.forbids
        var latest = Array(repeating: GroupedMaximum(), count: TraitsKind.count)
        var kinds: [TraitsKind] = []
        for position in all.indices where !all[position].isBlocked {
            let entry = all[position]
            let isOvertaken = kinds.contains {
                forbids[$0, entry.kind] && latest[$0.index].value(besides: entry.group) > entry.arrival
            }
            if isOvertaken {
                all[position].isBlocked = true
            } else if entry.flags.contains(.overtaker) {
                if latest[entry.kind.index].isEmpty { kinds.append(entry.kind) }
                latest[entry.kind.index].add(entry.arrival, entry.group)
            }
        }
    }

    private mutating func summarize(_ now: MonotonicTime) {
        var active = ActiveSummary()
        toggled.removeAll(keepingCapacity: true)
        isAnyNewlyUnblocked = false
        for position in all.indices {
            // Most sessions are still interrupted, or still active where the first two groups
            // decide for all.
            if all[position].isStillBlocked || (active.isFull && all[position].isStillMixed) { continue }
            let entry = all[position]
            if entry.isBlocked != entry.wasBlocked {
                all[position].wasBlocked = entry.isBlocked
                toggled.append(position)
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

    // MARK: Queries

    /// Whether the session can block newer ones.
    func isOvertaker(_ position: Int) -> Bool { all[position].flags.contains(.overtaker) }

    func unblockedSince(_ position: Int) -> MonotonicTime? { all[position].unblockedSince }

    func positions(unblockedSince range: ClosedRange<MonotonicTime>) -> some Sequence<Int> {
        all.indices.lazy.filter { all[$0].unblockedSince.map(range.contains) ?? false }
    }

    /// Returns the gain to which others duck a session, in thousandths.
    func gain(_ position: Int) -> UInt16 { active.gain(of: all[position]) }

    /// Returns the active sessions of all groups but one.
    func others(besides group: TokenGroup) -> OtherSessions { active.others(besides: groups[group]) }

    /// Whether the session is a player of another group, and all of its tokens arrived before this
    /// arrival.
    func isPlayer(_ position: Int, besides group: TokenGroup, before arrival: UInt64) -> Bool {
        let entry = all[position]
        return entry.flags.contains(.player) && entry.latestArrival < arrival && entry.group != groups[group]
    }

    /// Whether a session that stood by this token, before the session at this position, was
    /// interrupted. Only sessions all of whose tokens arrived before this arrival count.
    func wasInterrupted(_ token: Token, at position: Int, before arrival: UInt64) -> Bool {
        let (interrupts, kind, group) = (RuleTable.interrupts, TraitsKind(token.traits), groups[token.group])
        return all[position...].contains {
            $0.latestArrival < arrival && $0.group != group && interrupts[$0.kind, kind]
        }
    }

    /// Returns the opposition of other sessions to a newcomer.
    ///
    /// - Parameters:
    ///   - position: The position that the newcomer's session already has.
    ///   - arrival: Only sessions all of whose tokens arrived before count, as if there were no
    ///     others; `nil` for all sessions in their present state. A session with a later token does
    ///     not count, whatever the decision about that token, which may depend on this one.
    /// - Returns: The newest session that refuses the newcomer, and whether any would refuse it if
    ///   it were not blocked.
    func opposition(
        to newcomer: Token, at position: Int?, before arrival: UInt64?
    ) -> (refusing: Int?, isAny: Bool) {
        let (forbids, kind, group) = (RuleTable.forbids, TraitsKind(newcomer.traits), groups[newcomer.group])
        guard interrupters.kinds.contains(where: { forbids[$0, kind] }) else { return (nil, false) }
        var newer = arrival.map { _ in Interrupters() }
        var isAny = false
        for other in all.indices.reversed() {
            let entry = all[other]
            if let arrival, entry.latestArrival >= arrival { continue }
            let isBlocked = newer?.add(entry.kind, entry.group) ?? entry.isBlocked
            guard forbids[entry.kind, kind], entry.group != group, other != position else { continue }
            isAny = true
            // Earlier interruptions do not count, because programs that start later cannot know
            // them.
            if !isBlocked, !entry.flags.isDisjoint(with: [.standing, .advised]) { return (other, true) }
        }
        return (nil, isAny)
    }
}

/// The sessions of a pass, and which older sessions they interrupt.
private struct Interrupters: Sendable, Hashable {
    /// The kinds of the sessions.
    private(set) var kinds: [TraitsKind] = []
    /// The groups of the sessions, by kind.
    private var groups = Array(repeating: GroupedMaximum(), count: TraitsKind.count)
    /// The groups of the sessions that interrupt a kind, by that kind.
    private var interrupters = Array(repeating: GroupedMaximum(), count: TraitsKind.count)
    /// Whether the sessions of a kind are interrupted, by kind, once their groups make no
    /// difference any more.
    private var settled: [Bool?] = Array(repeating: nil, count: TraitsKind.count)

    mutating func removeAll() {
        for kind in kinds {
            forget(kind)
            for older in RuleTable.interrupts.affected(by: kind) where !interrupters[older.index].isEmpty {
                forget(older)
            }
        }
        kinds.removeAll(keepingCapacity: true)
    }

    private mutating func forget(_ kind: TraitsKind) {
        groups[kind.index] = GroupedMaximum()
        interrupters[kind.index] = GroupedMaximum()
        settled[kind.index] = nil
    }

    /// Adds a session that is older than all added before.
    ///
    /// - Returns: Whether one of those interrupts it.
    mutating func add(_ kind: TraitsKind, _ group: Int) -> Bool { settled[kind.index] ?? addUnsettled(kind, group) }

    private mutating func addUnsettled(_ kind: TraitsKind, _ group: Int) -> Bool {
        if groups[kind.index].isEmpty { kinds.append(kind) }
        // Two groups of a kind interrupt all that further groups of that kind would.
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
    /// Moves the elements of a range to a position among the others.
    mutating func move(_ range: Range<Int>, to position: Int) {
        let moved = Array(self[range])
        removeSubrange(range)
        insert(contentsOf: moved, at: position)
    }
}
