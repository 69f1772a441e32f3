import ArgumentParser
import AudioSessionTestKit
import BenchmarkSupport
import CostStage

@main
struct Activation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activation",
        abstract: "What an activation takes: time, processor time of each process, and cycles of other programs.")

    @Option(help: "How often a session is activated beside each number of others.") var runs = 100
    @Option(help: "How often two programs take turns while processor time is counted.") var turns = 300
    @Option(help: "Activations while another program plays at a quantum of 64.") var activations = 1000
    @Option(help: "How often that is repeated, with and without activations.") var alternations = 10

    func run() async throws {
        var machine = Machine()
        var table = [["what", "of", "value", "unit"]]
        let stage = try await Stage()
        table += stage.activations(runs)
        table += stage.turns(turns)
        await stage.close()
        let shortStage = try await Stage(quantum: 64)
        table += shortStage.missedCycles(activations, alternations)
        await shortStage.close()
        machine.end()
        print(machine, textTable(table, left: 2), separator: "\n\n")
    }
}
