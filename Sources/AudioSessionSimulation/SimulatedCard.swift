import AudioSessionTestKit
import AudioSessionTool

/// A virtual card that executes the commands of standard input.
struct SimulatedCard: Sendable {
    let card: VirtualCard
    let output: LineOutput

    /// Runs until the input ends, the user requests the end, the output is closed, or PipeWire
    /// ends.
    func run(until ending: Ending) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await executeCommands(of: LineInput(ending: ending, limit: SimulatedCardCommand.maximumLength))
            }
            group.addTask { await ending.wait(orUntilAbandoned: output) }
            group.addTask { try await waitForLoss() }
            let outcome = await group.nextResult()
            // The other tasks wait for the ending and ignore the cancellation of their tasks.
            ending.request()
            await card.close()
            try outcome?.get()
        }
    }

    private func executeCommands(of input: LineInput) async throws {
        var input = input
        let console = VirtualCardConsole(card)
        try output.write(await console.ready())
        while let line = await input.next() {
            let answer = await console.perform(line)
            if let reply = answer.reply { try output.write(reply) }
            if answer.isLast { return }
        }
    }

    private func waitForLoss() async throws {
        do {
            try await card.wait(for: "the end of PipeWire", within: .seconds(1_000_000_000)) { _ in false }
        } catch {
            if error.code != .closed { throw ToolFailure(error) }
        }
    }
}
