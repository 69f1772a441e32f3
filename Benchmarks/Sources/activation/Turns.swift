import AudioSessionTestKit
import BenchmarkSupport
import CostStage
import Glibc

/// Repeated interruptions between two programs, and their cost for each process of the computer
/// that receives them.
extension Stage {
    private struct Cast {
        let other: Program
        let actor: Program
        /// The processes, with PipeWire and its clients.
        let processes: [(name: String, process: pid_t)]
    }

    private struct Kind {
        let what: String
        /// The arguments of the acting program, and of the other one.
        var actor = ["session", "cause"]
        let other: [String]
        let steps: [(Cast, Int) -> Void]
    }

    /// The processor time of an activation with its release, with and without a release token,
    /// beside a program whose session mixes; of the same beside music, which is interrupted and
    /// resumes; and of a sink that appears and is removed.
    func turns(_ runs: Int) -> [[String]] {
        let turn = ["activate", "deactivate"].map { word in { (cast: Cast, _: Int) in cast.actor.send(word) } }
        let sink = ["appear", "go"].map { word in
            { (_: Cast, number: Int) in cause.send("\(word) bench-turn-\(number)") }
        }
        let kinds = [
            Kind(what: "a ringtone's activation with its release", other: ["crowd", "1"], steps: turn),
            Kind(
                what: "music's activation with its release", actor: ["session", "music"], other: ["crowd", "1"],
                steps: turn),
            Kind(what: "an interruption with its end", other: ["session", "callback"], steps: turn),
            Kind(what: "a sink that appears and is removed", other: ["crowd", "1"], steps: sink),
        ]
        return kinds.flatMap { rows(of: $0, runs) }
    }

    private func rows(of kind: Kind, _ runs: Int) -> [[String]] {
        let what = "processor time of \(kind.what)"
        guard let cast = cast(kind) else { return [[what, "-", "-", "not ready"]] }
        defer {
            cast.actor.stop()
            cast.other.kill()
            pause(milliseconds: 900)
        }
        perform(kind, cast, 0..<10)
        let before = cast.processes.map { Usage($0.process).processor }
        perform(kind, cast, 10..<runs + 10)
        let after = cast.processes.map { Usage($0.process).processor }
        let times = zip(before, after).map { ($1 - $0) * 1e6 / Double(runs) }
        return zip(cast.processes.map(\.name) + ["all together"], times + [times.reduce(0, +)])
            .map { [what, $0, decimal($1, 0), "us"] }
    }

    private func perform(_ kind: Kind, _ cast: Cast, _ numbers: Range<Int>) {
        for number in numbers {
            for step in kind.steps {
                step(cast, number)
                pause(milliseconds: 20)
                while cast.other.nextLine(by: 0) != nil {}
            }
        }
    }

    private func cast(_ kind: Kind) -> Cast? {
        guard let other = start("peer-audiosessions", kind.other), other.wait(for: "ready", seconds: 30),
            let actor = start("peer-audiosessions", kind.actor), actor.wait(for: "ready")
        else { return nil }
        let stack = ["pipewire", "wireplumber", "pipewire-pulse"].flatMap { name in
            Usage.processes(named: name, in: pipeWire.directory).map { (name, $0) }
        }
        return Cast(
            other: other, actor: actor,
            processes: stack + [("the program that does it", actor.process), ("the other program", other.process)])
    }
}
