import AudioSessionCore
import Glibc
import SessionStories
import Testing

/// The cost of an event while other programs make the board as expensive as they can.
///
/// The tests compare processor time with that of as many honest tokens, so results depend neither
/// on load nor on optimization. `Scripts/benchmark --only core` prints microseconds.
@Suite struct BoardCostTests {
    /// Honest tokens, and a session of each kind that takes another path through the evaluation.
    private static let own = [
        TokenTraits(isMixable: true), TokenTraits(), TokenTraits(priority: .alarm, group: "alarm"),
    ]
    private static let tokens = 256
    private static let honest = cost(.mixing)
    private static let lapses = "lapses"

    private final class Clock {
        private(set) var total: UInt64 = 0
        private(set) var events: UInt64 = 0

        func measure(_ body: () -> Void) {
            let start = Self.now()
            body()
            total += Self.now() - start
            events += 1
        }

        func takeMean() -> Double {
            defer { (total, events) = (0, 0) }
            return Double(total) / Double(max(1, events))
        }

        private static func now() -> UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        }
    }

    /// Nanoseconds of an event in each part of an attack.
    private static func cost(_ attack: BoardAttack) -> [String: Double] {
        let clock = Clock()
        var board = AttackedBoard(own: own, measure: clock.measure)
        var means: [String: Double] = [:]
        _ = clock.takeMean()
        board.attack(attack, tokens: attack == .surplus ? 4400 : tokens)
        means["arrival"] = clock.takeMean()
        for _ in 0..<40 { board.pass(.milliseconds(300)) }
        means["time"] = clock.takeMean()
        for newcomer in AttackedBoard.Newcomer.allCases {
            for _ in 0..<20 { board.activateAndEnd(newcomer) }
            means["\(newcomer)"] = clock.takeMean()
        }
        // Each frees sessions that decide about their own places. A later event evaluates them.
        for _ in 0..<200 {
            board.activateAndEnd(.emergency)
            board.advance(by: .milliseconds(10))
        }
        board.advance(by: .seconds(6))
        _ = clock.takeMean()
        board.activateAndEnd(.mixing)
        means[lapses] = clock.takeMean()
        board.end()
        means["end"] = clock.takeMean()
        return means
    }

    /// Tokens beyond the limit of all programs take most of a minute, so only a long run has them.
    private static let attacks = BoardAttack.allCases.filter { $0 != .surplus || RandomRuns.isLong }

    @Test(arguments: attacks) func anAttackCostsAboutWhatAsManyHonestTokensCost(attack: BoardAttack) throws {
        let dearest = try #require(Self.honest.filter { $0.key != Self.lapses }.values.max())
        let tokens = attack == .surplus ? 4096.0 / Double(Self.tokens) : 1.0
        for (part, mean) in Self.cost(attack) {
            #expect(
                mean < dearest * 8 * tokens,
                "\(part): \(Int(mean / 1000)) us an event, honestly \(Int(dearest / 1000)) at most")
        }
    }
}
