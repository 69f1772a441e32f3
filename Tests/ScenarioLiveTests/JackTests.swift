import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// A player on one sink with two ports, of which one is a jack.
@Suite(.liveAlone, .serialized, .timeLimit(.minutes(10)))
struct JackTests {
    @Test func pluggedHeadphonesBecomeTheOutputWithoutAPause() async throws {
        try await Stage.with(.builtIn()) { stage in
            try await stage.play(on: Sinks.analog)
            await stage.clearHistory()
            try await stage.card.plug("headphones")
            try await stage.log.wait(for: "the new route") { !$0.routeChanges.isEmpty }
            try await stage.tapSinks()
            #expect(
                stage.log.events.routeChanges.map(\.summary) == ["newDeviceAvailable: builtInSpeaker -> headphones"]
            )
            #expect(stage.log.events.count == 1, "no pause: \(stage.log.events)")
            #expect(await stage.card.state.nodes.first?.port == "headphones")
            try await stage.expectUnbroken(at: Sinks.analog)
        }
    }

    @Test func pulledHeadphonesPause() async throws {
        try await Stage.with(.builtInWithHeadphones) { stage in
            try await stage.play(on: Sinks.analog)
            #expect(stage.player.route.isOn(.headphones))
            try await stage.clearHistory(whileLoudAt: Sinks.analog)
            try await stage.card.unplug("headphones")
            try await stage.log.wait(for: "the new route") { !$0.routeChanges.isEmpty }
            try await stage.tapSinks()
            #expect(stage.player.state == .paused(reason: .routeLost))
            #expect(stage.log.events.losses.map(\.type) == [.headphones])
            #expect(stage.log.events.states == [.paused(reason: .routeLost)])
            #expect(
                stage.log.events.routeChanges.map(\.summary)
                    == ["oldDeviceUnavailable: headphones -> builtInSpeaker"])
            #expect(stage.log.events.count == 3)
            #expect(stage.managerLog.events.losses.count == 1)
            #expect(stage.managerLog.events.routeChanges.count == 1)
            let late = try await stage.framesAfterGate(at: Sinks.analog)
            #expect(late <= 1024, "at most one cycle, but \(late) frames")
        }
    }

    /// A worn jack is plugged in: its contact closes, opens, closes, opens and closes within 50 ms.
    /// A busy session manager may ignore all that, or miss the last contact and return to the
    /// speaker; then that is the final state.
    @Test func aBouncingPlugIsAtMostOneChange() async throws {
        try await Stage.with(.builtIn()) { stage in
            try await stage.play(on: Sinks.analog)
            await stage.clearHistory()
            let contacts = try await stage.bounce()
            try await stage.tapSinks(for: .seconds(1))
            try await stage.untilRouteIsTheCards()
            #expect(stage.manager.availableOutputs.contains { $0.type == .headphones })
            guard await !stage.isLate(after: contacts) else { return }
            let changes = stage.log.events.routeChanges
            #expect(stage.log.events.count == changes.count, "no pause: \(stage.log.events)")
            #expect(stage.player.state == .playing)
            let isOnSpeaker = stage.player.route.isOn(.builtInSpeaker)
            for changes in [changes, stage.managerLog.events.routeChanges] {
                let expected = isOnSpeaker ? [[], [plugged, missed]] : [[plugged]]
                let received = changes.map(\.summary)
                #expect(expected.contains(received), "\(received)")
            }
        }
    }

    /// A worn jack is pulled out. A session manager may miss the last contact and return to the
    /// empty jack, before or after the speaker is notified. Then there is no output, and that is
    /// notified.
    @Test func aBouncingUnplugIsOneLoss() async throws {
        try await Stage.with(.builtInWithHeadphones) { stage in
            try await stage.play(on: Sinks.analog)
            try await stage.clearHistory(whileLoudAt: Sinks.analog)
            let contacts = try await stage.bounce()
            try await stage.managerLog.wait(for: "another route") { !$0.routeChanges.isEmpty }
            try await stage.log.wait(for: "the player's other route") { !$0.routeChanges.isEmpty }
            try await stage.tapSinks(for: .seconds(1))
            try await stage.untilRouteIsTheCards()
            let late = try await stage.framesAfterGate(at: Sinks.analog)
            #expect(late <= 1024, "at most one cycle, but \(late) frames")
            guard await !stage.isLate(after: contacts) else { return }
            #expect(stage.log.events.losses.count == 1)
            #expect(stage.log.events.states == [.paused(reason: .routeLost)])
            #expect(stage.managerLog.events.losses.count == 1)
            let isOnNothing = stage.player.route.outputs.isEmpty
            for changes in [stage.log.events.routeChanges, stage.managerLog.events.routeChanges] {
                let received = changes.map(\.summary)
                let expected = isOnNothing ? [[pulledToNothing], [pulled, noLonger]] : [[pulled]]
                #expect(expected.contains(received), "\(received)")
                let isOnEmptyJack = changes.contains { $0.current.isOn(.headphones) }
                #expect(!isOnEmptyJack, "nothing is in the jack: \(received)")
            }
        }
    }

    private let plugged = "newDeviceAvailable: builtInSpeaker -> headphones"
    private let pulled = "oldDeviceUnavailable: headphones -> builtInSpeaker"
    private let pulledToNothing = "noSuitableRouteForCategory: headphones -> "
    private let noLonger = "noSuitableRouteForCategory: builtInSpeaker -> "
    private let missed = "routeConfigurationChange: headphones -> builtInSpeaker"
}

extension VirtualCardDescription {
    /// The headphones have been plugged in for long, so that an opening contact does not count as
    /// bouncing.
    static var builtInWithHeadphones: Self {
        var card = builtIn()
        for index in card.routes.indices where card.routes[index].port == "headphones" {
            card.routes[index].availability = .yes
        }
        return card
    }
}

extension Stage {
    /// Waits until the notified route is the one of the card: no output, if that is an empty jack.
    fileprivate func untilRouteIsTheCards() async throws {
        for _ in 0..<50 {
            let card = await card.state
            let port = card.nodes.first { $0.name == Sinks.analog }?.port
            let outputs: [PortType] =
                port == "speaker" ? [.builtInSpeaker] : card.availability["headphones"] == .yes ? [.headphones] : []
            let received = [player.route, manager.currentRoute].map { $0.outputs.map(\.type) }
            if received == [outputs, outputs] { return }
            try await tapSinks(for: .milliseconds(100))
        }
        throw Unsettled(route: player.route)
    }

    /// Five contacts of the headphones in 40 ms.
    fileprivate func bounce() async throws -> Contacts {
        let first = MonotonicTime.now
        return Contacts(
            first: first, last: try await card.bounce("headphones", times: 5, every: .milliseconds(10)))
    }

    /// Whether this computer is too slow for a single change: the contacts took longer, so they may
    /// count as several plugs, or the session manager switched after they had settled.
    /// WirePlumber may do that endlessly, because it restores whatever has become active, and so
    /// makes it active once more.
    fileprivate func isLate(after contacts: Contacts) async -> Bool {
        guard contacts.last < contacts.first + .milliseconds(80) else { return true }
        return await card.choiceTime.map { $0 > contacts.last + .milliseconds(50) } ?? false
    }

    fileprivate struct Contacts {
        var first, last: MonotonicTime
    }

    private struct Unsettled: Error { var route: RouteDescription }
}
