import AudioSessionTestKit
import BenchmarkSupport
import Glibc

/// What happens between two programs, again and again, and what it costs each process of the computer that notices.
extension Stage {
    private struct Cast {
        let other: Program
        let actor: Program
        /// With PipeWire and those that it tells.
        let processes: [(name: String, process: pid_t)]
    }

    /// Processor time of an activation with its release, beside a program whose session mixes, and beside music, which is
    /// interrupted and comes back; and of a sink that comes and goes.
    func turns(_ runs: Int) -> [[String]] {
        let kinds: [(what: String, other: [String], words: [String]?)] = [
            ("an activation with its release", ["crowd", "1"], ["activate", "deactivate"]),
            ("an interruption with its end", ["session", "callback"], ["activate", "deactivate"]),
            ("a sink that comes and goes", ["crowd", "1"], nil),
        ]
        return kinds.flatMap { kind -> [[String]] in
            guard let cast = cast(kind.other) else {
                return [["processor time of \(kind.what)", "-", "-", "not ready"]]
            }
            defer {
                cast.actor.stop()
                cast.other.kill()
                pause(milliseconds: 900)
            }
            let step: (Int) -> Void = { number in
                for (place, word) in (kind.words ?? ["appear", "go"]).enumerated() {
                    if kind.words == nil {
                        cause.send("\(place == 0 ? "appear" : "go") bench-turn-\(number)")
                    } else {
                        cast.actor.send(word)
                    }
                    pause(milliseconds: 20)
                    while cast.other.nextLine(by: 0) != nil {}
                }
            }
            for number in 0..<10 { step(number) }
            let before = cast.processes.map { Usage($0.process).processor }
            for number in 10..<runs + 10 { step(number) }
            let after = cast.processes.map { Usage($0.process).processor }
            var rows: [[String]] = []
            var sum = 0.0
            for (place, process) in cast.processes.enumerated() {
                let time = (after[place] - before[place]) * 1e6 / Double(runs)
                sum += time
                rows.append(["processor time of \(kind.what)", process.name, decimal(time, 0), "us"])
            }
            return rows + [["processor time of \(kind.what)", "all together", decimal(sum, 0), "us"]]
        }
    }

    private func cast(_ other: [String]) -> Cast? {
        guard let other = start("peer-audiosessions", other), other.wait(for: "ready", seconds: 30),
            let actor = start("peer-audiosessions", ["session", "cause"]), actor.wait(for: "ready")
        else { return nil }
        let stack = ["pipewire", "wireplumber", "pipewire-pulse"].flatMap { name in
            Usage.processes(named: name, in: pipeWire.directory).map { (name, $0) }
        }
        return Cast(
            other: other, actor: actor,
            processes: stack + [("the program that does it", actor.process), ("the other program", other.process)])
    }
}
