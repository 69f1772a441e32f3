import BenchmarkSupport
import EventLedger

/// Where the time of events went, in microseconds, on average.
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
    /// Of all that know more than that something happened.
    var courses: String {
        let parts = ["until woken", "asleep", "awake", "last turn", "all", "wakes"]
        let head = ["event", "knows", "peer"] + parts + parts.map { "tail: \($0)" }
        let cells = rows.compactMap { row -> [String]? in
            guard row.level != .bare, ![Observer.slow, Observer.liar].contains(row.peer), let course = row.course,
                let tail = row.tail
            else { return nil }
            return [row.measure, row.level.rawValue, row.peer] + figures(of: course) + figures(of: tail)
        }
        return textTable([head] + cells, left: 3)
    }

    private func figures(of course: MeanCourse) -> [String] {
        [course.untilWoken, course.asleep, course.awake, course.lastTurn, course.total, course.wakes].map(tenths)
    }
}
