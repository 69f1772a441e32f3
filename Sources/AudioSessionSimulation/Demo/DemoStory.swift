import AudioSessions
import PipeWireGraph

/// One part of the demonstration's result, for output as text or as JSON objects.
struct DemoStory: Sendable, Hashable {
    struct Entry: Sendable, Hashable {
        var time: MonotonicTime
        var text: String
    }

    enum Part: Sendable, Hashable {
        /// Events with times relative to a moment.
        case timed([Entry], from: MonotonicTime)
        /// Sound on sinks that should be silent, with its times.
        case heard(String, [Loss.Listening])
    }

    var title: String
    var parts: [Part]

    var lines: [String] { [title] + parts.flatMap(Self.lines) }

    /// The JSON objects, one for each line except the titles.
    var objects: [JSONValue] {
        parts.flatMap { part -> [JSONValue] in
            switch part {
            case .timed(let entries, let origin):
                Self.sorted(entries).map { entry in
                    Self.object(
                        "step", title,
                        [
                            ("t", .integer(entry.time.nanoseconds)),
                            ("after", .integer(entry.time.nanoseconds(after: origin))), ("text", .string(entry.text)),
                        ])
                }
            case .heard(_, let listenings):
                listenings.map { listening in
                    Self.object(
                        "heard", title,
                        [
                            ("sink", .string(listening.sink)), ("frames", .integer(listening.frames)),
                            ("notSilent", .integer(listening.loudFrames)),
                        ])
                }
            }
        }
    }

    private static func object(_ event: String, _ title: String, _ members: [(String, JSONValue)]) -> JSONValue {
        .object([("event", .string(event)), ("story", .string(title))] + members)
    }

    private static func lines(_ part: Part) -> [String] {
        switch part {
        case .timed(let entries, let origin):
            sorted(entries).map { entry in
                let time = thousandths(of: Double(entry.time.nanoseconds(after: origin)) / 1_000)
                return "  " + String(repeating: " ", count: max(0, 10 - time.count)) + time + " ms  " + entry.text
            }
        case .heard(let when, let listenings):
            ["  \(when):"] + listenings.map { "    \($0.sink): \(heard($0))" }
        }
    }

    /// Sorts entries by time. Entries with the same time keep the order of cause and effect.
    private static func sorted(_ entries: [Entry]) -> [Entry] {
        entries.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    private static func heard(_ listening: Loss.Listening) -> String {
        "\(listening.loudFrames) of \(count(listening.frames, "frame")) not silent"
    }
}

extension MonotonicTime {
    /// The time since `other` in nanoseconds; negative if this time is earlier.
    fileprivate func nanoseconds(after other: MonotonicTime) -> Int64 {
        Int64((since(other) - other.since(self)) / .nanoseconds(1))
    }
}
