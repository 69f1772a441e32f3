import AudioSessionCore
import AudioSessionTool
import Glibc

extension DemoCommand: Simulation {
    func simulate() async throws {
        // The programs of the demonstration must interrupt one another, so they are no group.
        unsetenv(AudioSessionConfiguration.groupVariable)
        let ending = try Ending()
        let output = LineOutput(ending: ending)
        stopAtOnce(ending, output)
        let demo = DemoOutput(output, json: json)
        let differences: [String]
        do {
            if here {
                differences = try await LiveDemo(output: demo, remote: connection.remote).run()
            } else {
                differences = try await PrivateDemo(output: demo, quantum: quantum).run()
            }
        } catch {
            throw ToolFailure(error)
        }
        try demo.conclude(differences)
        guard differences.isEmpty else { throw ToolFailure.differs }
    }

    /// Exits at once when the user ends the demonstration, because an incomplete run shows nothing.
    /// The programs that it started end with this process.
    private func stopAtOnce(_ ending: Ending, _ output: LineOutput) {
        ending.followSignals()
        Task {
            await ending.wait(orUntilAbandoned: output)
            _exit(1)
        }
    }
}
