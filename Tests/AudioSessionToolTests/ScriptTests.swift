import Foundation
import TestSupport
import Testing

/// Checks the scripts without building or installing anything.
@Suite struct ScriptTests {
    private static let project = URL(filePath: #filePath).appending(path: "../../..").standardized

    /// Runs commands of the shell, whose `$1` is the folder of the project.
    private static func bash(_ commands: String, environment: [String: String] = [:]) async throws -> ToolRun {
        try await ToolRun(
            URL(filePath: "/usr/bin/env"), arguments: ["bash", "-c", commands, "bash", project.path],
            environment: environment)
    }

    /// With `CDPATH` in the environment, `cd` prints the folder that it finds.
    @Test func aSearchPathForFoldersDoesNotMisleadAScript() async throws {
        let run = try await Self.bash("cd \"$1\" && Scripts/install --help", environment: ["CDPATH": "."])
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix("Scripts/install "))
    }

    /// The library for C needs a later version of Swift than the others.
    @Test func withoutSwiftTheInstallationNamesTheVersionThatItNeeds() async throws {
        // No program is on the path, so `dirname` is a function.
        let commands = """
            dirname() { echo "${1%/*}"; }
            export -f dirname
            PATH=/nonexistent exec "$BASH" "$1/Scripts/install"
            """
        let run = try await Self.bash(commands)
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("install Swift 6.3 or later"))
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
