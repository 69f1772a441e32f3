import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import Testing

/// One sink, two ways out of it: what a jack does to a player.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct JackTests {
    @Test func headphonesPluggedInTakeTheSoundWithoutAPause() async throws {
        try await Stage.with(.builtIn()) { stage in
            try await stage.play(on: Sinks.analog)
            await stage.turnPage()
            try await stage.card.plug("headphones")
            try await stage.story.wait(for: "the new route") { !$0.routeChanges.isEmpty }
            try await stage.listen()
            #expect(
                stage.story.events.routeChanges.map(\.summary) == ["newDeviceAvailable: builtInSpeaker -> headphones"]
            )
            #expect(stage.story.events.count == 1, "no pause: \(stage.story.events)")
            #expect(await stage.card.state.nodes.first?.port == "headphones")
            let report = try await stage.ear(at: Sinks.analog).report
            #expect(report.loudFrames == report.frames, "not one frame is missing")
        }
    }

    @Test func headphonesPulledOutPause() async throws {
        try await Stage.with(.builtIn()) { stage in
            try await stage.card.plug("headphones")
            try await stage.machine.wait(for: "the headphones") { !$0.routeChanges.isEmpty }
            try await stage.play(on: Sinks.analog)
            #expect(stage.player.route.outputs.map(\.type) == [.headphones])
            await stage.turnPage()
            try await stage.card.unplug("headphones")
            try await stage.story.wait(for: "the new route") { !$0.routeChanges.isEmpty }
            try await stage.listen()
            #expect(stage.player.state == .paused(reason: .routeLost))
            #expect(stage.story.events.losses.map(\.type) == [.headphones])
            #expect(stage.story.events.states == [.paused(reason: .routeLost)])
            #expect(
                stage.story.events.routeChanges.map(\.summary)
                    == ["oldDeviceUnavailable: headphones -> builtInSpeaker"])
            #expect(stage.story.events.count == 3)
            let late = try await stage.framesAfterNews(at: Sinks.analog)
            #expect(late <= 1024, "at most one cycle, but \(late) frames")
        }
    }
}
