import Foundation
import TestSupport
import Testing

/// Checks the scripts without building or installing anything.
@Suite struct ScriptTests {
    private static let project = URL(filePath: #filePath).appending(path: "../../..").standardized

    /// With `CDPATH` in the environment, `cd` prints the folder that it finds.
    @Test func aSearchPathForFoldersDoesNotMisleadAScript() async throws {
        let run = try await ToolRun(
            URL(filePath: "/bin/bash"),
            arguments: ["-c", "cd \"$1\" && Scripts/install --help", "bash", Self.project.path],
            environment: ["CDPATH": "."])
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix("Scripts/install "))
    }

    @Test func thePageListsEveryScript() throws {
        let folder = Self.project.appending(path: "Scripts")
        let scripts = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
            (try? String(contentsOf: folder.appending(path: name), encoding: .utf8))?.hasPrefix("#!") == true
        }
        let page = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
        let listed = page.matches(of: /`Scripts\/([a-z-]+)/).map { String($0.1) }
        #expect(Set(listed) == Set(scripts))
    }
}
