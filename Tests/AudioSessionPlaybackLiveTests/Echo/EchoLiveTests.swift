import AudioSessionPlayback
import AudioSessionTestKit
import FoundationEssentials
import PipeWireGraph
import TestSupport
import Testing

/// Echo-cancelled input in a simulated room, beside an input that cancels nothing.
@Suite(.liveFirst, .serialized, .timeLimit(.minutes(10))) struct EchoLiveTests {
    @Test func anEchoIsCancelledAndAVoiceIsNot() async throws {
        var story = EchoStory()
        (story.farEnd, story.voice) = (5, 5.5...7.5)
        let figures = try await story.run()
        figures.expect(story, cancellation: 2...5)
    }
}

/// Echo-cancelled input for longer, in more rooms and on more graphs. `Scripts/soak aec` prints the
/// figures.
@Suite(
    .live, .serialized, .timeLimit(.minutes(20)),
    .enabled(if: ProcessInfo.processInfo.environment["AUDIOSESSIONS_SOAK_AEC"] != nil)
)
struct EchoSoakTests {
    @Test(arguments: [(256, 48_000), (1024, 48_000), (256, 44_100), (1024, 44_100)])
    func onAGraph(quantum: Int, rate: Int) async throws {
        try await measure("", EchoStory(quantum: quantum, rate: rate))
    }

    /// The microphone's clock runs 100 ppm faster than the loudspeaker's, and PipeWire does not
    /// compensate that.
    @Test func withAClockThatDrifts() async throws {
        var story = EchoStory()
        story.room.drift = 0.0001
        try await measure("drift of 100 ppm", story)
    }

    @Test(arguments: [10.0, 60.0]) func withAnotherDelay(milliseconds: Double) async throws {
        var story = EchoStory()
        story.room = .office(delay: milliseconds)
        try await measure("delay of \(Int(milliseconds)) ms", story, isGoal: milliseconds < 50)
    }

    /// The sound is late by a latency that PipeWire reports.
    @Test func withAKnownLatency() async throws {
        var story = EchoStory()
        story.room = .office(delay: 120)
        story.room.latency = .milliseconds(100)
        try await measure("delay of 120 ms of which 100 are known", story)
    }

    /// The sound goes on from another loudspeaker in the same room, because the first is removed.
    @Test func whenTheSinkChanges() async throws {
        let story = EchoStory()
        try await measure("another sink at 5 s", story) { room in
            try await waitUntil("5 s", within: .seconds(30)) { await room.spokenFrames > 5 * 48_000 }
            await room.removeLoudspeaker(1)
        }
    }

    private func measure(
        _ name: String, _ story: EchoStory, isGoal: Bool = true,
        _ meanwhile: (VirtualRoom) async throws -> Void = { _ in }
    ) async throws {
        let figures = try await story.run(meanwhile)
        print(figures.line(name, story))
        if isGoal { figures.expect(story, cancellation: 8...16) }
    }
}
