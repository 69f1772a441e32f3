import ArgumentParser
import BenchmarkSupport
import EventLedger
import Foundation

@main
struct EventLatency: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event-latency",
        abstract: "The latency of events from their cause to the handler: this library beside others.",
        discussion: """
            Runs a PipeWire of its own. One peer at a time is connected, for a block of events; the order of the peers \
            rotates from block to block. Microseconds. Exit code 1 if the slow peer does not show as slow, if the liar is \
            not caught, or if anybody else reports what never was.
            """)

    @Option(help: "Events of each kind for each peer.") var events = 1000
    @Option(help: "Blocks into which they are divided.") var rounds = 50
    @Option(help: "Names and gaps are the same for the same number.") var seed: UInt64 = 1
    @Option(help: "Of these kinds only, with commas: nodes,kill,default,jack,volume,session.") var kinds: String?
    @Option(help: "Beside the floor only this peer, or all whose names begin so; can be given several times.")
    var peer: [String] = []
    @Option(help: "Starts this library's peers by this command: strace, perf record.") var under: String?
    @Option(help: "Writes everything that was measured to this file, as JSON.") var json: String?

    func validate() throws {
        guard events > 0, rounds > 0, rounds <= events else {
            throw ValidationError("There must be at least one event in each of the rounds.")
        }
        _ = try chosenKinds()
    }

    func run() async throws {
        var machine = Machine()
        let stage = try await Stage()
        stage.tracer = under.map { $0.split(separator: " ").map(String.init) } ?? []
        var results = Results()
        let kinds = try chosenKinds()
        do {
            for round in 0..<rounds {
                FileHandle.standardError.write(Data("round \(round + 1) of \(rounds)\n".utf8))
                for kind in kinds { try await play(kind, round, on: stage, &results) }
            }
        } catch {
            await stage.close()
            throw error
        }
        await stage.close()
        let credibility = Credibility(results, missing: stage.missing)
        machine.end()
        report(results, credibility, machine)
        if let json { try write(results, credibility, machine, to: json) }
        if !credibility.isGood { throw ExitCode(1) }
    }

    private func report(_ results: Results, _ credibility: Credibility, _ machine: Machine) {
        print("microseconds; \(machine)")
        print()
        print(results.table)
        print()
        for finding in credibility.findings { print(finding.isGood ? "-" : "NOT GOOD:", finding.text) }
        print()
        print("microseconds, on average of the half that was neither among the quickest nor the slowest quarter")
        print()
        print(results.courses(\.course))
        print()
        print("the same around the p99: of the slowest fiftieth, without the quickest and the slowest quarter of it")
        print()
        print(results.courses(\.tail))
    }

    private func play(_ kind: Kind, _ round: Int, on stage: Stage, _ results: inout Results) async throws {
        let observers = chosenPeers.filter { $0.kinds.contains(kind) }
        let count = events * (round + 1) / rounds - events * round / rounds
        for place in observers.indices {
            let observer = observers[(place + round) % observers.count]
            // All peers get the same names and pauses.
            guard var block = Block(stage, kind, observer, seed: seed &* 1_000_003 &+ UInt64(round)) else { continue }
            try await block.run(count)
            results.add(block.ledger, of: observer, round: round)
        }
    }

    private var chosenPeers: [Observer] {
        guard !peer.isEmpty else { return Observer.all }
        return Observer.all.filter { observer in ([Observer.floor] + peer).contains { observer.name.hasPrefix($0) } }
    }

    private func chosenKinds() throws -> [Kind] {
        guard let kinds else { return Kind.allCases }
        return try kinds.split(separator: ",").map { word in
            guard let kind = Kind(rawValue: String(word)) else { throw ValidationError("\(word) is no kind.") }
            return kind
        }
    }

    private struct Report: Encodable {
        let events, rounds: Int
        let seed: UInt64
        let unit = "us"
        let machine: Machine
        let rows: [Results.Row]
        let credibility: Credibility
    }

    private func write(_ results: Results, _ credibility: Credibility, _ machine: Machine, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let report = Report(
            events: events, rounds: rounds, seed: seed, machine: machine, rows: results.rows, credibility: credibility
        )
        try encoder.encode(report).write(to: URL(filePath: path))
    }
}
