import AudioSessionTestKit
import AudioSessions
import BenchmarkSupport
import CostStage

extension Stage {
    /// The processor time and the latency of a render callback in an output, and in a C program's
    /// own `pw_stream`. Both play at the same time, so that each cycle is the same for both.
    func callbacks(_ seconds: Int, runs: Int) async throws -> [[String]] {
        let peers = [("AudioSessions", "peer-output"), ("C pw_stream", "peer-stream")]
        var (shares, latencies): ([[Double]], [[Double]]) = ([[], []], [[], []])
        let tap = try await SinkTap(
            sink: "alsa_output.pci-virtual_0.analog-stereo", remote: pipeWire.remote, threshold: 0.3)
        for run in 0..<runs {
            let order = run % 2 == 0 ? [0, 1] : [1, 0]
            let programs = order.compactMap { start(peers[$0].1, []) }
            defer { for program in programs { program.stop() } }
            guard programs.count == 2, programs.allSatisfy({ $0.wait(for: "ready", seconds: 30) }) else { continue }
            pause(milliseconds: 500)
            let (begin, before) = (now(), programs.map { Usage($0.process).processor })
            for _ in 0..<seconds * 2 { pause(milliseconds: 500) }
            let (time, after) = (Double(now() - begin) / 1e9, programs.map { Usage($0.process).processor })
            for (place, peer) in order.enumerated() {
                shares[peer].append((after[place] - before[place]) / time * 100)
                let heardBefore = latencies[peer].count
                var missed: TestKitError?
                for _ in 0..<10 {
                    await tap.reset()
                    programs[place].send("click")
                    guard let line = programs[place].nextLine(by: now() + 2_000_000_000),
                        let rendered = line.split(separator: " ").last.flatMap({ UInt64($0) }), rendered > 0
                    else { continue }
                    do {
                        guard let heard = try await tap.waitUntilLoud(within: .seconds(1)).firstLoudTime else {
                            continue
                        }
                        // The tap has the time at which the cycle began.
                        latencies[peer].append(Double(heard.nanoseconds) - Double(rendered))
                    } catch {
                        // The graph does not wait for a program that is late in this cycle.
                        missed = error
                    }
                }
                if let missed, latencies[peer].count == heardBefore { throw missed }
            }
        }
        await tap.close()
        let ratios = zip(shares[0], shares[1]).map { $0 / $1 }
        guard !ratios.isEmpty, latencies.allSatisfy({ !$0.isEmpty }) else {
            return [["left out", "callbacks at a quantum of 128", "-", ""]]
        }
        var rows: [[String]] = []
        for (place, peer) in peers.enumerated() {
            let share = decimal(shares[place].percentile(50), 2)
            rows.append(["processor time of a callback at quantum 128, p50", peer.0, share, "% of one"])
        }
        rows.append(["the same, AudioSessions divided by C, p50", "", decimal(ratios.percentile(50), 2), ""])
        let later = (latencies[0].percentile(50) - latencies[1].percentile(50)) / 1e6
        rows.append(["its sound at the sink, AudioSessions after C, p50", "", decimal(later, 2), "ms"])
        return rows
    }
}
