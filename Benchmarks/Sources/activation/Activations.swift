import BenchmarkSupport
import CostStage

extension Stage {
    func activations(_ runs: Int) -> [[String]] {
        [0, 100, 1000].flatMap { count in
            [("activation", "cause"), ("activation on the manager's thread", "thread-cause")].flatMap { name, actor in
                rows(of: "\(name) beside \(count) sessions", activations(runs, beside: count, by: actor))
            }
        }
    }

    private func rows(of what: String, _ times: [Double]?) -> [[String]] {
        guard let times else { return [[what, "AudioSessions", "-", "the others were not ready"]] }
        return [("p50", 50), ("max", 100)].map { name, percent in
            ["\(what), \(name)", "AudioSessions", decimal(times.percentile(percent), 0), "us"]
        }
    }

    /// The times in microseconds. The other sessions are in five processes.
    /// - Parameter kind: The kind of the acting program's session.
    private func activations(_ runs: Int, beside count: Int, by kind: String) -> [Double]? {
        let others = (0..<(count == 0 ? 0 : 5)).compactMap { _ in
            start("peer-audiosessions", ["crowd", "\(count / 5)"])
        }
        defer {
            for other in others { other.kill() }
            pause(milliseconds: 900)
        }
        guard others.count == (count == 0 ? 0 : 5), others.allSatisfy({ $0.wait(for: "ready", seconds: 60) }),
            let actor = start("peer-audiosessions", ["session", kind]), actor.wait(for: "ready")
        else { return nil }
        defer { actor.stop() }
        return (0..<runs).map { _ in
            actor.send("activate")
            pause(milliseconds: 60)
            actor.send("took")
            let words = actor.nextLine(by: now() + 5_000_000_000)?.split(separator: " ") ?? []
            actor.send("deactivate")
            pause(milliseconds: 60)
            return (words.last.flatMap { Double($0) } ?? 0) / 1000
        }
    }
}
