import Foundation
import Glibc
import TestSupport
import Testing

@testable import AudioSessionTestKit

/// Programs that fork without exec, as prefork servers and Python's multiprocessing do.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct ForkTests {
    private static let source = "Tests/AudioSessionCLiveTests/Programs/forked.c"

    @Test func eachCallInAChildFailsAtOnce() async throws {
        try await with("calls", card: .builtIn()) { program, _ in
            try await program.waitForLine("active, with outputs")
            try await program.waitForLine("exit AS_OK")
            for call in [
                "info", "count", "activate", "deactivate", "configure", "rate", "create", "override", "handler",
                "destroy", "close", "open",
            ] {
                #expect(try await program.waitForLine("\(call) ").hasPrefix("\(call) AS_ERROR_FORKED"))
            }
            // A program that is executed anew may open managers, and so may its children.
            try await program.waitForLine("first AS_OK")
            try await program.waitForLine("exec AS_OK")
            try await program.waitForLine("parent AS_OK")
            try await program.waitForLine("again AS_OK")
            #expect(try await program.end() == .code(0))
        }
    }

    @Test func aSessionIsLostWithItsProcessAlthoughAChildLives() async throws {
        try await with("outlive", besideMusic: true) { program, music in
            let music = try #require(music)
            try await music.waitForLine("interrupted by")
            let line = try await program.waitForLine("child ")
            let child = try #require(pid_t(line.dropFirst("child ".count)))
            defer { kill(child, SIGKILL) }
            try program.send("end")
            // The same holds for any program that ends without deactivating.
            try await music.waitForLine("stays silent")
            #expect(kill(child, 0) == 0, "the child lives")
        }
    }

    @Test func aChildMayOpenTheFirstManager() async throws {
        try await with("first") { program, _ in
            try await program.waitForLine("first AS_OK")
            #expect(try await program.end() == .code(0))
        }
    }

    private func with(
        _ mode: String, besideMusic: Bool = false, card: VirtualCardDescription? = nil,
        _ body: (Program, Program?) async throws -> Void
    ) async throws {
        let compiler = try Compiler()
        defer { compiler.remove() }
        let pipeWire = try await PrivatePipeWire()
        var virtualCard: VirtualCard?
        if let card { virtualCard = try await VirtualCard(card, remote: pipeWire.remote) }
        let environment = Compiler.environment(pipeWire)
        var music: Program?
        if besideMusic {
            music = try Program("C", await compiler.compile("Examples/c/listener.c"), ["music"], environment)
            try await music?.waitForLine("ready")
            try music?.send("activate")
            try await music?.waitForLine("done")
        }
        let program = try Program("forked", await compiler.compile(Self.source), [mode], environment)
        try await body(program, music)
        await music?.kill()
        await virtualCard?.close()
        await pipeWire.stop()
    }
}
