import AudioSessionCore
import Glibc
import SessionStories

/// The processor time of each event of a board under attack.
struct Attacks {
    let tokens: Int
    private static let own = [
        TokenTraits(isMixable: true), TokenTraits(), TokenTraits(priority: .alarm, group: "alarm"),
    ]
    private static func budget(_ attack: BoardAttack) -> (mean: Double, single: Double) {
        switch attack {
        // Each of these events blocks or frees hundreds of sessions that block others. Only
        // programs outside of a sandbox can cause them.
        case .overtaken: (300, 1000)
        // One event frees a thousand sessions, or lets their places lapse. Each session that four
        // thousand others block is then compared with all of them, and most of their memory is not
        // in the cache.
        case .overtakers, .waiting: (50, 1000)
        default: (50, 250)
        }
    }

    private final class Meter {
        private var total: UInt64 = 0
        private var worst: UInt64 = 0
        private var events: UInt64 = 0

        func measure(_ body: () -> Void) {
            let start = Self.now()
            body()
            let time = Self.now() - start
            total += time
            worst = max(worst, time)
            events += 1
        }

        /// The times are in microseconds.
        func take() -> (mean: Double, worst: Double) {
            defer { (total, worst, events) = (0, 0, 0) }
            return (Double(total) / Double(max(1, events)) / 1000, Double(worst) / 1000)
        }

        private static func now() -> UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        }
    }

    /// Returns whether every part of every attack is within its budget.
    func run() -> Bool {
        print("us of an event, beside \(tokens) tokens         mean   worst")
        var isWithin = true
        for attack in BoardAttack.allCases {
            let budget = Self.budget(attack)
            for (part, cost) in best(of: 3, attack) {
                let isGood = cost.mean <= budget.mean && cost.worst <= budget.single
                if !isGood { isWithin = false }
                let name = "\(attack), \(part)"
                let padding = String(repeating: " ", count: max(1, 36 - name.count))
                print(name + padding + rounded(cost.mean) + rounded(cost.worst) + (isGood ? "" : "  over budget"))
            }
        }
        return isWithin
    }

    /// The processor time of other programs does not count.
    private func best(of runs: Int, _ attack: BoardAttack) -> [(String, (mean: Double, worst: Double))] {
        var best = parts(of: attack)
        for _ in 1..<runs {
            for (index, part) in parts(of: attack).enumerated() {
                best[index].1 = (min(best[index].1.mean, part.1.mean), min(best[index].1.worst, part.1.worst))
            }
        }
        return best
    }

    private func parts(of attack: BoardAttack) -> [(String, (mean: Double, worst: Double))] {
        let meter = Meter()
        var board = AttackedBoard(own: Self.own, measure: meter.measure)
        _ = meter.take()
        let count = attack == .surplus ? 2 * tokens : tokens
        board.attack(attack, tokens: count)
        var parts = [("arrival", meter.take())]
        for _ in 0..<60 { board.pass(.milliseconds(150)) }
        parts.append(("time", meter.take()))
        for newcomer in AttackedBoard.Newcomer.allCases {
            for _ in 0..<300 { board.activateAndEnd(newcomer) }
            parts.append(("\(newcomer)", meter.take()))
        }
        board.end()
        parts.append(("end", meter.take()))
        board.attack(attack, tokens: count)
        _ = meter.take()
        board.end(newestFirst: true)
        parts.append(("end, newest first", meter.take()))
        return parts
    }

    private func rounded(_ microseconds: Double) -> String {
        let text = String((microseconds * 10).rounded() / 10)
        return String(repeating: " ", count: max(0, 8 - text.count)) + text
    }
}
