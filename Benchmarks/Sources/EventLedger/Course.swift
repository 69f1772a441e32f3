/// A sleep of a thread until an event, in nanoseconds of CLOCK_MONOTONIC.
public struct Sleep: Sendable, Hashable {
    public let from, to: UInt64

    public init(from: UInt64, to: UInt64) {
        self.from = from
        self.to = to
    }

    /// Parses `slept FROM TO FROM TO ...`; `nil` for any other line.
    static func all(in line: some StringProtocol) -> [Sleep]? {
        let words = line.split(separator: " ")
        let times = words.dropFirst().compactMap { UInt64($0) }
        guard words.first == "slept", times.count > 0, times.count == words.count - 1, times.count % 2 == 0
        else { return nil }
        let sleeps = stride(from: 0, to: times.count, by: 2).map { Sleep(from: times[$0], to: times[$0 + 1]) }
        return sleeps.allSatisfy { $0.from <= $0.to } ? sleeps : nil
    }
}

/// The parts of the time between a cause and the handler, in nanoseconds.
public struct Course: Sendable, Hashable {
    /// Until the peer first woke: the work of other processes, and the delivery.
    public let untilWoken: UInt64
    /// The sleeps after that, such as for an answer to a query.
    public let asleep: UInt64
    /// The rest: it ran, or would have run with a free processor.
    public let awake: UInt64
    /// The part of that after its last sleep.
    public let lastTurn: UInt64
    /// The number of wake-ups.
    public let wakes: Int

    public var total: UInt64 { untilWoken + asleep + awake }

    /// Computes the course. The sleeps are in order; those that ended before the cause do not
    /// count.
    public init(from cause: UInt64, to handler: UInt64, sleeps: [Sleep]) {
        let sleeps = sleeps.filter { cause < $0.to && $0.to <= handler }
        let woken = sleeps.first?.to ?? cause
        untilWoken = woken - cause
        let sinceWoken = handler - woken
        asleep = min(sinceWoken, sleeps.dropFirst().reduce(0) { $0 + $1.to - min($1.to, max(woken, $1.from)) })
        awake = sinceWoken - asleep
        lastTurn = min(awake, handler - (sleeps.last?.to ?? cause))
        wakes = sleeps.count
    }
}

extension [Course] {
    /// The events between the quartiles: their means add up to about the median.
    public var middleHalf: ArraySlice<Course> { byTotal[(count / 4)..<(count - count / 4)] }

    /// The middle half of the slowest fiftieth, at least one event: around the 99th percentile,
    /// without the maxima.
    public var tail: ArraySlice<Course> { Array(byTotal.suffix((count + 49) / 50)).middleHalf }

    private var byTotal: [Course] { sorted { $0.total < $1.total } }
}

/// Combines two lines of a peer.
public struct SightingReader {
    private var sleeps: [Sleep] = []

    public init() {}

    /// The sighting, or `nil` for another line.
    public mutating func read(_ line: some StringProtocol) -> Sighting? {
        if let sleeps = Sleep.all(in: line) { self.sleeps = sleeps }
        guard var sighting = Sighting(line: line) else { return nil }
        sighting.sleeps = sleeps
        sleeps = []
        return sighting
    }
}
