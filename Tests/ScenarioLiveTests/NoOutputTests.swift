import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import TestSupport
import Testing

/// The only card of a computer is removed, for good or with its session manager.
@Suite(.live, .serialized, .timeLimit(.minutes(10)))
struct NoOutputTests {
    @Test func losingAndRegainingTheLastOutputIsOneChangeEach() async throws {
        try await Stage.with(.builtIn()) { stage in
            try await stage.play(on: Sinks.analog)
            await stage.clearHistory()
            try await stage.removeCard()
            #expect(stage.player.state == .paused(reason: .routeLost))
            #expect(stage.log.events.losses.map(\.type) == [.builtInSpeaker])
            #expect(
                stage.log.events.routeChanges.map(\.summary)
                    == ["noSuitableRouteForCategory: builtInSpeaker -> "])
            #expect(stage.player.route.outputs.isEmpty)
            #expect(stage.manager.currentRoute.outputs.isEmpty)
            await stage.clearHistory()
            try await stage.card.add()
            try await stage.managerLog.wait(for: "an output") { !$0.routeChanges.isEmpty }
            try await stage.tap(at: Sinks.analog).wait(untilAttached: true)
            try await stage.tapSinks()
            #expect(await stage.loudFrames() == [:], "nothing starts by itself")
            try await stage.play(on: Sinks.analog)
        }
    }

    @Test func playingWithoutAnOutputReportsItAndWaitsForOne() async throws {
        try await Stage.with(.builtIn()) { stage in
            try await stage.play(on: Sinks.analog)
            await stage.clearHistory()
            try await stage.removeCard()
            try await stage.player.play()
            try await stage.log.wait(for: "the error") { !$0.failures.isEmpty }
            #expect(stage.log.events.failures.map(\.code) == [.noOutput])
            await stage.clearHistory()
            try await stage.card.add()
            try await stage.tap(at: Sinks.analog).waitUntilLoud()
            #expect(stage.player.state == .playing)
        }
    }

    /// All cards are removed with the session manager, and reappear in any order.
    @Test(arguments: [true, false]) func aRestartedSessionManagerIsNoLoss(gracefully: Bool) async throws {
        try await Stage.with(.builtIn(), .usb()) { stage in
            try await stage.play(on: Sinks.usb)
            await stage.clearHistory()
            try await stage.pipeWire.restartSessionManager(gracefully: gracefully)
            for card in stage.cards { try await card.waitUntilTaken() }
            try await stage.tap(at: Sinks.usb).wait(untilAttached: true)
            try await stage.tap(at: Sinks.usb).reset()
            try await stage.tap(at: Sinks.usb).waitUntilLoud()
            try await stage.tapSinks()
            #expect(await Array(stage.loudFrames().keys) == [Sinks.usb])
            #expect(stage.player.state == .playing)
            #expect(stage.log.events == [])
            #expect(stage.managerLog.events.losses == [])
        }
    }
}

extension Stage {
    fileprivate func removeCard() async throws {
        try await card.remove()
        try await log.wait(for: "the loss") { !$0.routeChanges.isEmpty }
        try await managerLog.wait(for: "the computer's loss") { !$0.routeChanges.isEmpty }
    }
}
