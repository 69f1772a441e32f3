/// A line of a peer with an event that it claims to have seen.
public struct Sighting: Sendable, Hashable {
    /// The time of CLOCK_MONOTONIC in nanoseconds.
    public let time: UInt64
    public let level: Level
    public let event: Event
    /// Its sleeps until then, as far as they are known.
    public internal(set) var sleeps: [Sleep] = []

    /// The information that the handler had.
    public enum Level: String, Sendable, Hashable, Codable, CaseIterable { case bare, full, typed }

    public init(time: UInt64, level: Level, event: Event) {
        self.time = time
        self.level = level
        self.event = event
    }

    /// Parses the line `saw NANOSECONDS LEVEL WHAT DETAIL`.
    public init?(line: some StringProtocol) {
        let words = line.split(separator: " ", maxSplits: 4)
        guard words.count == 5, words[0] == "saw", let time = UInt64(words[1]),
            let level = Level(rawValue: String(words[2]))
        else { return nil }
        self.init(time: time, level: level, event: Event(String(words[3]), String(words[4])))
    }
}

/// The kind of an event that the driver caused.
public struct Event: Sendable, Hashable {
    public let what: String
    /// The object of the event; ``unknown`` where a peer cannot report it.
    public let detail: String

    public static let unknown = "?"

    public init(_ what: String, _ detail: String = Event.unknown) {
        self.what = what
        self.detail = detail
    }
}
