/// The sessions that were released in the last second.
///
/// A release leaves PipeWire at once, in the same message. Two things still ask for it afterwards: an interrupted session
/// that could not look when it came, and the program that counts other audio, whose streams take a moment to stop.
struct Departures: Sendable {
    private struct Departure: Sendable {
        let key: SessionKey
        let isWithNotice: Bool
        let end: MonotonicTime
    }

    private static let duration = Duration.seconds(1)
    /// Another program may release as often as it likes; then the newest count.
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

    /// Whether the session was released with notice; `nil` if it was not released.
    func isWithNotice(_ key: SessionKey, _ now: MonotonicTime) -> Bool? {
        all.last { $0.key == key && $0.end > now }?.isWithNotice
    }

    /// When the last of the process's releases does not count any more; `nil` if none counts.
    func end(of process: TokenOwner.Process, _ now: MonotonicTime) -> MonotonicTime? {
        all.last { $0.key.owner == process && $0.end > now }?.end
    }
}
