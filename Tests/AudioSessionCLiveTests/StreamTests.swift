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
            try await program.hear("ready")
            let tap = try await SinkTap(sink: Self.sink, remote: pipeWire.remote, threshold: 0.001)
            try await tell(program, "render", "render: AS_OK")
            try await tap.waitUntilLoud()
            #expect(try await tap.waitUntilHeard(frames: 24_000).peak == 0.25)
            try await tell(program, "silence", "silence: AS_OK")

            try await tell(program, "start", "start: AS_OK")
            try program.send("write")
            #expect(try await program.hear("wrote ") == "wrote 24000 missing 0")
            try await program.hear("write: AS_OK")
            try program.send("capture")
            #expect(try await program.hear("captured ") == "captured 4800")
            try await program.hear("capture: AS_OK")

            try await tell(program, "render", "render: AS_OK")
            try await tap.waitUntilLoud()
            // The context may be destroyed soon after the output.
            try program.send("destroy")
            let lines = [try await program.hear("destroy"), try await program.hear("destroy")]
            #expect(lines.sorted() == ["destroy: AS_OK", "destroyed after calls"])
            #expect(try await program.end() == .code(0))
            await tap.close()
        }
    }

    @Test func anOutputOfAProgramInCPausesWhenHeadphonesArePulled() async throws {
        try await withHeadphones { compiler, pipeWire, card in
            let program = try Program(
                "streams", await compiler.compile("Tests/AudioSessionCLiveTests/Programs/streams.c"), [],
                Compiler.environment(pipeWire))
            try await program.hear("ready")
            let tap = try await SinkTap(sink: Self.sink, remote: pipeWire.remote, threshold: 0.001)
            try await tell(program, "render", "running 0")
            try await tap.waitUntilLoud()
            try await card.unplug("headphones")
            try await program.hear("lost Headphones")
            try await program.hear("paused 2")
            #expect(try await program.end() == .code(0))
            await tap.close()
        }
    }
}
