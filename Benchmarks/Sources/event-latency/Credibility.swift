import EventLedger
import Histogram

/// Whether the measurement is credible: the faulty peers were detected, and no others.
struct Credibility: Encodable {
    struct Finding: Encodable {
        let isGood: Bool
        let text: String
    }

    let findings: [Finding]
    var isGood: Bool { findings.allSatisfy(\.isGood) }

    init(_ results: Results, missing: [String: String]) {
        var findings: [Finding] = []
        if let slow = results.tally("sink appears", .bare, Observer.slow),
            let floor = results.tally("sink appears", .bare, Observer.floor)
        {
            // The fastest event of each is compared, because the others depend on the load of the
            // computer. That of the floor depends on it a little.
            let (best, floorBest) = (slow.latencies.min, floor.latencies.min)
            let median = Int(slow.latencies.median) - Int(floor.latencies.median)
            findings.append(
                Finding(
                    isGood: best >= 2_000_000 && floorBest < 2_000_000,
                    text:
                        "a handler that begins 2 ms late: \(best / 1000) us at best, the floor \(floorBest / 1000) us; "
                        + "\(median / 1000) us later by the median"))
        }
        if let liar = results.tally("sink appears", .bare, Observer.liar) {
            let (unasked, doubles) = (results.unasked[Observer.liar] ?? 0, liar.again)
            findings.append(
                Finding(
                    isGood: liar.early > 0 && unasked > 0 && doubles > 0,
                    text:
                        "the liar: \(liar.early) sinks before they were made, \(doubles) twice, \(unasked) that never were"
                ))
        }
        // A floor without sightings is not compared.
        for row in results.rows where row.peer == Observer.floor && row.events == 0 {
            findings.append(Finding(isGood: false, text: "\(Observer.floor): saw no event of '\(row.measure)'"))
        }
        for name in Observer.names where name != Observer.liar {
            findings += Self.honesty(name, results)
        }
        findings += missing.sorted { $0.key < $1.key }.map {
            Finding(
                isGood: !$0.key.hasPrefix("AudioSessions") && !$0.key.hasPrefix(Observer.floor),
                text: "left out: \($0.key): \($0.value)")
        }
        self.findings = findings
    }

    /// No other peer reports an event that did not happen, or before it happened.
    private static func honesty(_ name: String, _ results: Results) -> [Finding] {
        let early = results.rows.filter { $0.peer == name }.map(\.early).reduce(0, +)
        let unasked = results.unasked[name] ?? 0
        guard early + unasked > 0 else { return [] }
        return [Finding(isGood: false, text: "\(name): \(early) early, \(unasked) that never were")]
    }
}
