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
            try await stage.expectUnbroken(at: Sinks.analog)
        }
    }

    @Test func headphonesPulledOutPause() async throws {
        try await Stage.with(.builtInWithHeadphones) { stage in
            try await stage.play(on: Sinks.analog)
            #expect(stage.player.route.isOn(.headphones))
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
            #expect(stage.machine.events.losses.count == 1)
            #expect(stage.machine.events.routeChanges.count == 1)
            let late = try await stage.framesAfterGate(at: Sinks.analog)
            #expect(late <= 1024, "at most one cycle, but \(late) frames")
        }
    }

    /// A worn jack, put in: contact is made, lost, made, lost and made within 50 ms. A busy session manager may take
    /// all that for nothing and stay on the speaker; then that is the final state.
    @Test func bouncingPlugIsOneChangeAtMost() async throws {
        try await Stage.with(.builtIn()) { stage in
            try await stage.play(on: Sinks.analog)
            await stage.turnPage()
            try await stage.card.bounce("headphones", times: 5, every: .milliseconds(10))
            try await stage.listen(for: .seconds(1))
            let isPlugged = try await stage.untilRouteIsTheCards() == .headphones
            let changes = isPlugged ? ["newDeviceAvailable: builtInSpeaker -> headphones"] : []
            #expect(stage.story.events.routeChanges.map(\.summary) == changes)
            #expect(stage.story.events.count == changes.count, "no pause: \(stage.story.events)")
            #expect(stage.machine.events.routeChanges.count == changes.count)
            #expect(stage.player.state == .playing)
            #expect(stage.manager.availableOutputs.contains { $0.type == .headphones })
        }
    }

    /// The same, pulled out: lost, made, lost, made and lost. A session manager that stays on the empty jack leaves nothing to
    /// play to, and that is told.
    @Test func bouncingUnplugIsOneLoss() async throws {
        try await Stage.with(.builtInWithHeadphones) { stage in
            try await stage.play(on: Sinks.analog)
            await stage.turnPage()
            try await stage.card.bounce("headphones", times: 5, every: .milliseconds(10))
            try await stage.machine.wait(for: "another route") {
                $0.routeChanges.last?.current.isOn(.headphones) == false
            }
            try await stage.listen(for: .seconds(1))
            #expect(stage.story.events.losses.count == 1)
            #expect(stage.story.events.states == [.paused(reason: .routeLost)])
            #expect(stage.story.events.routeChanges.count == 1)
            #expect(stage.machine.events.losses.count == 1)
            #expect(stage.machine.events.routeChanges.count == 1)
            let port = try #require(await stage.card.state.nodes.first?.port)
            #expect(
                stage.manager.currentRoute.outputs.map(\.type) == (port == "headphones" ? [] : [.builtInSpeaker]))
            let late = try await stage.framesAfterGate(at: Sinks.analog)
            #expect(late <= 1024, "at most one cycle, but \(late) frames")
        }
    }
}

extension VirtualCardDescription {
    /// The headphones have been in for long: what opens now is no contact that bounces.
    fileprivate static var builtInWithHeadphones: Self {
        var card = builtIn()
        for index in card.routes.indices where card.routes[index].port == "headphones" {
            card.routes[index].availability = .yes
        }
        return card
    }
}

extension Stage {
    /// Listens on until the player's route is the one that the card has been told to use.
    fileprivate func untilRouteIsTheCards() async throws -> PortType {
        for _ in 0..<50 {
            let port = await card.state.nodes.first { $0.name == Sinks.analog }?.port
            let type: PortType = port == "headphones" ? .headphones : .builtInSpeaker
            if player.route.isOn(type) { return type }
            try await listen(for: .milliseconds(100))
        }
        throw Unsettled(route: player.route)
    }

    private struct Unsettled: Error { var route: RouteDescription }
}
