import BenchmarkSupport
import CostStage

extension Stage {
    private struct Cycles {
        let seen: Double
        let missed: Double
    }

    /// The cycles that a player misses, alternately while another program activates and releases
    /// its session and while nothing happens for as long.
    func missedCycles(_ activations: Int, _ alternations: Int) -> [[String]] {
        let what = "cycles of 64 frames that a player misses"
        guard let player = start("peer-cycles", []), player.wait(for: "ready", seconds: 30),
            let actor = start("peer-audiosessions", ["session", "cause"]), actor.wait(for: "ready")
        else { return [[what, "-", "-", "not ready"]] }
        defer {
            player.stop()
            actor.stop()
        }
        pause(milliseconds: 900)
        var missed: [Bool: [Double]] = [:]
        var seen: [Double] = []
        for _ in 0..<alternations {
            for isActive in [true, false] {
                guard let before = cycles(of: player) else { return [[what, "-", "-", "the player ended"]] }
                for _ in 0..<activations {
                    for word in ["activate", "deactivate"] {
                        if isActive { actor.send(word) }
                        pause(milliseconds: 2)
                    }
                }
                guard let after = cycles(of: player) else { return [[what, "-", "-", "the player ended"]] }
                missed[isActive, default: []].append(after.missed - before.missed)
                seen.append(after.seen - before.seen)
            }
        }
        let unit = "of \(decimal(seen.percentile(50), 0))"
        return [(true, "during \(activations) activations"), (false, "in the same time without")].flatMap {
            isActive, condition in
            [("p50", 50), ("max", 100)].map { name, percent in
                [
                    "\(what) \(condition), \(name)", "C client",
                    decimal(missed[isActive, default: []].percentile(percent), 0), unit,
                ]
            }
        }
    }

    private func cycles(of player: Program) -> Cycles? {
        player.send("")
        let words = player.nextLine(by: now() + 5_000_000_000)?.split(separator: " ").compactMap { Double($0) } ?? []
        return words.count == 2 ? Cycles(seen: words[0], missed: words[1]) : nil
    }
}
