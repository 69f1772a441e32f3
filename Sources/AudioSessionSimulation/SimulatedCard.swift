import AudioSessionTestKit
import AudioSessionTool

/// A virtual card that obeys standard input.
struct SimulatedCard: Sendable {
    let card: VirtualCard
    let output: LineOutput

    /// Until the input ends, the end is asked for, nobody reads the replies, or PipeWire goes.
    func run(until ending: Ending) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await obey(LineInput(ending: ending, limit: SimulatedCardCommand.maximumLength)) }
            group.addTask { await ending.wait(orUntilAbandoned: output) }
            group.addTask { try await waitForLoss() }
            let outcome = await group.nextResult()
            // The others wait for these, not for their tasks' cancellation.
            ending.request()
            await card.close()
            try outcome?.get()
        }
    }

    private func obey(_ input: LineInput) async throws {
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
