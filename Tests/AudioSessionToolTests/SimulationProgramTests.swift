import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import AudioSessionSimulation
@testable import AudioSessionTool

/// `audiosession simulate` and `audiosession demo` replace the tool by another program.
@Suite(.timeLimit(.minutes(10))) final class SimulationProgramTests {
    /// A folder with a copy of the tool, and nothing beside it yet.
    private let folder: URL
    private var tool: URL { folder.appending(path: "audiosession") }

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "audiosession-tests.\(UUID().uuidString)")
        try await Self.shell(#"mkdir "$1"; cp "$2" "$1""#, folder.path, ToolRun.executable.path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A file that this process writes cannot be executed while a program that another test has
    /// just started holds it open, so a shell writes it.
    private static func shell(_ script: String, _ arguments: String...) async throws {
        let run = try await ToolRun(URL(filePath: "/bin/sh"), arguments: ["-ec", script, "sh"] + arguments)
        try #require(run.exitCode == 0, "\(run.errors)")
    }

    /// Adds a program that prints its input and its arguments.
    private func addProgram(in folder: URL, exitCode: Int) async throws {
        let script = #"printf '#!/bin/sh\nread line\necho "$line: $*"\nexit %d\n' "$2" >"$1"; chmod 755 "$1""#
        try await Self.shell(script, folder.appending(path: SimulationProgram.name).path, "\(exitCode)")
    }

    @Test(arguments: [
        (["simulate", "card", "--usb", "--name", "two"], "card --usb --name two"),
        (["simulate", "call", "--seconds", "1"], "call --seconds 1"), (["simulate", "prompt"], "prompt"),
        (["demo", "--json"], "demo --json"),
    ])
    func theProgramBesideTheToolHasItsArgumentsInputAndExitCode(arguments: [String], passed: String) async throws {
        try await addProgram(in: folder, exitCode: 7)
        let run = try await ToolRun(
            tool, arguments: arguments, input: "typed\n", environment: ["PATH": "/nonexistent"])
        #expect(run.output == "typed: \(passed)\n")
        #expect(run.exitCode == 7)
        #expect(run.errors.isEmpty)
    }

    @Test func aProgramOnThePathIsNextAfterOneBesideTheTool() async throws {
        let other = folder.appending(path: "path")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        try await addProgram(in: other, exitCode: 8)
        let environment = ["PATH": "/nonexistent:\(other.path)"]
        #expect(try await ToolRun(tool, arguments: ["demo"], environment: environment).exitCode == 8)
        try await addProgram(in: folder, exitCode: 7)
        #expect(try await ToolRun(tool, arguments: ["demo"], environment: environment).exitCode == 7)
    }

    @Test(arguments: [["simulate", "card"], ["simulate", "call"], ["simulate", "prompt"], ["demo"]])
    func withoutTheProgramTheErrorNamesThePackage(arguments: [String]) async throws {
        let run = try await ToolRun(tool, arguments: arguments, environment: ["PATH": "/nonexistent"])
        #expect(run.exitCode == 72)
        #expect(run.output.isEmpty)
        #expect(
            run.errors.hasPrefix("audiosession: The program audiosession-simulate cannot be started: No such file"))
        #expect(
            run.errors.contains("Install the package audiosession-simulate, or build it: 'swift build --product "))
    }

    @Test func aFileThatIsNoProgramIsAnError() async throws {
        try Data().write(to: folder.appending(path: SimulationProgram.name))
        let run = try await ToolRun(tool, arguments: ["demo"])
        #expect(run.exitCode == 72)
        #expect(run.errors.contains("cannot be started: Permission denied"))
    }

    /// The shell would take an empty file for a script that succeeds.
    @Test func aDamagedProgramIsNotRunByTheShell() async throws {
        try await Self.shell(#": >"$1"; chmod 755 "$1""#, folder.appending(path: SimulationProgram.name).path)
        let run = try await ToolRun(tool, arguments: ["demo"])
        #expect(run.exitCode == 72)
        #expect(run.errors.contains("cannot be started: Exec format error"))
    }

    @Test(arguments: [".", "", "bin"]) func theCurrentFolderIsNotSearched(path: String) async throws {
        let other = folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        try await addProgram(in: other, exitCode: 8)
        let script = #"cd "$1"; PATH=$2 "$3" demo || [ $? = 72 ]"#
        try await Self.shell(script, path == "bin" ? folder.path : other.path, path, tool.path)
    }

    /// Arguments are checked, and help is printed, before another program is needed.
    @Test(arguments: [["simulate", "card"], ["simulate", "call"], ["simulate", "prompt"], ["demo"]])
    func helpEqualsThatOfTheProgramAndDoesNotNeedIt(arguments: [String]) async throws {
        let environment = ["PATH": "/nonexistent"]
        let help = try await ToolRun(tool, arguments: arguments + ["--help"], environment: environment)
        #expect(help.exitCode == 0)
        let other = try await ToolRun(
            ToolRun.simulator, arguments: arguments.filter { $0 != "simulate" } + ["--help"])
        #expect(help.output == other.output && help.output.contains("USAGE: audiosession \(arguments[0])"))
        let wrong = try await ToolRun(tool, arguments: arguments + ["--nonsense"], environment: environment)
        #expect(wrong.exitCode == 64)
    }

    @Test func theProgramPerformsEveryCommandThatTheToolPassesOn() {
        let passed = SimulateCommand.configuration.subcommands + [DemoCommand.self]
        #expect(
            passed.map { $0.configuration.commandName }
                == AudioSessionSimulation.simulations.map { $0.configuration.commandName })
    }
}
