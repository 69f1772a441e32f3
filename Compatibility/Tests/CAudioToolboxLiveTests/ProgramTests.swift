import CompatibilityTestSupport
import Foundation
import Testing

@testable import AudioSessionTestKit

/// Programs in C for iPhone OS 2 to 6, on a private PipeWire.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ProgramTests {
    private static let programs = "Compatibility/Tests/CAudioToolboxLiveTests/Programs"

    private struct Stage {
        let compiler: Compiler
        let pipeWire: PrivatePipeWire
        let card: VirtualCard

        func program(_ name: String, _ flags: [String] = []) async throws -> Program {
            try Program(
                name, await compiler.compile("\(ProgramTests.programs)/\(name).c", flags), [],
                Compiler.environment(pipeWire))
        }

        /// A program with a session of the library for C.
        func other() async throws -> Program {
            let other = try Program(
                "other", await compiler.compile("Examples/c/listener.c"), ["in C"], Compiler.environment(pipeWire))
            try await other.waitForLine("ready")
            return other
        }
    }

    private static func withHeadphones(_ body: (Stage) async throws -> Void) async throws {
        let compiler = try Compiler()
        defer { compiler.remove() }
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        try await card.plug("headphones")
        try await card.wait(for: "sound on the headphones") { $0.nodes.contains { $0.port == "headphones" } }
        try await body(Stage(compiler: compiler, pipeWire: pipeWire, card: card))
        await card.close()
        await pipeWire.stop()
    }

    @Test func aPlayerOf2010PausesWhenHeadphonesArePulledAndObeysOthers() async throws {
        try await Self.withHeadphones { stage in
            let player = try await stage.program("classic")
            try await player.waitForLine("on Headphone")
            try await player.waitForLine("playing")
            let other = try await stage.other()
            try await other.send("activate", "done")
            try await player.waitForLine("paused: interrupted")
            try await other.send("deactivate", "done")
            try await player.waitForLine("playing")
            try await stage.card.unplug("headphones")
            try await player.waitForLine("paused: the headphones were pulled")
            try await stage.card.plug("headphones")
            try await player.waitForLine("was on Speaker, reason 1")
            await player.kill()
            #expect(try await other.end() == .code(0))
        }
    }

    /// The listing includes the one header that listings of the time include, and is compiled as C
    /// of that year and as C of today. Another program includes the other headers.
    @Test(arguments: [["-x", "c", "-std=gnu99"], ["-x", "c", "-std=gnu17"]]) func aListingOf2009CompilesAsItIs(
        flags: [String]
    ) async throws {
        try await Self.withHeadphones { stage in
            let headers = try await stage.program("headers2009", flags)
            try await headers.waitForLine("0 medi 1")
            #expect(try await headers.end() == .code(0))
            // Constants of four characters are what the time wrote, and warned about ever since.
            let listing = try await stage.program("listing2009", flags + ["-Wno-four-char-constants"])
            try await listing.waitForLine("Headphone, with headphones")
            let other = try await stage.other()
            try await other.send("activate", "done")
            try await listing.waitForLine("interrupted")
            #expect(try await listing.end() == .code(0))
            #expect(try await other.end() == .code(0))
        }
    }

    /// The program reads the keys of iOS 5: both routes in the change's dictionary, and the
    /// property that has the same.
    @Test func aProgramOf2011ReadsDescriptionsOfRoutes() async throws {
        try await Self.withHeadphones { stage in
            let program = try await stage.program("routes")
            try await program.waitForLine("passed")
            try await program.send("route", "on Headphones")
            try await stage.card.unplug("headphones")
            try await program.waitForLine("from Headphones to Speaker, reason 2")
            try await program.send("route", "on Speaker, as notified")
            try await stage.card.plug("headphones")
            try await program.waitForLine("from Speaker to Headphones, reason 1")
            try await program.send("route", "on Headphones, as notified")
            #expect(try await program.end() == .code(0))
        }
    }

    @Test func propertiesKeepTheirRules() async throws {
        try await Self.withHeadphones { stage in
            let program = try await stage.program("properties")
            try await program.waitForLine("passed")
            #expect(try await program.end() == .code(0))
        }
    }

    /// This interface has no result for a timeout, and no way to set one, so it is the library's
    /// default of 5 s.
    @Test func aCallTimesOutWhilePipeWireIsStopped() async throws {
        try await Self.withHeadphones { stage in
            let program = try await stage.program("deadline")
            try await program.waitForLine("ready")
            await stage.pipeWire.suspendDaemon()
            try program.send("activate")
            let words = try await program.waitForLine("activate ").split(separator: " ")
            try #require(words.count == 3 && words[1] == "2003329396", "\(words)")
            #expect((5_000..<10_000).contains(try #require(Int(words[2]))))
            await stage.pipeWire.resumeDaemon()
            #expect(try await program.end() == .code(0))
        }
    }

    /// What the documentation shows compiles as it stands.
    @Test func theProgramOfTheDocumentationCompiles() async throws {
        let page = try String(contentsOf: Compiler.project.appending(path: "Docs/FromC.md"), encoding: .utf8)
        let programs = page.components(separatedBy: "```c\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }.filter { $0.contains("<AudioToolbox/") }
        try #require(programs.count == 1)
        let compiler = try Compiler()
        defer { compiler.remove() }
        let source = compiler.folder.appending(path: "page.c")
        try programs[0].write(to: source, atomically: true, encoding: .utf8)
        _ = try await compiler.compile(source.path)
    }
}
