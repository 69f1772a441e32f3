import Foundation
import TestSupport
import Testing

@testable import AudioSessionTestKit

/// Programs in several languages beside a private PipeWire.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct ProgramTests {
    @Test func programsInThreeLanguagesInterruptOneAnother() async throws {
        let compiler = try Compiler()
        defer { compiler.remove() }
        let pipeWire = try await PrivatePipeWire()
        let environment = Compiler.environment(pipeWire)
        let c = try Program("C", await compiler.compile("Examples/c/listener.c"), ["in C"], environment)
        let other = try await another(compiler, environment)
        let swift = try Program(
            "Swift", Compiler.products.appending(path: "audiosession").path, ["run"], environment)
        try await swift.waitForLine("ready")
        try swift.send("category playback")
        for program in [c, other] { try await program.waitForLine("ready") }

        try await send(c, "activate", "done")
        try await send(other, "activate", "done")
        try await c.waitForLine("interrupted by in another")
        try await send(swift, "activate", #""reply":"activate","ok":true"#)
        try await other.waitForLine("interrupted by audiosession")
        // The first program again: it takes back, and interrupts the third.
        try await send(c, "activate", "done")
        #expect(try await swift.waitForLine(#""event":"interruptionBegan""#).contains("in C"))

        try await send(c, "deactivate", "done")
        #expect(try await swift.waitForLine(#""event":"interruptionEnded""#).contains(#""shouldResume":true"#))
        try await send(swift, "activate", #""reply":"activate","ok":true"#)
        try await send(swift, "deactivate", #""reply":"deactivate","ok":true"#)
        try await other.waitForLine("may resume")
        try await send(other, "activate", "done")
        try await send(c, "activate", "done")
        try await other.waitForLine("interrupted by in C")
        try await send(c, "silently", "done")
        try await other.waitForLine("stays silent")

        for program in [c, other] { #expect(try await program.end() == .code(0)) }
        await swift.kill()
        await pipeWire.stop()
    }

    @Test func theEnvironmentNamesTheGroupOfACProgram() async throws {
        let compiler = try Compiler()
        defer { compiler.remove() }
        let pipeWire = try await PrivatePipeWire()
        let environment = Compiler.environment(pipeWire).merging(["AUDIOSESSION_GROUP": "shared"]) { $1 }
        let c = try Program("C", await compiler.compile("Examples/c/listener.c"), ["in C"], environment)
        try await c.waitForLine("ready")
        try await send(c, "activate", "done")
        let overview = try await ToolRun("why", "--json", environment: environment)
        #expect(overview.output.contains(#""application":"in C""#))
        #expect(overview.output.contains(#""group":"shared""#), "\(overview.output)")
        #expect(try await c.end() == .code(0))
        await pipeWire.stop()
    }

    /// The program is in Python where it is installed, which works with no sanitizer; else in C++.
    private func another(_ compiler: Compiler, _ environment: [String: String]) async throws -> Program {
        guard Compiler.sanitizer == nil, let python = Compiler.find("python3") else {
            return try Program(
                "C++", await compiler.compile("Examples/c/listener.cpp", ["-std=c++17"]), ["in another"], environment)
        }
        let script = Compiler.project.appending(path: "Examples/c/listener.py").path
        return try Program("Python", python, [script, "in another"], environment)
    }

    func send(_ program: Program, _ command: String, _ answer: String) async throws {
        try program.send(command)
        try await program.waitForLine(answer)
    }

    @Test func aProgramInCPlusPlusIsInterruptedByACall() async throws {
        let compiler = try Compiler()
        defer { compiler.remove() }
        let pipeWire = try await PrivatePipeWire()
        let environment = Compiler.environment(pipeWire)
        let cpp = try Program(
            "C++", await compiler.compile("Examples/c/listener.cpp", ["-std=c++17"]), ["music", pipeWire.remote],
            environment)
        let call = try Program("C", await compiler.compile("Examples/c/listener.c"), ["call"], environment)
        for program in [cpp, call] { try await program.waitForLine("ready") }
        try await send(cpp, "activate", "done")
        try await send(call, "activate", "done")
        try await cpp.waitForLine("interrupted by call")
        await call.kill()
        try await cpp.waitForLine("stays silent")
        #expect(try await cpp.end() == .code(0))
        await pipeWire.stop()
    }

    func withHeadphones(_ body: (Compiler, PrivatePipeWire, VirtualCard) async throws -> Void) async throws {
        let compiler = try Compiler()
        defer { compiler.remove() }
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        try await card.plug("headphones")
        try await card.wait(for: "sound on the headphones") { $0.nodes.contains { $0.port == "headphones" } }
        try await body(compiler, pipeWire, card)
        await card.close()
        await pipeWire.stop()
    }
}

/// A program that prints a route change. A session manager that takes more than 300 ms to choose an
/// output adds a change, so the suite runs alone.
@Suite(.liveAlone, .timeLimit(.minutes(10))) struct PulledHeadphonesTests {
    private let programs = ProgramTests()

    @Test func aProgramInCPausesWhenHeadphonesArePulled() async throws {
        try await programs.withHeadphones { compiler, pipeWire, card in
            let program = try Program(
                "C", await compiler.compile("Examples/c/listener.c"), ["in C"], Compiler.environment(pipeWire))
            try await program.waitForLine("ready")
            try await programs.send(program, "route", "Headphones")
            try await programs.send(program, "activate", "done")
            try await card.unplug("headphones")
            try await program.waitForLine("paused: Headphones is gone")
            try await program.waitForLine("route: from Headphones to Speakers")
            try await programs.send(program, "route", "Speakers")
            #expect(try await program.end() == .code(0))
        }
    }
}

extension ProgramTests {
    /// The programs in the documentation compile unchanged.
    @Test func theProgramsOfTheDocumentationCompile() async throws {
        let page = try String(contentsOf: Compiler.project.appending(path: "Docs/FromC.md"), encoding: .utf8)
        let programs = page.components(separatedBy: "```c\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }.filter { $0.contains("<audiosession.h>") }
        #expect(programs.count == 2)
        let compiler = try Compiler()
        defer { compiler.remove() }
        for (index, program) in programs.enumerated() {
            let source = compiler.folder.appending(path: "page\(index).c")
            try program.write(to: source, atomically: true, encoding: .utf8)
            _ = try await compiler.compile(source.path)
        }
    }
}
