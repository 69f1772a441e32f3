import AudioSessionCore
import AudioSessionTestKit
import PipeWireGraph
import TestSupport
import Testing

@Suite(.live, .serialized, .timeLimit(.minutes(10)))
struct SinkTapTests {
    private let analog = "alsa_output.pci-virtual_0.analog-stereo"
    private let hdmi = "alsa_output.pci-virtual_0.hdmi-stereo"

    private func withCard(
        quantum: Int? = nil, _ body: (PrivatePipeWire, VirtualCard) async throws -> Void
    ) async throws {
        var options = PrivatePipeWire.Options()
        options.quantum = quantum
        let pipeWire = try await PrivatePipeWire(options)
        do {
            let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
            try await body(pipeWire, card)
        } catch {
            await pipeWire.stop()
            throw error
        }
        await pipeWire.stop()
    }

    @Test(arguments: [nil, 256, 2048]) func aTapReceivesWhatIsPlayed(quantum: Int?) async throws {
        try await withCard(quantum: quantum) { pipeWire, _ in
            let tap = try await SinkTap(sink: analog, remote: pipeWire.remote)
            #expect(await tap.report.loudFrames == 0)
            let tone = try Tone(seconds: 0.25, in: pipeWire)
            let before = MonotonicTime.now
            let result = try await pipeWire.run("timeout", ["60", "pw-play", "--target", analog, tone.path])
            #expect(result.status == 0, "\(result.output)")
            let report = await tap.report
            let first = try #require(report.firstLoudTime)
            let last = try #require(report.lastLoudTime)
            #expect(first >= before)
            // A frame's time is when it is played: at most one cycle after it was counted.
            #expect(last.since(.now) <= .seconds(1) * (quantum ?? 2048) / 48_000)
            // Most of a quarter of a second, because pw-play drops its file's last block.
            #expect(last.since(first) >= .seconds(8_000) / 48_000 && report.loudFrames <= 12_000, "\(report)")
            // A quarter of the tone's period is a whole number of frames, and nothing in between
            // changes a sample.
            #expect(report.peak == 16_000.0 / 32_768)
            #expect(last.since(first) >= .seconds(1) / 48_000 * (Int(report.loudFrames) - 1))
            // The end of the sound may still be on its way.
            try await waitUntil("nothing of it is left") {
                await tap.reset()
                let report = await tap.report
                return report.loudFrames == 0 && report.peak == 0
            }
        }
    }

    /// The graph's clock gives each cycle's time, and the position in it the rest: whole frames lie
    /// between any two.
    @Test func timesAreExactToTheSample() async throws {
        try await withCard { pipeWire, _ in
            let tap = try await SinkTap(sink: analog, remote: pipeWire.remote)
            let tone = try Tone(seconds: 0.1, in: pipeWire)
            _ = try await pipeWire.run("timeout", ["60", "pw-play", "--target", analog, tone.path])
            let report = await tap.report
            let first = try #require(report.firstLoudTime)
            let last = try #require(report.lastLoudTime)
            let frames = last.since(first) / .seconds(1) * 48_000
            #expect(abs(frames - frames.rounded()) < 0.1, "\(frames) frames")
        }
    }

    @Test func aTapReceivesNoOtherSink() async throws {
        try await withCard { pipeWire, _ in
            let tap = try await SinkTap(sink: analog, remote: pipeWire.remote)
            let other = try await SinkTap(sink: hdmi, remote: pipeWire.remote)
            let tone = try Tone(seconds: 0.1, in: pipeWire)
            let result = try await pipeWire.run("timeout", ["60", "pw-play", "--target", hdmi, tone.path])
            #expect(result.status == 0, "\(result.output)")
            #expect(await other.report.loudFrames > 0)
            #expect(await tap.report.loudFrames == 0)
        }
    }

    @Test func aTapFollowsTheNameButNotTheSound() async throws {
        try await withCard { pipeWire, card in
            let other = try await VirtualCard(.usb(), remote: pipeWire.remote)
            let refuge = "alsa_output.usb-Virtual_USB_Headset_0-00.analog-stereo"
            let tap = try await SinkTap(sink: analog, remote: pipeWire.remote)
            let fallback = try await SinkTap(sink: refuge, remote: pipeWire.remote)
            // There is no deadline: the player ends with its PipeWire.
            let tone = try Tone(seconds: 60, in: pipeWire)
            Task { _ = try? await pipeWire.run("pw-play", ["--target", analog, tone.path]) }
            try await tap.waitUntilLoud()
            try await card.remove()
            try await tap.wait(untilAttached: false)
            // The session manager moves the player to the other card, and the tap stays.
            try await fallback.waitUntilLoud()
            await tap.reset()
            await fallback.reset()
            try await fallback.waitUntilLoud()
            #expect(await tap.report.frames == 0)
            try await card.add()
            try await tap.wait(untilAttached: true)
            try await tap.waitUntilHeard(frames: 1)
            await other.close()
        }
    }

    @Test func aMissingSinkIsNamed() async throws {
        try await withCard { pipeWire, _ in
            let error = await #expect(throws: TestKitError.self) {
                _ = try await SinkTap(sink: "no.such.sink", remote: pipeWire.remote, within: .milliseconds(100))
            }
            #expect(error?.code == .timedOut)
            #expect(error?.description.contains("no.such.sink") == true)
        }
    }

    @Test func aClosedTapIsAnError() async throws {
        try await withCard { pipeWire, _ in
            let tap = try await SinkTap(sink: analog, remote: pipeWire.remote)
            await tap.close()
            let error = await #expect(throws: TestKitError.self) { try await tap.waitUntilLoud() }
            #expect(error?.code == .closed)
        }
    }
}
