import AudioSessionCore
import AudioSessionPlayback
import TestSupport
import Testing

/// A player when PipeWire, the session manager or its stream ends or returns.
@Suite struct PlayerStreamTests {
    private let a = AudioPlayer.Item.made("a")
    private let b = AudioPlayer.Item.made("b", frames: 500)
    private let failure = AudioSessionError(.unreadable, "damaged")

    @Test func aPausedStreamIsReplacedAfterARestartOfTheSessionManager() {
        var player = PlayerModel()
        player.start([a])
        player.advance(to: 100)
        player.send(.sessionManagerChanged(isThere: true))
        player.send(.pause)
        player.send(.play(in: .active))
        #expect(player.renewals == 0)
        player.send(.pause)
        player.send(.sessionManagerChanged(isThere: false))
        player.send(.play(in: .active))
        #expect(player.renewals == 1)
    }

    @Test func anUnlinkedStreamIsReplaced() {
        var player = PlayerModel()
        player.start([a])
        player.advance(to: 100)
        player.halt()
        #expect(player.takeWakeUp() == .time(.seconds(3)))
        player.send(.routeKept)
        #expect(player.takeWakeUp() == nil, "further events do not delay it")
        for renewal in 1...3 {
            player.send(.timer)
            #expect(player.renewals == renewal)
        }
        player.send(.timer)
        #expect(player.renewals == 3 && player.wakeUp == nil, "there may be nothing to link it to")
        player.send(.sessionManagerChanged(isThere: true))
        player.send(.timer)
        #expect(player.renewals == 4, "the next may do better")
        player.run()
        #expect(player.sounds)
        player.halt()
        player.send(.streamUnserved(failure))
        player.send(.timer)
        #expect(player.renewals == 4, "the session manager says that there is nothing to link it to")
    }

    /// At boot, a program may play before there is a session manager, or a card.
    @Test(arguments: [true, false]) func theFirstOutputGetsAnotherStreamIfItIsNotLinked(isUnserved: Bool) {
        var player = PlayerModel()
        player.send(.load([a]))
        player.send(.play(in: .active))
        player.decode()
        if isUnserved {
            player.send(.streamUnserved(failure))
        } else {
            for _ in 1...3 { player.send(.timer) }
        }
        let former = player.renewals
        player.send(.timer)
        #expect(player.renewals == former)
        player.send(
            .routeChanged(
                RouteChange(
                    reason: .newDeviceAvailable, previous: RouteDescription(),
                    current: RouteDescription(outputs: [speaker]), time: pulled.time)))
        #expect(player.takeWakeUp() == .time(.seconds(3)))
        player.send(.timer)
        #expect(player.renewals == former + 1)
    }

    @Test func aGateThatClosedByItselfOpensWhenTheStreamRunsAgain() {
        var player = PlayerModel()
        player.start([a])
        player.closeGate()
        player.halt()
        player.run()
        #expect(player.sounds)
    }

    @Test func losingPipeWireKeepsThePosition() {
        var player = PlayerModel()
        player.start([a, b])
        player.advance(to: 1200)
        _ = player.takeNotifications()
        player.send(.connectionLost)
        #expect(player.takeNotifications() == [.stateChanged(.paused(reason: .mediaServicesLost))])
        #expect(player.stream == nil && player.streams.isEmpty)
        player.send(.play(in: .active))
        #expect(player.order?.position == .init(item: 1, frame: 200))
    }

    @Test func losingPipeWireWhilePausedIsNotReported() {
        var player = PlayerModel()
        player.start([a])
        player.advance(to: 100)
        player.send(.pause)
        _ = player.takeNotifications()
        player.send(.connectionLost)
        #expect(player.received.isEmpty)
        #expect(player.stream == nil)
        player.send(.play(in: .active))
        #expect(player.order?.position == .init(item: 0, frame: 100))
    }

    @Test func aDeadStreamIsReplacedAtTheNextPlay() {
        var player = PlayerModel()
        player.start([a])
        player.advance(to: 100)
        player.fail(failure)
        #expect(player.takeNotifications() == [.failed(failure), .stateChanged(.paused(reason: .outputFailed))])
        #expect(player.stream != nil, "it must not go from within its own callback")
        player.fail(failure)
        #expect(player.received.isEmpty)
        player.send(.play(in: .active))
        #expect(player.order?.position == .init(item: 0, frame: 100))
        player.decode()
        player.run()
        #expect(player.sounds)
    }

    @Test func aMissingOutputIsReportedOnce() {
        var player = PlayerModel()
        player.send(.load([a]))
        player.send(.play(in: .active))
        player.decode()
        _ = player.takeNotifications()
        let error = AudioSessionError(.noOutput, "nothing to play to")
        player.send(.streamUnserved(error))
        player.send(.streamUnserved(error))
        #expect(player.takeNotifications() == [.failed(error)])
        #expect(player.state == .playing)
        player.run()
        #expect(player.sounds)
        player.send(.streamUnserved(error))
        #expect(player.takeNotifications() == [.failed(error)])
    }
}
