/// The sessions that have left in the last second.
///
/// Nothing in PipeWire tells of them any more. Two things still ask: an interrupted session that could not look when it
/// happened, and the count of other audio, because a program's streams take a moment to stop.
struct Departures: Sendable {
    private struct Departure: Sendable {
        let key: SessionKey
        let isWithNotice: Bool
        let end: MonotonicTime
    }

    private static let duration = Duration.seconds(1)
    /// Another program may leave as often as it likes; then the newest count.
    private static let most = 64

    /// The oldest first.
    private var all: [Departure] = []

    mutating func append(_ key: SessionKey, isWithNotice: Bool, _ now: MonotonicTime) {
        remove(key)
        all.removeAll { $0.end <= now }
        if all.count == Self.most { all.removeFirst() }
        all.append(Departure(key: key, isWithNotice: isWithNotice, end: now + Self.duration))
    }

    mutating func remove(_ key: SessionKey) { all.removeAll { $0.key == key } }

    /// Whether the session left with notice; `nil` if it did not leave.
    func isWithNotice(_ key: SessionKey, _ now: MonotonicTime) -> Bool? {
        all.last { $0.key == key && $0.end > now }?.isWithNotice
    }

    /// Until when the process's sessions have just left; `nil` if none has.
    func end(of process: TokenOwner.Process, _ now: MonotonicTime) -> MonotonicTime? {
        all.last { $0.key.owner == process && $0.end > now }?.end
    }
}
