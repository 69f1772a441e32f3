import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import AudioSessionSimulation
@testable import AudioSessionTool

/// Compares the manual pages, and the completions of shells, with the help of the programs.
@Suite(.timeLimit(.minutes(10))) struct ManualTests {
    /// The commands with their options, by the words that call them. The program's own entry is "".
    private static func commands(of program: URL = ToolRun.executable) async throws -> [String: Set<String>] {
        struct Argument: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String
            }
            var names: [Name]?
        }
        struct Command: Decodable {
            var commandName: String
            var arguments: [Argument]?
            var subcommands: [Command]?
        }
        struct Dump: Decodable { var command: Command }
        func collect(_ command: Command, _ words: [String], into commands: inout [String: Set<String>]) {
            let names = (command.arguments ?? []).flatMap { $0.names ?? [] }
            commands[words.joined(separator: " ")] = Set(names.filter { $0.kind == "long" }.map(\.name))
            for next in command.subcommands ?? [] where next.commandName != "help" {
                collect(next, words + [next.commandName], into: &commands)
            }
        }
        let run = try await ToolRun(program, arguments: ["--experimental-dump-help"])
        let dump = try JSONDecoder().decode(Dump.self, from: Data(run.output.utf8))
        var commands: [String: Set<String>] = [:]
        collect(dump.command, [], into: &commands)
        return commands
    }

    /// The lines of a program's page, by heading.
    private static func sections(of program: String = "audiosession") throws -> [String: [String]] {
        let file = URL(filePath: #filePath).appending(path: "../../../Packaging/\(program).1.in").standardized
        var sections: [String: [String]] = [:]
        var heading = ""
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init) {
            if line.hasPrefix(".Sh ") || line.hasPrefix(".Ss ") {
                heading = String(line.dropFirst(4))
                sections[heading] = []
            } else {
                sections[heading, default: []].append(line)
            }
        }
        return sections
    }

    /// The terms that are explained there: each has an entry of its own.
    private static func options(_ lines: [String]) -> Set<String> {
        Set(
            lines.filter { $0.hasPrefix(".It Fl ") }.compactMap { $0.firstMatch(of: /Fl -([a-z-]+)/) }.map {
                String($0.1)
            })
    }

    @Test(arguments: [ToolRun.executable, ToolRun.simulator]) func helpIsASCIIAndFitsInto80Columns(program: URL)
        async throws
    {
        for command in try await Self.commands(of: program).keys.sorted() {
            let words = command.split(separator: " ").map(String.init)
            let help = try await ToolRun(program, arguments: ["help"] + words).output
            for line in help.split(separator: "\n") {
                #expect(line.count <= 80 && line.allSatisfy(\.isASCII), "\(line)")
            }
        }
    }

    /// The rest of a longer line would begin at the margin.
    @Test func noLineOfAListIsWrapped() {
        func check(_ command: any ParsableCommand.Type) {
            for line in command.configuration.discussion.split(separator: "\n") where line.hasPrefix(" ") {
                #expect(line.count <= 80, "\(line)")
            }
            for next in command.configuration.subcommands { check(next) }
        }
        check(AudioSessionTool.self)
        check(AudioSessionSimulation.self)
    }

    @Test func thePageHasEveryCommandAndOptionAndNoOther() async throws {
        let commands = try await Self.commands()
        #expect(commands.count == 15)
        let sections = try Self.sections()
        let common = Self.options(try #require(sections["COMMON OPTIONS"]))
        #expect(common == ["json", "remote", "version", "help"])
        for (command, options) in commands where !command.isEmpty {
            let lines = try #require(sections[command], "the page has no section '\(command)'")
            #expect(Self.options(lines) == options.subtracting(common), "of '\(command)'")
        }
        let headings = sections.keys.filter { !$0.isEmpty && $0 != $0.uppercased() }
        #expect(Set(headings) == Set(commands.keys.filter { !$0.isEmpty }))
    }

    /// The options are on the page of the tool.
    @Test func thePageOfTheSimulationsHasEveryCommandAndNoOther() async throws {
        let commands = try await Self.commands(of: ToolRun.simulator).keys.filter { !$0.isEmpty }
        #expect(commands.count == 4)
        let items = try #require(try Self.sections(of: SimulationProgram.name)["COMMANDS"])
            .filter { $0.hasPrefix(".It Cm ") }
        #expect(items.map { String($0.dropFirst(7)) }.sorted() == commands.sorted())
    }

    @Test func thePageHasEveryExitCodeOfTheHelp() throws {
        let help = AudioSessionTool.configuration.discussion
        let received = help.matches(of: /\n  ([0-9]+) +[a-zA-Z]/).map { String($0.1) }
        let items = try #require(try Self.sections()["EXIT STATUS"]).filter { $0.hasPrefix(".It ") }
        #expect(received.count > 10)
        #expect(items.map { String($0.dropFirst(4)) } == received)
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func aShellCompletesEveryCommandAndOption(shell: String) async throws {
        let script = try await ToolRun("--generate-completion-script", shell)
        #expect(script.exitCode == 0)
        for (command, options) in try await Self.commands() {
            for word in options.union(command.split(separator: " ").map(String.init)) {
                #expect(script.output.contains(word), "\(shell) does not know '\(word)' of '\(command)'")
            }
        }
    }

    /// Each command of the tool that a page for beginners or for troubleshooting names is valid.
    @Test(arguments: ["FirstSound", "Troubleshooting"]) func theCommandsOfAPageAreValid(page: String)
        async throws
    {
        let file = URL(filePath: #filePath).appending(path: "../../../Docs/\(page).md").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        let commands = Set(
            text.matches(of: /[`\n$] ?(?:swift run )?(audiosession(?:-simulate)? [a-z -]+)/).map { String($0.1) })
        #expect(commands.count >= 3)
        for command in commands {
            let words = command.split(separator: " ").map(String.init)
            if words.contains("--version") { continue }
            let isSimulation = words[0] == SimulationProgram.name
            let program: any ParsableCommand.Type = isSimulation ? AudioSessionSimulation.self : AudioSessionTool.self
            #expect(throws: Never.self, "\(command)") { _ = try program.parseAsRoot(Array(words.dropFirst())) }
        }
    }

    @Test func withoutPipeWireTheToolPrintsTheQuotedError() async throws {
        let file = URL(filePath: #filePath).appending(path: "../../../Docs/Troubleshooting.md").standardized
        let run = try await ToolRun(
            "status",
            environment: ["XDG_RUNTIME_DIR": "/nonexistent", "PIPEWIRE_REMOTE": "", "PIPEWIRE_RUNTIME_DIR": ""])
        #expect(run.exitCode == 69)
        #expect(try String(contentsOf: file, encoding: .utf8).contains("$ audiosession status\n\(run.errors)```"))
    }
}
