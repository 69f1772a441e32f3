public import Histogram

/// Pairs causes with a peer's sightings, and trusts neither their order nor their number.
public struct EventLedger: Sendable {
    /// The results of one peer for one kind of event.
    public struct Tally: Sendable {
        /// Nanoseconds from the cause to the handler.
        public internal(set) var latencies = Histogram<UInt64>(
            highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)
        /// The courses of the events with known sleeps.
        public internal(set) var courses: [Course] = []
        /// The events that were never seen, or after the deadline.
        public internal(set) var lost = 0
        /// The events that were seen before their cause.
        public internal(set) var early = 0
        /// The events that were seen again.
        public internal(set) var again = 0

        public init() {}

        mutating func add(_ sighting: Sighting, causedAt time: UInt64) {
            _ = latencies.record(sighting.time - time)
            // A peer prints only its last sleeps. If the oldest began after the cause, earlier ones
            // may be missing.
            guard let oldest = sighting.sleeps.first, oldest.from <= time else { return }
            courses.append(Course(from: time, to: sighting.time, sleeps: sighting.sleeps))
        }

        public mutating func add(_ other: Tally) {
            latencies.add(other.latencies)
            courses += other.courses
            lost += other.lost
            early += other.early
            again += other.again
        }
    }

    public struct Key: Hashable, Sendable {
        public let measure: String
        public let level: Sighting.Level

        public init(_ measure: String, _ level: Sighting.Level) {
            self.measure = measure
            self.level = level
        }
    }

    private struct Entry {
        var time: UInt64
        var measure: String?
        var seen: Set<Sighting.Level> = []
        var isConcluded = false
    }

    /// The levels that the peer must report for each event.
    private let levels: Set<Sighting.Level>
    private var entries: [Event: Entry] = [:]
    private var current: Event?
    public private(set) var tallies: [Key: Tally] = [:]
    /// Sightings without a cause.
    public private(set) var unasked = 0

    public init(levels: Set<Sighting.Level>) { self.levels = levels }

    /// Records a cause. The previous one is concluded, and lost if it was not seen.
    ///
    /// - Parameter measure: the name of the measurement; `nil` if the event only prepares one.
    public mutating func cause(_ event: Event, at time: UInt64, measure: String?) {
        conclude()
        entries[event] = Entry(time: time, measure: measure)
        current = event
    }

    public mutating func conclude() {
        guard let current, var entry = entries[current], !entry.isConcluded else { return }
        entry.isConcluded = true
        entries[current] = entry
        self.current = nil
        guard let measure = entry.measure else { return }
        for level in levels.subtracting(entry.seen) { tallies[Key(measure, level), default: Tally()].lost += 1 }
    }

    /// Whether the peer has reported all levels of the last event.
    public var isComplete: Bool { current.flatMap { entries[$0] }.map { $0.seen.isSuperset(of: levels) } ?? true }

    public mutating func receive(_ sighting: Sighting) {
        if sighting.event.detail == Event.unknown { return receiveUnknown(sighting) }
        guard var entry = entries[sighting.event] else {
            unasked += 1
            return
        }
        defer { entries[sighting.event] = entry }
        guard let measure = entry.measure else {
            entry.seen.insert(sighting.level)
            return
        }
        let key = Key(measure, sighting.level)
        if sighting.time < entry.time {
            tallies[key, default: Tally()].early += 1
            entry.seen.insert(sighting.level)
        } else if !entry.seen.insert(sighting.level).inserted {
            tallies[key, default: Tally()].again += 1
        } else if entry.isConcluded {
            // It was counted as lost.
            return
        } else {
            tallies[key, default: Tally()].add(sighting, causedAt: entry.time)
        }
    }

    /// Records a sighting without a name. The first one since the cause counts as its own; earlier
    /// and later ones may be echoes, and are ignored.
    private mutating func receiveUnknown(_ sighting: Sighting) {
        guard let current, var entry = entries[current],
            sighting.event.what == current.what || sighting.event.what == Self.anySession,
            sighting.time >= entry.time, entry.seen.insert(sighting.level).inserted
        else { return }
        entries[current] = entry
        guard let measure = entry.measure else { return }
        tallies[Key(measure, sighting.level), default: Tally()].add(sighting, causedAt: entry.time)
    }

    /// A peer that sees only tokens or signals does not know whether they begin or end something.
    private static let anySession = "session"
}
