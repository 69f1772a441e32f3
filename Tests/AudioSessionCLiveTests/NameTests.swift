import Foundation
import TestSupport
import Testing

@testable import AudioSessionTestKit

extension ProgramTests {
    /// A terminal interprets control characters, and each program chooses its own name.
    @Test func namesOfOtherProgramsAreEscapedForTerminals() async throws {
        let compiler = try Compiler()
        defer { compiler.remove() }
        let pipeWire = try await PrivatePipeWire()
        let environment = Compiler.environment(pipeWire)
        let c = try await compiler.compile("Examples/c/listener.c")
        var programs = [
            try Program("C", c, ["C"], environment),
            try Program(
                "C++", await compiler.compile("Examples/c/listener.cpp", ["-std=c++17"]), ["C++"], environment),
        ]
        if Compiler.sanitizer == nil, let python = Compiler.find("python3") {
            let script = Compiler.project.appending(path: "Examples/c/listener.py").path
            programs.append(try Program("Python", python, [script, "Python"], environment))
        }
        let other = try Program("evil", c, ["evil\u{1B}]0;x\u{7}\u{9B}31m\u{7F} é"], environment)
        for program in programs + [other] { try await program.waitForLine("ready") }
        for program in programs {
            try await send(program, "activate", "done")
            try await send(other, "activate", "done")
            let line = try await program.waitForLine("interrupted by")
            #expect(line == "interrupted by evil?]0;x??31m? é")
            try await send(other, "deactivate", "done")
            #expect(try await program.end() == .code(0))
        }
        #expect(try await other.end() == .code(0))
        await pipeWire.stop()
    }
}
