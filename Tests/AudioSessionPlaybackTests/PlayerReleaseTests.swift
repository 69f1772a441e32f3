import AudioSessionCore
import AudioSessionPlayback
import TestSupport
import Testing

/// When a player closes its stream, and what ends with a stream, a pending loss or a connection.
@Suite struct PlayerReleaseTests {
    private let a = AudioPlayer.Item.made("a")

    /// WirePlumber 0.4.13 may choose no default while the link of an inactive stream is unfinished.
    @Test(arguments: [PlayerEvent.pause, .playback(.sessionInterrupted), .playback(.sessionDeactivated)])
    func aPausedPlayerOpensNoStreamOnTheNextOutput(event: PlayerEvent) {
        var player = PlayerModel()
        player.start([a])
        player.advance(to: 300)
        player.send(event)
        player.halt()
        player.send(.routeChanged(pulled))
        player.send(.streamLinked(ObjectID(3)))
        #expect(player.stream != nil, "it was not linked again")
        player.send(.streamLinked(player.stream!.node))
        #expect(player.stream == nil && player.order != nil)
        player.send(.seek(.init(item: 0, frame: 700)))
        player.decode()
        player.send(.routeChanged(pulled))
        #expect(player.stream == nil)
        player.send(.play(in: .active))
        #expect(player.renewals == 1 && player.stream?.isGateClosed == false)
        player.run()
        #expect(player.sounds)
        #expect(player.machine.currentPosition(player.counters.read) == .init(item: 0, frame: 700))
    }

    /// A headset is switched, and the session manager moves the sound meanwhile. No default may be
    /// chosen before the link of that stream is removed, or finished.
    @Test func anInterruptionDuringAPendingLossReplacesTheStream() {
        var player = PlayerModel()
        player.start([a])
        player.advance(to: 300)
        player.halt()
        player.send(.routeEndangered)
        #expect(player.stream?.isActive == false)
        player.send(.streamLinked(player.stream!.node))
        #expect(player.renewals == 1 && player.stream?.isActive == true && player.stream?.isGateClosed == true)
        player.run()
        #expect(!player.sounds && player.streams == [player.stream!.node])
        // It is moved to the headset, and needs no replacement.
        player.halt()
        player.send(.routeEndangered)
        player.send(.streamLinked(player.stream!.node))
        player.run()
        player.send(.routeKept)
        #expect(player.renewals == 1)
        #expect(player.sounds && player.machine.currentPosition(player.counters.read) == .init(item: 0, frame: 300))
    }

    /// A stream that has not run yet waits for its first link as well.
    @Test func aPlayerPausedBeforeItsStreamRunsHasNone() {
        var player = PlayerModel()
        player.send(.load([a]))
        player.send(.play(in: .active))
        player.decode()
        player.send(.streamPaused(player.stream?.node))
        player.send(.streamLinked(player.stream!.node))
        #expect(player.stream?.isActive == true && player.renewals == 0)
        player.send(.pause)
        #expect(player.stream == nil)
        player.send(.play(in: .active))
        player.run()
        #expect(player.sounds && player.renewals == 1)
    }

    @Test func aPlayerPausedWhileItsStreamIsMovedHasNone() {
        var player = PlayerModel()
        player.start([a])
        player.halt()
        player.send(.streamLinked(player.stream!.node))
        player.send(.pause)
        #expect(player.stream == nil)
    }

    @Test(arguments: [PlayerEvent.stop, .pause, .playback(.connectionLost)])
    func aMissingOutputIsReportedAgainAfterAStop(after event: PlayerEvent) {
        var player = PlayerModel()
        let error = AudioSessionError(.noOutput, "made up")
        player.start([a])
        for _ in 0..<2 {
            player.send(.streamUnserved(error))
            #expect(player.takeNotifications().contains(.failed(error)))
            player.send(event)
            player.send(.play(in: .active))
        }
    }

    @Test func theEndIsMeasuredByTheStreamThatPlaysIt() {
        var player = PlayerModel()
        player.start([a])
        player.counters.cycles = 1_000_000
        player.advance(to: 1000)
        player.send(.pause)
        player.halt()
        player.send(.streamLinked(player.stream!.node))
        player.send(.play(in: .active))
        player.run()
        player.playOut()
        #expect(player.state == .finished)
    }

    /// The observer of the loss ended with the connection.
    @Test func aPendingLossEndsWithTheConnection() {
        var player = PlayerModel()
        player.start([a])
        player.send(.routeEndangered)
        player.send(.connectionLost)
        player.send(.play(in: .active))
        player.decode()
        player.run()
        #expect(player.sounds)
    }

    /// The output is back before another one was notified.
    @Test func aRouteThatReturnsEndsTheWait() {
        var player = PlayerModel()
        player.start([a])
        player.send(.routeEndangered)
        player.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: true))
        player.halt()
        #expect(!player.streams.isEmpty)
        player.send(.routeKept)
        #expect(player.streams.isEmpty && player.stream == nil)
        #expect(player.state == .paused(reason: .routeLost))
    }
}
