import BenchmarkSupport
import EventLedger
import Histogram

/// The measured figures, by measurement, level and peer.
struct Results {
    struct Row: Encodable {
        let measure: String
        let level: Sighting.Level
        let peer: String
        let events: Int
        /// The latencies in microseconds.
        let min, p50, p90, p99, max: Double
        let lost, early, again: Int
        /// The ratio to the floor of the same measurement and level, in the same run.
        let ratioOfP50: Double?
        let ratioOfP99: Double?
        /// The lower and upper quartile of the ratios between medians of the same round.
        let ratiosInRounds: ClosedRange<Double>?
        /// The courses between the quartiles, and of the events around the p99, where they are
        /// known.
        let course, tail: MeanCourse?
        /// A histogram: nanoseconds to three digits, and their number.
        let histogram: [[UInt64]]
    }

    private(set) var tallies: [EventLedger.Key: [String: EventLedger.Tally]] = [:]
    private(set) var unasked: [String: Int] = [:]
    private var rounds: [EventLedger.Key: [String: RoundMedians]] = [:]
    private var measures: [String] = []

    mutating func add(_ ledger: EventLedger, of observer: Observer, round: Int) {
        for (key, tally) in ledger.tallies.sorted(by: { $0.key.measure < $1.key.measure }) {
            if !measures.contains(key.measure) { measures.append(key.measure) }
            tallies[key, default: [:]][observer.name, default: .init()].add(tally)
            rounds[key, default: [:]][observer.name, default: .init()].add(tally.latencies, round: round)
        }
        unasked[observer.name, default: 0] += ledger.unasked
    }

    func tally(_ measure: String, _ level: Sighting.Level, _ peer: String) -> EventLedger.Tally? {
        tallies[.init(measure, level)]?[peer]
    }

    var rows: [Row] {
        measures.flatMap { measure in
            Sighting.Level.allCases.flatMap { level in
                Observer.names.compactMap { row(measure, level, $0) }
            }
        }
    }

    private func row(_ measure: String, _ level: Sighting.Level, _ peer: String) -> Row? {
        guard let tally = tally(measure, level, peer) else { return nil }
        let times = tally.latencies
        let floor = tally.latencies.totalCount > 0 ? self.tally(measure, level, Observer.floor)?.latencies : nil
        func ratio(_ percentile: Double) -> Double? {
            guard let floor, floor.totalCount > 0, floor.valueAtPercentile(percentile) > 0 else { return nil }
            return Double(times.valueAtPercentile(percentile)) / Double(floor.valueAtPercentile(percentile))
        }
        func micro(_ percentile: Double) -> Double { Double(times.valueAtPercentile(percentile)) / 1000 }
        return Row(
            measure: measure, level: level, peer: peer, events: Int(times.totalCount),
            min: times.totalCount > 0 ? Double(times.min) / 1000 : 0, p50: micro(50), p90: micro(90), p99: micro(99),
            max: times.totalCount > 0 ? Double(times.max) / 1000 : 0, lost: tally.lost, early: tally.early,
            again: tally.again, ratioOfP50: ratio(50), ratioOfP99: ratio(99),
            ratiosInRounds: ratiosInRounds(.init(measure, level), peer),
            course: MeanCourse(of: tally.courses.middleHalf),
            tail: MeanCourse(of: tally.courses.tail),
            histogram: times.recordedValues().map { [$0.value, $0.count] })
    }

    private func ratiosInRounds(_ key: EventLedger.Key, _ peer: String) -> ClosedRange<Double>? {
        guard let peers = rounds[key], let floor = peers[Observer.floor] else { return nil }
        return peers[peer]?.quartiles(over: floor)
    }

    // MARK: Text

    var table: String {
        let head = [
            "event", "knows", "peer", "n", "min", "p50", "p90", "p99", "max", "lost", "early", "again", "x p50",
            "in rounds", "x p99",
        ]
        let cells = rows.map { row in
            [row.measure, row.level.rawValue, row.peer, "\(row.events)"]
                + [row.min, row.p50, row.p90, row.p99, row.max].map(tenths)
                + ["\(row.lost)", "\(row.early)", "\(row.again)"]
                + [
                    row.ratioOfP50.map(hundredths),
                    row.ratiosInRounds.map { "\(hundredths($0.lowerBound))-\(hundredths($0.upperBound))" },
                    row.ratioOfP99.map(hundredths),
                ].map { $0 ?? "-" }
        }
        return textTable([head] + cells, left: 3)
    }

    func tenths(_ value: Double) -> String { decimal(value, 1) }
    private func hundredths(_ value: Double) -> String { decimal(value, 2) }
}
