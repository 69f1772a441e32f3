/// The sessions that left within the last second.
///
/// Their tokens are already removed. The record serves an interrupted session that is evaluated
/// later than the removal, and the detection of other audio, because a program's streams stop
/// shortly after its session.
struct Departures: Sendable {
    private struct Departure: Sendable {
        let key: SessionKey
        let isWithNotice: Bool
        let end: MonotonicTime
    }

    private static let duration = Duration.seconds(1)
    /// The maximum number of records that other programs can cause. Beyond it, the oldest of the
    /// process with the most records is dropped, so that no program hides how another left.
    private static let most = 64

    /// The departures, the oldest first.
    private var all: [Departure] = []
    /// The number of records of each process.
    private var counts: [TokenOwner.Process: Int] = [:]

    mutating func append(_ key: SessionKey, isWithNotice: Bool, _ now: MonotonicTime) {
        remove(key)
        while let oldest = all.first, oldest.end <= now { remove(at: 0) }
        if all.count == Self.most { drop() }
        all.append(Departure(key: key, isWithNotice: isWithNotice, end: now + Self.duration))
        counts.add(1, to: key.owner)
    }

    private mutating func drop() {
        let most = counts.values.max()
        if let index = all.firstIndex(where: { counts[$0.key.owner] == most }) { remove(at: index) }
    }

    mutating func remove(_ key: SessionKey) {
        if let index = all.firstIndex(where: { $0.key == key }) { remove(at: index) }
    }

    private mutating func remove(at index: Int) {
        counts.add(-1, to: all.remove(at: index).key.owner)
    }

    /// Whether the session left with notice; `nil` if it did not leave within the last second.
    func isWithNotice(_ key: SessionKey, _ now: MonotonicTime) -> Bool? {
        all.last { $0.key == key && $0.end > now }?.isWithNotice
    }

    /// The end of the process's newest departure; `nil` if there is none.
    func end(of process: TokenOwner.Process, _ now: MonotonicTime) -> MonotonicTime? {
        all.last { $0.key.owner == process && $0.end > now }?.end
    }
}
