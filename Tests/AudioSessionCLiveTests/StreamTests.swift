import Foundation
import TestSupport
import Testing

@testable import AudioSessionTestKit

extension ProgramTests {
    private static let sink = "alsa_output.pci-virtual_0.analog-stereo"

    @Test func aProgramInCPlaysByACallbackAndByARing() async throws {
        try await withHeadphones { compiler, pipeWire, card in
            let program = try Program(
                "streams", await compiler.compile("Tests/AudioSessionCLiveTests/Programs/streams.c"), [],
                Compiler.environment(pipeWire))
            try await program.waitForLine("ready")
            let tap = try await SinkTap(sink: Self.sink, remote: pipeWire.remote, threshold: 0.001)
            try await send(program, "render", "render: AS_OK")
            try await tap.waitUntilLoud()
            #expect(try await tap.waitUntilHeard(frames: 24_000).peak == 0.25)
            try await send(program, "silence", "silence: AS_OK")

            try await send(program, "start", "start: AS_OK")
            try program.send("write")
            #expect(try await program.waitForLine("wrote ") == "wrote 24000 missing 0")
            try await program.waitForLine("write: AS_OK")
            try program.send("capture")
            #expect(try await program.waitForLine("captured ") == "captured 4800")
            try await program.waitForLine("capture: AS_OK")
            try program.send("cancel")
            #expect(try await program.waitForLine("canceller ") == "canceller available, echo cancelled")
            try await program.waitForLine("cancel: AS_OK")

            try await send(program, "render", "render: AS_OK")
            try await tap.waitUntilLoud()
            // The context may be destroyed soon after the output.
            try program.send("destroy")
            let lines = [try await program.waitForLine("destroy"), try await program.waitForLine("destroy")]
            #expect(lines.sorted() == ["destroy: AS_OK", "destroyed after calls, functions that wait: refused"])
            #expect(try await program.end() == .code(0))
            await tap.close()
        }
    }

    @Test func anOutputOfAProgramInCPausesWhenHeadphonesArePulled() async throws {
        try await withHeadphones { compiler, pipeWire, card in
            let program = try Program(
                "streams", await compiler.compile("Tests/AudioSessionCLiveTests/Programs/streams.c"), [],
                Compiler.environment(pipeWire))
            try await program.waitForLine("ready")
            let tap = try await SinkTap(sink: Self.sink, remote: pipeWire.remote, threshold: 0.001)
            try await send(program, "render", "running 0")
            try await tap.waitUntilLoud()
            try await card.unplug("headphones")
            try await program.waitForLine("lost Headphones")
            try await program.waitForLine("paused 2")
            #expect(try await program.end() == .code(0))
            await tap.close()
        }
    }

    /// `realtime-check` replaces functions of the C library, which a sanitizer does as well.
    @Test(.enabled(if: Compiler.sanitizer == nil)) func callbacksOfTheLibraryNeitherAllocateNorLock() async throws {
        try await withHeadphones { compiler, pipeWire, card in
            let check = try await compiler.compile("Examples/c/realtime-check.c", ["-shared", "-fPIC"])
            let program = try await compiler.compile("Tests/AudioSessionCLiveTests/Programs/streams.c")
            for allocates in [false, true] {
                let log = "\(check)-\(allocates).log"
                var environment = Compiler.environment(pipeWire)
                environment["LD_PRELOAD"] = check
                environment["REALTIME_CHECK_LOG"] = log
                let streams = try Program("streams", program, [], environment)
                try await streams.waitForLine("ready")
                let tap = try await SinkTap(sink: Self.sink, remote: pipeWire.remote, threshold: 0.001)
                if allocates { try await send(streams, "allocate", "allocate: AS_OK") }
                try await send(streams, "render", "render: AS_OK")
                try await tap.waitUntilLoud()
                _ = try await tap.waitUntilHeard(frames: 48_000)
                try await send(streams, "silence", "silence: AS_OK")
                // The ring, and an input.
                try await send(streams, "start", "start: AS_OK")
                try await send(streams, "write", "write: AS_OK")
                try await send(streams, "capture", "capture: AS_OK")
                #expect(try await streams.end() == .code(0))
                await tap.close()

                let report = try String(contentsOfFile: log, encoding: .utf8)
                let summary = try #require(report.split(separator: "\n").last?.split(separator: " "))
                #expect(try #require(Int(summary[1])) > 50, "\(report)")
                #expect((try #require(Int(summary[4])) > 0) == allocates, "\(report)")
                #expect(report.contains("malloc in a process callback") == allocates)
            }
        }
    }
}
