/// What of a session in the stack decides which sessions sound.
struct Seat: Sendable, Hashable {
    let group: Int
    let serial: UInt64
    let priority: TokenPriority
    let kind: Kind
    /// What it lowers others to.
    let duckedGain: UInt16
    var isSpent: Bool
    var isBlocked = false
    /// As of the last ``Seats/sumUp(_:)``.
    fileprivate var wasBlocked = false
    /// Since when it is unblocked and neither active again nor released.
    fileprivate(set) var unblockedSince: MonotonicTime?

    struct Kind: OptionSet, Sendable, Hashable {
        let rawValue: UInt16

        static let mixable = Kind(rawValue: 1)
        static let prompt = Kind(rawValue: 2)
        static let spoken = Kind(rawValue: 4)
        static let lowersOthers = Kind(rawValue: 8)
        static let standing = Kind(rawValue: 16)
        static let advised = Kind(rawValue: 32)
        /// Important enough to be put back in front of newer ones.
        static let overtaker = Kind(rawValue: 64)
        /// Interrupts no session, and is interrupted only by those that interrupt whatever mixes.
        static let plain = Kind(rawValue: 128)
        static let capturing = Kind(rawValue: 256)
        /// Declares that it ducks, to whatever gain, and so is not ducked.
        static let ducker = Kind(rawValue: 512)
    }

    init(_ session: StandingSession, group: Int, unblockedSince: MonotonicTime?) {
        let traits = session.traits
        self.group = group
        serial = session.serial
        priority = traits.priority
        duckedGain = traits.duckedGain ?? TokenTraits.fullGain
        isSpent = session.isSpent
        var kind: Kind = []
        if traits.isMixable { kind.insert(.mixable) }
        if traits.interruptsSpokenAudio { kind.insert(.prompt) }
        if traits.isSpokenAudio { kind.insert(.spoken) }
        if traits.lowersOthers { kind.insert(.lowersOthers) }
        if traits.capturesAudio { kind.insert(.capturing) }
        if traits.duckedGain != nil { kind.insert(.ducker) }
        if session.token.contents.state == .standing { kind.insert(.standing) }
        if session.isAdvised { kind.insert(.advised) }
        if session.isRemade, traits.priority > .media { kind.insert(.overtaker) }
        if kind.isDisjoint(with: [.prompt, .spoken, .overtaker]), traits.isMixable { kind.insert(.plain) }
        self.kind = kind
        self.unblockedSince = unblockedSince
    }

    var isActive: Bool { kind.contains(.standing) && !isBlocked && !isSpent }

    /// The kind of session that can be what the computer is playing now.
    var isPlayer: Bool { priority == .media && !kind.contains(.mixable) }

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

    /// It was interrupted or advised, and no session blocks it now.
    var isUnblocked: Bool { kind.contains(.advised) || (isSpent && !isBlocked) }

    /// By the strongest of those that came later.
    fileprivate func isInterrupted(_ players: StrongestTwo, _ prompts: StrongestTwo) -> Bool {
        if let newer = players.priority(besides: group),
            TokenTraits.isInterrupted(priority, isMixable: kind.contains(.mixable), byPlayerOf: newer)
        {
            return true
        }
        guard kind.contains(.spoken), let prompt = prompts.priority(besides: group) else { return false }
        return prompt >= priority
    }

    fileprivate func forbids(_ newcomer: Newcomer) -> Bool {
        guard newcomer.priority < priority, newcomer.group != group else { return false }
        return (!newcomer.isMixable && !kind.contains(.mixable))
            || (newcomer.isCapturing && kind.contains(.capturing))
    }
}

/// What of a token that asks for a place decides whether it may have it.
struct Newcomer {
    let group: Int
    let priority: TokenPriority
    let isMixable: Bool
    let isCapturing: Bool
    /// The position that its session has already.
    let position: Int?
}

/// All seats, oldest first, and what follows from them.
///
/// Every process goes through all of them at each change. So they are small, and no change costs more than a few passes,
/// whatever the tokens of others say.
struct Seats: Sendable, Hashable {
    private var all: [Seat] = []
    private(set) var activity = Activity()
    /// The priorities of those that can block newer sessions.
    private var overtakers = Priorities()
    private(set) var highestPriority: TokenPriority?
    /// Positions of those that the last change blocked or freed.
    private(set) var turned: [Int] = []
    /// Whether the last change left any session to say what becomes of its place.
    private(set) var isAnyNewlyUnblocked = false

    private struct Priorities: OptionSet, Sendable, Hashable {
        let rawValue: UInt8

        static func of(_ priority: TokenPriority) -> Self { Self(rawValue: 1 << priority.rawValue) }
    }

    var canBeOvertaken: Bool { !overtakers.isEmpty }

    subscript(position: Int) -> Seat { all[position] }

