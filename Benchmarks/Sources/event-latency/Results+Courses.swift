import BenchmarkSupport
import EventLedger

/// Where the time of events went, in microseconds, on average of the middle half of them.
struct MeanCourse: Encodable {
    let untilWoken, asleep, awake: Double
    let wakes: Double

    var total: Double { untilWoken + asleep + awake }

    init?(of courses: [Course]) {
        let middle = courses.middleHalf
        guard !middle.isEmpty else { return nil }
        func mean(_ part: (Course) -> UInt64) -> Double {
            Double(middle.reduce(0) { $0 + part($1) }) / Double(middle.count)
        }
        (untilWoken, asleep, awake) = (mean(\.untilWoken) / 1000, mean(\.asleep) / 1000, mean(\.awake) / 1000)
        wakes = mean { UInt64($0.wakes) }
    }
}

extension Results {
    /// Of all that know more than that something happened.
    var courses: String {
        let head = ["event", "knows", "peer", "until woken", "asleep", "awake", "all", "wakes"]
        let cells = rows.compactMap { row -> [String]? in
            guard row.level != .bare, ![Observer.slow, Observer.liar].contains(row.peer), let course = row.course
            else { return nil }
            return [row.measure, row.level.rawValue, row.peer]
                + [course.untilWoken, course.asleep, course.awake, course.total, course.wakes].map(tenths)
        }
        return textTable([head] + cells, left: 3)
    }
}
