import ArgumentParser
import AudioSessionTestKit
import BenchmarkSupport
import CostStage

@main
struct Cost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cost",
        abstract: "The cost of events, of playing and of starting: this library beside others.",
        discussion: "Exit code 1 if this library wakes up while nothing happens.")

    @Option(help: "Sinks that appear and are removed while processor time is measured.") var events = 500
    @Option(help: "Seconds for which nothing happens, and for which players play.") var seconds = 10
    @Option(help: "How often each program is started.") var runs = 10
    @Option(help: "The maximum number of other objects.") var crowd = 5000

    func run() async throws {
        var machine = Machine()
        let stage = try await Stage()
        var table = [["what", "of", "value", "unit"]]
        var idle = 0
        for peer in Peer.all {
            guard let program = stage.start(peer) else {
                table.append(["left out", peer.name, "-", ""])
                continue
            }
            let wakeUps = stage.idleWakeUps(program, seconds)
            let what = "wake-ups in \(seconds) s without events"
            if peer.name == Peer.ours.name {
                idle = wakeUps.loop
                table.append([what, "AudioSessions, its own thread", "\(wakeUps.loop)", ""])
            }
            table.append([what, peer.name, "\(wakeUps.all)", ""])
            let time = stage.processorTime(program, events)
            table.append(["processor time for 1,000 events", peer.name, decimal(time * 1000, 1), "ms"])
            program.stop()
        }
        table += try await stage.allocations(max(1, events / 5))
        table += stage.players(Double(seconds))
        await stage.close()
        table += try await callbacks()
        table += try await startUps()
        machine.end()
        print(machine, textTable(table, left: 2), separator: "\n\n")
        if idle > 0 {
            print("NOT GOOD: this library's thread woke up \(idle) times while nothing happened")
            throw ExitCode(1)
        }
    }

    /// Callbacks are compared at a short quantum, with which they cost the most.
    private func callbacks() async throws -> [[String]] {
        let stage = try await Stage(quantum: 128)
        let rows = try await stage.callbacks(seconds, runs: max(1, runs / 2))
        await stage.close()
        return rows
    }

    /// Each number of objects has its own PipeWire.
    private func startUps() async throws -> [[String]] {
        var rows: [[String]] = []
        for count in [0, 1000, 5000] where count <= crowd {
            let stage = try await Stage()
            stage.cause.send("crowd \(count)")
            guard stage.cause.wait(for: "ready", seconds: 60) else {
                throw Program.Failure("\(count) objects did not appear")
            }
            rows += stage.startUps(runs, beside: count)
            await stage.close()
        }
        return rows
    }
}