    mutating func reserveCapacity(_ count: Int) { all.reserveCapacity(count) }

    mutating func insert(_ seat: Seat, at position: Int) { all.insert(seat, at: position) }

    mutating func remove(at position: Int) { all.remove(at: position) }

    mutating func spend(_ position: Int) { all[position].isSpent = true }

    /// Puts the seats of these positions one after the other; the rest stays behind them.
    mutating func reorder(_ ranges: [Range<Int>]) { all.reorder(ranges) }

    /// To be followed by ``sumUp(_:)``.
    mutating func block() {
        var players = StrongestTwo()
        var prompts = StrongestTwo()
        var isMixingSafe = true
        var highest = TokenPriority.media
        overtakers = []
        for position in all.indices.reversed() {
            highest = max(highest, all[position].priority)
            if isMixingSafe, all[position].kind.contains(.plain) {
                if all[position].isBlocked { all[position].isBlocked = false }
                continue
            }
            // A session that is interrupted by two groups interrupts none that they do not.
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
            if seat.kind.contains(.overtaker) { overtakers.formUnion(.of(seat.priority)) }
        }
        highestPriority = all.isEmpty ? nil : highest
        if canBeOvertaken { blockOvertaken() }
    }

    /// Blocks newer sessions by older ones that were put back in front of them after they had arrived.
    ///
    /// One pass for each priority, the highest first, because what is blocked does not block.
    private mutating func blockOvertaken() {
        for priority in TokenPriority.allCases.reversed() where overtakers.contains(.of(priority)) {
            var players = LatestTwo()
            var capturers = LatestTwo()
            for position in all.indices where !all[position].isBlocked {
                let seat = all[position]
                if seat.priority < priority {
                    let isOvertaken =
                        (!seat.kind.contains(.mixable) && players.serial(besides: seat.group) > seat.serial)
                        || (seat.kind.contains(.capturing) && capturers.serial(besides: seat.group) > seat.serial)
                    if isOvertaken { all[position].isBlocked = true }
                } else if seat.priority == priority, seat.kind.contains(.overtaker) {
                    if !seat.kind.contains(.mixable) { players.add(seat.serial, seat.group) }
                    if seat.kind.contains(.capturing) { capturers.add(seat.serial, seat.group) }
                }
            }
        }
    }

    mutating func sumUp(_ now: MonotonicTime) {
        var activity = Activity()
        defer { self.activity = activity }
        turned.removeAll(keepingCapacity: true)
        isAnyNewlyUnblocked = false
        for position in all.indices {
            // Most are what they were: interrupted, or active, where the first two groups decide for all.
            if all[position].isStillBlocked || (activity.isFull && all[position].isStillActive) { continue }
            let seat = all[position]
            if seat.isBlocked != seat.wasBlocked {
                all[position].wasBlocked = seat.isBlocked
                turned.append(position)
            }
            if seat.isUnblocked != (seat.unblockedSince != nil) {
                all[position].unblockedSince = seat.isUnblocked ? now : nil
                if seat.isUnblocked { isAnyNewlyUnblocked = true }
            }
            if seat.isActive { activity.add(seat, at: position) }
        }
    }

    func positions(unblockedSince range: ClosedRange<MonotonicTime>) -> some Sequence<Int> {
        all.indices.lazy.filter { all[$0].unblockedSince.map(range.contains) ?? false }
    }

    /// Whether other sessions would have to be asked before a newcomer has its place.
    ///
    /// - Parameter serial: Only sessions whose tokens are older count, in the state that they alone would be in; `nil` for
    ///   all, as they are.
    /// - Returns: the newest session that refuses the newcomer, and whether there are any that would if they were not blocked.
    func opposition(to newcomer: Newcomer, before serial: UInt64? = nil) -> (refusing: Int?, isAny: Bool) {
        guard let highestPriority, newcomer.priority < highestPriority else { return (nil, false) }
        var players = StrongestTwo()
        var prompts = StrongestTwo()
        var isAny = false
        for position in all.indices.reversed() {
            let seat = all[position]
            if let serial {
                guard seat.serial < serial else { continue }
                if seat.forbids(newcomer), position != newcomer.position {
                    isAny = true
                    let isWaiting = seat.kind.isDisjoint(with: [.standing, .advised])
                    if !isWaiting, !seat.isInterrupted(players, prompts) { return (position, true) }
                }
                if !seat.kind.contains(.mixable) { players.add(seat.priority, seat.group) }
                if seat.kind.contains(.prompt) { prompts.add(seat.priority, seat.group) }
            } else if seat.forbids(newcomer), position != newcomer.position {
                isAny = true
                if !seat.isBlocked, !seat.kind.isDisjoint(with: [.standing, .advised]) { return (position, true) }
            }
        }
        return (nil, isAny)
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
