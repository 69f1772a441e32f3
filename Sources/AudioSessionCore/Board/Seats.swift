/// What of a session in the stack decides who sounds.
struct Seat: Sendable, Hashable {
    let group: Int
    let priority: TokenPriority
    let kind: Kind
    var isSpent: Bool
    var isBlocked = false
    /// When it was last told who turned.
    fileprivate var wasBlocked = false

    struct Kind: OptionSet, Sendable, Hashable {
        let rawValue: UInt8

        static let mixable = Kind(rawValue: 1)
        static let prompt = Kind(rawValue: 2)
        static let spoken = Kind(rawValue: 4)
        static let lowersOthers = Kind(rawValue: 8)
        static let standing = Kind(rawValue: 16)
        static let advised = Kind(rawValue: 32)
        /// Important enough to be put back in front of newer ones.
        static let overtaker = Kind(rawValue: 64)
        /// Interrupts nobody, and is interrupted only by those who interrupt whoever mixes.
        static let plain = Kind(rawValue: 128)
    }

    init(_ session: StandingSession, group: Int) {
        let traits = session.traits
        self.group = group
        priority = traits.priority
        isSpent = session.isSpent
        var kind: Kind = []
        if traits.isMixable { kind.insert(.mixable) }
        if traits.interruptsSpokenAudio { kind.insert(.prompt) }
        if traits.isSpokenAudio { kind.insert(.spoken) }
        if traits.lowersOthers { kind.insert(.lowersOthers) }
        if session.token.contents.state == .standing { kind.insert(.standing) }
        if session.isAdvised { kind.insert(.advised) }
        if session.isRemade, traits.priority > .media { kind.insert(.overtaker) }
        if kind.isDisjoint(with: [.prompt, .spoken, .overtaker]), traits.isMixable { kind.insert(.plain) }
        self.kind = kind
    }

    var isActive: Bool { kind.contains(.standing) && !isBlocked && !isSpent }

    fileprivate var isStillBlocked: Bool { isBlocked && wasBlocked && !kind.contains(.advised) }

    /// Active as before, and mixed, without doing anything to others.
    fileprivate var isStillActive: Bool {
        kind.isDisjoint(with: [.advised, .lowersOthers]) && kind.isSuperset(of: [.standing, .mixable])
            && !(isSpent || isBlocked || wasBlocked)
    }

    /// One that does nothing else to others than interrupt them.
    fileprivate func isAnyPlayer(upTo highest: TokenPriority) -> Bool {
        priority <= highest && kind.isDisjoint(with: [.mixable, .prompt, .overtaker])
    }

    /// It was interrupted or advised, and nobody blocks it now.
    var isUnblocked: Bool { kind.contains(.advised) || (isSpent && !isBlocked) }

    /// By the strongest of those who came later.
    fileprivate func isInterrupted(_ players: StrongestTwo, _ prompts: StrongestTwo) -> Bool {
        if let newer = players.priority(besides: group),
            TokenTraits.isInterrupted(priority, isMixable: kind.contains(.mixable), byPlayerOf: newer)
        {
            return true
        }
        guard kind.contains(.spoken), let prompt = prompts.priority(besides: group) else { return false }
        return prompt >= priority
    }
}

/// All seats, oldest first, and what follows from them. They are gone through from end to end at each change, in every
/// process: so they are small, and nothing is looked at twice.
struct Seats: Sendable, Hashable {
    private var all: [Seat] = []
    private(set) var activity = Activity()
    private(set) var canBeOvertaken = false
    private(set) var highestPriority: TokenPriority?
    /// Positions of those who were blocked or freed by the last change.
    private(set) var turned: [Int] = []
    private(set) var unblocked: [Int] = []

    mutating func insert(_ seat: Seat, at position: Int) { all.insert(seat, at: position) }

    mutating func remove(at position: Int) { all.remove(at: position) }

    mutating func spend(_ position: Int) { all[position].isSpent = true }

    /// To be followed by ``sumUp()``.
    mutating func block() {
        var players = StrongestTwo()
        var prompts = StrongestTwo()
        var isMixingSafe = true
        var highest = TokenPriority.media
        canBeOvertaken = false
        for position in all.indices.reversed() {
            highest = max(highest, all[position].priority)
            if isMixingSafe, all[position].kind.contains(.plain) {
                if all[position].isBlocked { all[position].isBlocked = false }
                continue
            }
            // Whoever is interrupted by two groups interrupts nobody whom they do not.
            if let surely = players.surely, all[position].isAnyPlayer(upTo: surely) {
                if !all[position].isBlocked { all[position].isBlocked = true }
                continue
            }
            let seat = all[position]
            let isBlocked = seat.isInterrupted(players, prompts)
            if isBlocked != seat.isBlocked { all[position].isBlocked = isBlocked }
            if !seat.kind.contains(.mixable) {
                players.add(seat.priority, seat.group)
                if seat.priority >= TokenTraits.leastToInterruptMixing { isMixingSafe = false }
            }
            if seat.kind.contains(.prompt) { prompts.add(seat.priority, seat.group) }
            if seat.kind.contains(.overtaker) { canBeOvertaken = true }
        }
        highestPriority = all.isEmpty ? nil : highest
    }

    /// From the highest priority down, for the blocked do not block.
    /// - Parameter overtakes: whether the first, older one, was put back in front of the second after that had come.
    mutating func blockOvertaken(_ overtakes: (Int, Int) -> Bool) {
        let overtakers = all.indices.filter { all[$0].kind.contains(.overtaker) }
        for older in overtakers.sorted(by: { all[$0].priority > all[$1].priority }) where !all[older].isBlocked {
            for newer in all.indices.dropFirst(older + 1)
            where all[newer].group != all[older].group && overtakes(older, newer) {
                all[newer].isBlocked = true
            }
        }
    }

    mutating func sumUp() {
        var activity = Activity()
        defer { self.activity = activity }
        turned.removeAll(keepingCapacity: true)
        unblocked.removeAll(keepingCapacity: true)
        for position in all.indices {
            // Most are what they were: interrupted, or active, where who they are is known after the first two.
            if all[position].isStillBlocked || (activity.isFull && all[position].isStillActive) { continue }
            let seat = all[position]
            if seat.isBlocked != seat.wasBlocked {
                all[position].wasBlocked = seat.isBlocked
                turned.append(position)
            }
            if seat.isUnblocked { unblocked.append(position) }
            if seat.isActive { activity.add(seat, at: position) }
        }
    }
}

/// A number for each group that stands, which is compared faster than its name.
struct GroupNumbers: Sendable, Hashable {
    private var known: [TokenGroup: Entry] = [:]
    private var last = none

    /// No group's.
    static let none = 0

    private struct Entry: Sendable, Hashable {
        let number: Int
        var count: Int
    }

    subscript(group: TokenGroup) -> Int? { known[group]?.number }

    mutating func number(of group: TokenGroup) -> Int {
        if let entry = known[group] {
            known[group]?.count += 1
            return entry.number
        }
        last += 1
        known[group] = Entry(number: last, count: 1)
        return last
    }

    mutating func forget(_ group: TokenGroup) {
        known[group]?.count -= 1
        if known[group]?.count == 0 { known[group] = nil }
    }
}
