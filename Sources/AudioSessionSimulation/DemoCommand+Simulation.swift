import AudioSessionCore
import AudioSessionTool
import FoundationEssentials
import Glibc

extension DemoCommand: Simulation {
    func simulate() async throws {
        // The programs of the demonstration must interrupt one another, so they are no group.
        unsetenv(AudioSessionConfiguration.groupVariable)
        let ending = try Ending()
        let output = LineOutput(ending: ending)
        let folder = here ? try Self.makeFolder() : nil
        defer { Self.remove(folder) }
        stopAtOnce(ending, output, folder)
        let demo = DemoOutput(output, json: json)
        let differences: [String]
        do {
            if let folder {
                differences = try await LiveDemo(output: demo, remote: connection.remote, folder: folder).run()
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
    private func stopAtOnce(_ ending: Ending, _ output: LineOutput, _ folder: String?) {
        ending.followSignals()
        Task {
            await ending.wait(orUntilAbandoned: output)
            Self.remove(folder)
            _exit(1)
        }
    }

    private static func makeFolder() throws(ToolFailure) -> String {
        let folder = FileManager.default.temporaryDirectory.path + "/audiosession-demo.\(UUID().uuidString)"
        guard mkdir(folder, 0o700) == 0 else {
            throw .cannotWrite(reason: "\(folder) cannot be made (\(systemMessage(errno)))")
        }
        return folder
    }

    private static func remove(_ folder: String?) {
        if let folder { try? FileManager.default.removeItem(atPath: folder) }
    }
}
