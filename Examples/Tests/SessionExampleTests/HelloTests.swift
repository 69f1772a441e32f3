import AudioSessionTestKit
import ExampleTestSupport
import Foundation
import Testing

/// The example that new users copy.
@Suite(.timeLimit(.minutes(10))) struct HelloTests {
    /// The steps are those of its README.
    @Test func theExampleStopsForACallAndForPulledHeadphones() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        try await card.plug("headphones")
        try await card.wait(for: "sound on the headphones") { $0.nodes.contains { $0.port == "headphones" } }
        let hello = try ProgramRun("hello-session", [], environment: pipeWire.environment)
        try await hello.line("playing on Headphones")
        let tap = try await SinkTap(sink: "alsa_output.pci-virtual_0.analog-stereo", remote: pipeWire.remote)
        try await tap.waitUntilLoud()
        let call = try ProgramRun(
            "voice-call", ["--answer-after", "0.1", "--seconds", "0.2"], environment: pipeWire.environment)
        try await hello.line("interrupted by voice-call: paused")
        #expect(try await call.end().status == 0)
        try await hello.line("resuming")
        await tap.reset()
        try await tap.waitUntilLoud()
        try await card.unplug("headphones")
        try await hello.line("Headphones is gone: paused")
        try await hello.line("sound goes to Speakers")
        await tap.close()
        await card.close()
        await pipeWire.stop()
    }

    @Test(arguments: [false, true]) func theLossOfPipeWireEndsTheExample(isPaused: Bool) async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        try await card.plug("headphones")
        try await card.wait(for: "sound on the headphones") { $0.nodes.contains { $0.port == "headphones" } }
        let hello = try ProgramRun("hello-session", [], environment: pipeWire.environment)
        try await hello.line("playing on Headphones")
        if isPaused {
            try await card.unplug("headphones")
            try await hello.line("Headphones is gone: paused")
        }
        await pipeWire.killDaemon()
        try await hello.line("stopped: mediaServicesLost")
        #expect(try await hello.end().status == 1)
        await card.close()
        await pipeWire.stop()
    }

    @Test func theExamplePlaysAFileAndReportsAnUnplayableOne() async throws {
        let folder = try Folder()
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let file = try folder.tone(seconds: 0.2, as: "short.wav")
        let short = try ProgramRun("hello-session", [file], environment: pipeWire.environment)
        try await short.line("playing on ")
        #expect(try await short.end().status == 0)
        let missing = try await ProgramRun(
            "hello-session", [folder.path + "/none.wav"], environment: pipeWire.environment
        ).end()
        #expect(missing.status == 1)
        #expect(missing.errors.hasPrefix("hello-session: "))
        await card.close()
        await pipeWire.stop()
    }
}
