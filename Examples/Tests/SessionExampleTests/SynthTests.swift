import AudioSessionTestKit
import AudioSessions
import ExampleTestSupport
import Foundation
import Testing

@testable import Synth

/// The built synthesizer, and the sound that a sink receives.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SynthTests {
    private static let sink = "alsa_output.pci-virtual_0.analog-stereo"

    /// Runs the synthesizer, and expects that it quits without an error.
    private func withSynth(_ body: (PrivatePipeWire, ProgramRun, SinkTap) async throws -> Void) async throws {
        let pipeWire = try await PrivatePipeWire()
        do {
            let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
            let tap = try await SinkTap(sink: Self.sink, remote: pipeWire.remote)
            let synth = try ProgramRun("synth", [], environment: pipeWire.environment)
            try await synth.line("playing on ")
            try await synth.line("a s d f g h j k")
            try synth.press("a")
            try await tap.waitUntilLoud()
            try await body(pipeWire, synth, tap)
            try synth.press("q")
            #expect(try await synth.end().status == 0)
            await tap.close()
            await card.close()
        } catch {
            await pipeWire.stop()
            throw error
        }
        await pipeWire.stop()
    }

    /// Waits for the frames that were on their way when the gate closed.
    private func drain(_ tap: SinkTap) async throws {
        await tap.reset()
        try await tap.waitUntilHeard(frames: 9_600)
        await tap.reset()
    }

    @Test func keysAreHeardExceptInACall() async throws {
        try await withSynth { pipeWire, synth, tap in
            try synth.press("l")
            try await synth.line("latency ")

            let manager = try await AudioSessionManager.connect(
                .init(remote: pipeWire.remote, applicationName: "Phone"))
            let call = try AudioSession(manager: manager, configuration: .init(.playAndRecord, mode: .voiceChat))
            try await call.activate()
            try await synth.line("interrupted by Phone (process \(getpid()))")
            try await drain(tap)
            try synth.press("sdf")
            #expect(try await tap.waitUntilHeard(frames: 24_000).loudFrames == 0)
            try await call.deactivate()
            try await synth.line("the interruption is over: resuming")
            try synth.press("k")
            try await tap.waitUntilLoud()
            await manager.close()
        }
    }

    @Test func aKeyPlaysAgainAfterAnInterruptionWithoutAdvice() async throws {
        try await withSynth { pipeWire, synth, tap in
            let manager = try await AudioSessionManager.connect(
                .init(remote: pipeWire.remote, applicationName: "Film"))
            let film = try AudioSession(manager: manager, configuration: .init(.playback))
            try await film.activate()
            try await synth.line("interrupted by Film")
            try await drain(tap)
            try await film.deactivate([])
            try await synth.line("the interruption is over: staying silent")
            try synth.press("k")
            try await tap.waitUntilLoud()
            await manager.close()
        }
    }

    @Test func theKeysAreThoseOfAPiano() {
        #expect(Keyboard.string(of: "a") == 0 && Keyboard.string(of: "k") == 12)
        #expect(Keyboard.string(of: "x") == nil)
    }
}
