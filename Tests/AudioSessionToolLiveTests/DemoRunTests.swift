import AudioSessionTestKit
import Foundation
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionSimulation
@testable import AudioSessionTool

/// The demonstration itself. It counts milliseconds, and mostly waits.
@Suite(.liveAlone, .timeLimit(.minutes(10))) struct DemoRunTests {
    @Test(arguments: [nil, 128]) func noFrameIsHeardOnAWrongOutput(quantum: Int?) async throws {
        let lines = LineCollection()
        let demo = PrivateDemo(
            output: DemoOutput(print: { lines.add($0) }), quantum: quantum, tool: ToolRun.simulator.path)
        let differences = try await demo.run()
        #expect(differences.isEmpty, "\(lines.text)")
        for title in ["1. Headphones", "2. A headset", "3. Headphones", "4. A call", "5. A spoken", "6. A call"] {
            #expect(lines.text.contains("\n\(title)"))
        }
    }

    /// Programs of one group would not interrupt one another.
    @Test func theGroupOfTheUserIsIgnored() async throws {
        let run = try await ToolRun("demo", environment: ["AUDIOSESSION_GROUP": "x"])
        #expect(run.exitCode == 0, "\(run.output)\(run.errors)")
    }

    @Test func theUserCanPullThePlug() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let scratch = try Scratch()
        let demo = try LiveTool(
            "demo", "--here", "--remote", pipeWire.remote, environment: ["TMPDIR": scratch.path])
        #expect(try await demo.line().contains("Plug in headphones"))
        try await card.plug("headphones")
        #expect(try await demo.line() == "Playing on Headphones, listening to 2 sinks. Pull it out now.")
        // It is written already, and a crash leaves no file behind.
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == [])
        // The player plays for a second before the prompt appears.
        try await card.unplug("headphones")
        while try await demo.line() != "Passed: every output that had to be silent was silent." {}
        #expect(demo.seen.contains { $0.hasSuffix("the route is Speakers (oldDeviceUnavailable)") })
        try await demo.expectEnd()
        await pipeWire.stop()
    }

    @Test func withoutPipeWireTheDemonstrationFails() async throws {
        let run = try await ToolRun("demo", "--here", "--remote", "/nowhere/pipewire-0")
        #expect(run.exitCode == 69)
        #expect(run.errors.contains("PipeWire is not running"))
    }
}

/// The demonstration detects faults.
@Suite(.liveFirst, .timeLimit(.minutes(10))) struct DemoFaultTests {
    @Test func aPlayerThatContinuesIsDetected() async throws {
        let lines = LineCollection()
        let demo = PrivateDemo(
            output: DemoOutput(print: { lines.add($0) }), pausesOnRouteLoss: false, tool: ToolRun.simulator.path)
        let differences = try await demo.run()
        #expect(differences.contains("the player did not pause"))
        #expect(
            differences.contains { $0.contains("were heard on Built-in Audio Analog Stereo, which is to be silent") })
    }

    @Test func aPlayerThatDoesNotResumeIsDetected() async throws {
        let lines = LineCollection()
        let demo = PrivateDemo(
            output: DemoOutput(print: { lines.add($0) }), resumesAfterInterruption: false,
            tool: ToolRun.simulator.path)
        #expect(try await demo.run().contains("the player did not resume"), "\(lines.text)")
    }

    @Test func withoutAnotherProgramTheDemonstrationFails() async throws {
        let demo = PrivateDemo(output: DemoOutput(print: { _ in }), tool: "/nowhere/audiosession-simulate")
        let error = await #expect(throws: ToolFailure.self) { try await demo.run() }
        #expect(error?.message.contains("/nowhere/audiosession-simulate cannot be started: No such file") == true)
    }
}

private final class LineCollection: Sendable {
    private let lines = Locked<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    var text: String { lines.withLock { $0.joined(separator: "\n") } }
}
