import BenchmarkSupport
import EventLedger

/// The parts of the events' latency, in microseconds, on average.
struct MeanCourse: Encodable {
    let untilWoken, asleep, awake, lastTurn: Double
    let wakes: Double

    var total: Double { untilWoken + asleep + awake }

    init?(of courses: ArraySlice<Course>) {
        guard !courses.isEmpty else { return nil }
        func mean(_ part: (Course) -> UInt64) -> Double {
            Double(courses.reduce(0) { $0 + part($1) }) / Double(courses.count)
        }
        (untilWoken, asleep, awake) = (mean(\.untilWoken) / 1000, mean(\.asleep) / 1000, mean(\.awake) / 1000)
        lastTurn = mean(\.lastTurn) / 1000
        wakes = mean { UInt64($0.wakes) }
    }
}

extension Results {
    /// The rows of all peers that know more than that something happened, for these events.
    func courses(_ which: KeyPath<Row, MeanCourse?>) -> String {
        let head = ["event", "knows", "peer", "until woken", "asleep", "awake", "last turn", "all", "wakes"]
        let cells = rows.compactMap { row -> [String]? in
            guard row.level != .bare, ![Observer.slow, Observer.liar].contains(row.peer),
                let course = row[keyPath: which]
            else { return nil }
            let times = [course.untilWoken, course.asleep, course.awake, course.lastTurn, course.total]
            return [row.measure, row.level.rawValue, row.peer] + (times + [course.wakes]).map(tenths)
        }
        return textTable([head] + cells, left: 3)
    }
}
