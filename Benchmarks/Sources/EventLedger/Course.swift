/// Time in which somebody waited for something to come, up to when it came. CLOCK_MONOTONIC, nanoseconds.
public struct Sleep: Sendable, Hashable {
    public let from, to: UInt64

    public init(from: UInt64, to: UInt64) {
        self.from = from
        self.to = to
    }

    /// `slept FROM TO FROM TO ...`; `nil` for any other line.
    static func all(in line: some StringProtocol) -> [Sleep]? {
        let words = line.split(separator: " ")
        let times = words.dropFirst().compactMap { UInt64($0) }
        guard words.first == "slept", times.count > 0, times.count == words.count - 1, times.count % 2 == 0
        else { return nil }
        let sleeps = stride(from: 0, to: times.count, by: 2).map { Sleep(from: times[$0], to: times[$0 + 1]) }
        return sleeps.allSatisfy { $0.from <= $0.to } ? sleeps : nil
    }
}

/// Where the time between a cause and the handler went, in nanoseconds.
public struct Course: Sendable, Hashable {
    /// Until whoever is told first woke: what the others did, and the way to here.
    public let untilWoken: UInt64
    /// What it then slept, such as for an answer to what it asked.
    public let asleep: UInt64
    /// The rest: it ran, or would have if there had been a processor for it.
    public let awake: UInt64
    /// Of that, what came after it had slept for the last time.
    public let lastTurn: UInt64
    /// How often it woke.
    public let wakes: Int

    public var total: UInt64 { untilWoken + asleep + awake }

    /// - Parameter sleeps: in their order; those that ended before the cause do not count.
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
    /// The half that was neither among the quickest nor among the slowest quarter: their means add up, and to about the median.
    public var middleHalf: ArraySlice<Course> { byTotal[(count / 4)..<(count - count / 4)] }

    /// The middle half of the slowest fiftieth, one at least: around the 99th percentile, and without the maxima.
    public var tail: ArraySlice<Course> { Array(byTotal.suffix((count + 49) / 50)).middleHalf }

    private var byTotal: [Course] { sorted { $0.total < $1.total } }
}

/// Puts together what a peer prints in two lines.
public struct SightingReader {
    private var sleeps: [Sleep] = []

    public init() {}

    /// `nil` for a line that is no sighting.
    public mutating func read(_ line: some StringProtocol) -> Sighting? {
        if let sleeps = Sleep.all(in: line) { self.sleeps = sleeps }
        guard var sighting = Sighting(line: line) else { return nil }
        sighting.sleeps = sleeps
        sleeps = []
        return sighting
    }
}
