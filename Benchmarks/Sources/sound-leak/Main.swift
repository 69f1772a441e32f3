import ArgumentParser
import AudioSessionTestKit
import AudioSessions
import BenchmarkSupport
import Foundation

@main
struct SoundLeak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sound-leak",
        abstract:
            "The frames on a wrong sink after a lost output: this library's player beside others.",
        discussion: """
            Milliseconds, from what is played to the sinks. Exit code 1 if this library's player is heard on another \
            output after its sink was removed, or if a player that knows nothing of jacks seems to stop.
            """)

    @Option(help: "Losses of each kind for each player.") var runs = 20
    @Option(parsing: .upToNextOption, help: "Quantums in frames, at which this library's player alone is measured.")
    var quanta = [1024, 256, 128, 64]
    @Option(help: "Writes everything that was measured to this file, as JSON.") var json: String?

    func validate() throws {
        guard runs > 0 else { throw ValidationError("There must be at least one run.") }
        guard quanta.allSatisfy({ (32...8192).contains($0) }) else {
            throw ValidationError("A quantum is 32 to 8192 frames.")
        }
    }

    func run() async throws {
        var machine = Machine()
        var figures = Figures()
        try await Self.with(Stage()) { stage in try await measure(on: stage, &figures) }
        for quantum in quanta {
            try await Self.with(Stage(quantum: quantum)) { stage in
                try await measure([.ours(at: quantum)], on: stage, &figures)
            }
        }
        machine.end()
        print("milliseconds; \(machine)\n\n\(figures.table)")
        if let json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            try encoder.encode(Report(machine: machine, rows: figures.rows)).write(to: URL(filePath: json))
        }
        for problem in figures.problems { print("NOT GOOD:", problem) }
        if !figures.problems.isEmpty { throw ExitCode(1) }
    }

    private struct Report: Encodable {
        let machine: Machine
        let rows: [Figures.Row]
    }

    private static func with(_ stage: Stage, _ measure: (Stage) async throws -> Void) async throws {
        do {
            try await measure(stage)
        } catch {
            await stage.close()
            throw error
        }
        await stage.close()
    }

    private func measure(on stage: Stage, _ figures: inout Figures) async throws {
        try await measure(Contestant.all, on: stage, &figures)
        for time in try await stage.interruptions(runs) { figures.add(.ours, .activation, time) }
    }

    /// Another player is first in each run.
    private func measure(_ contestants: [Contestant], on stage: Stage, _ figures: inout Figures) async throws {
        for run in 0..<runs {
            for contestant in contestants.rotated(by: run) {
                figures.add(contestant, .removal, try await stage.removal(contestant))
            }
        }
        try await stage.headset.remove()
        for run in 0..<runs {
            for contestant in contestants.rotated(by: run) {
                figures.add(contestant, .jack, try await stage.jack(contestant))
            }
        }
    }
}

extension Stage {
    /// The sink in use is removed with its card. Everything that is heard on the speaker has
    /// leaked.
    func removal(_ contestant: Contestant) async throws -> Double? {
        guard let player = start(contestant) else { return nil }
        try await usb.waitUntilLoud()
        try await listen(at: usb, seconds: 0.7)
        await speaker.reset()
        try await headset.remove()
        try await listen(at: speaker, seconds: Self.window)
        let leaked = Double(await speaker.report.loudFrames) / 48
        player.kill()
        try await headset.add()
        try await usb.wait(untilAttached: true)
        await usb.reset()
        return leaked
    }

    /// The headphones are pulled, the sink stays: later frames are heard on the speaker.
    func jack(_ contestant: Contestant) async throws -> Double? {
        try await builtIn.plug("headphones")
        try await builtIn.waitUntilTaken()
        guard let player = start(contestant) else { return nil }
        await speaker.reset()
        try await speaker.waitUntilLoud()
        try await listen(at: speaker, seconds: 0.7)
        let time = try await builtIn.unplug("headphones")
        try await listen(at: speaker, seconds: Self.window)
        player.kill()
        return milliseconds(await speaker.report.lastLoudTime, since: time)
    }

    /// Another program's session interrupts.
    func interruptions(_ runs: Int) async throws -> [Double] {
        guard let player = start(.ours) else { throw Program.Failure("peer-player does not start") }
        let other = try startInterrupter()
        var times: [Double] = []
        for _ in 0..<runs {
            await speaker.reset()
            try await speaker.waitUntilLoud()
            try await listen(at: speaker, seconds: 0.3)
            other.send("activate")
            try await listen(at: speaker, seconds: 0.5)
            other.send("time")
            let words = other.nextLine(by: now() + 5_000_000_000)?.split(separator: " ") ?? []
            let time = MonotonicTime(nanoseconds: words.last.flatMap { UInt64($0) } ?? 0)
            times.append(milliseconds(await speaker.report.lastLoudTime, since: time))
            other.send("deactivate")
        }
        other.stop()
        player.kill()
        return times
    }

    private func milliseconds(_ end: MonotonicTime?, since start: MonotonicTime) -> Double {
        end.map { $0.since(start) / .milliseconds(1) } ?? 0
    }
}
