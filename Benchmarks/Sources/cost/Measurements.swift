import AudioSessionTestKit
import BenchmarkSupport
import CostStage

extension Stage {
    /// The processor time of all threads, and of the library's own.
    func idleWakeUps(_ program: Program, _ seconds: Int) -> (all: Int, loop: Int) {
        pause(milliseconds: 500)
        let before = Usage(program.process)
        for _ in 0..<seconds * 2 { pause(milliseconds: 500) }
        let after = Usage(program.process)
        return (after.wakeUps - before.wakeUps, after.wakeUpsOfLoop - before.wakeUpsOfLoop)
    }

    /// Seconds for 1,000 events, half of them new sinks, half removed ones.
    func processorTime(_ program: Program, _ sinks: Int) -> Double {
        let before = Usage(program.process)
        for number in 0..<sinks {
            for word in ["appear", "go"] {
                cause.send("\(word) bench-cost-\(number)")
                pause(milliseconds: 4)
                // Otherwise its pipe would fill up.
                while program.nextLine(by: 0) != nil {}
            }
        }
        pause(milliseconds: 100)
        return (Usage(program.process).processor - before.processor) * 1000 / Double(2 * sinks)
    }

    /// The time from the program's start to its complete state, and its memory then.
    func startUps(_ runs: Int, beside count: Int) -> [[String]] {
        var rows: [[String]] = []
        var times: [String: [Double]] = [:]
        var memory: [String: Int] = [:]
        let peers = Peer.starting + (count == 0 ? Peer.doingNothing : [])
        for run in 0..<runs {
            for place in peers.indices {
                let peer = peers[(place + run) % peers.count]
                let start = now()
                guard let program = self.start(peer) else { continue }
                times[peer.name, default: []].append(Double(now() - start) / 1e6)
                memory[peer.name] = Usage(program.process).memory
                program.stop()
            }
        }
        for peer in peers {
            guard let all = times[peer.name] else { continue }
            rows.append(["start-up beside \(count) objects, p50", peer.name, decimal(all.percentile(50), 1), "ms"])
            rows.append(["memory beside \(count) objects", peer.name, "\(memory[peer.name] ?? 0)", "kB"])
        }
        return rows
    }

    func players(_ seconds: Double) -> [[String]] {
        let file = pipeWire.directory + "/square.wav"
        guard (try? writeSquareWave(seconds: 60, to: file)) != nil else { return [] }
        return [("AudioSessions", "peer-player"), ("pw-play", "pw-play"), ("paplay", "paplay")].map { name, program in
            let what = "processor time of a player"
            guard let player = start(program, [file]) else { return [what, name, "-", "left out: not installed"] }
            defer { player.kill() }
            for _ in 0..<4 { pause(milliseconds: 500) }
            let (begin, before) = (now(), Usage(player.process))
            for _ in 0..<Int(seconds * 2) { pause(milliseconds: 500) }
            let used = Usage(player.process).processor - before.processor
            return [what, name, decimal(used * 1e9 / Double(now() - begin) * 100, 2), "% of one"]
        }
    }
}
