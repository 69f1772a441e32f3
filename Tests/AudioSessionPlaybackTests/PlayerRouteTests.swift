import AudioSessionCore
import AudioSessionPlayback
import TestSupport
import Testing

/// The decisions of the state machine when the output is lost.
@Suite struct PlayerRouteTests {
    private let a = AudioPlayer.Item.made("a")

    @Test func pulledHeadphonesPause() {
        var player = PlayerModel()
        player.start([a])
        player.advance(to: 300)
        player.send(.routeEndangered)
        #expect(player.stream?.isGateClosed == true)
        #expect(player.received.isEmpty)
        player.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: true))
        #expect(player.takeNotifications() == [.becameNoisy(headphones), .stateChanged(.paused(reason: .routeLost))])
        #expect(player.stream?.isGateClosed == true)
        #expect(player.stream?.isActive == false)
        player.halt()
        #expect(!player.streams.isEmpty, "the manager has not reported the stream's route yet")
        player.send(.routeChanged(pulled))
        #expect(player.takeNotifications() == [.routeChanged(pulled)])
        #expect(player.streams.isEmpty && player.stream == nil)
        #expect(!player.keepsDecoding && player.wakeUp == nil)
    }

    @Test func anotherOutputReplacesTheStreamAtTheSamePosition() {
        var player = PlayerModel()
        player.start([a])
        player.advance(to: 300)
        let old = player.streams
        player.send(.outputChosen)
        #expect(player.renewals == 1 && player.takeNotifications().isEmpty)
        #expect(player.stream?.isActive == true && player.order != nil)
        #expect(player.streams == old, "until the new stream runs the old route applies")
        player.run()
        #expect(player.streams != old && player.sounds)
        #expect(player.machine.currentPosition(300).frame == 300)
        player.send(.timer)
        #expect(player.renewals == 1, "once")
    }

    @Test func anotherOutputWhilePausedAppliesToTheNextPlay() {
        var player = PlayerModel()
        player.start([a])
        player.send(.pause)
        player.halt()
        player.send(.outputChosen)
        #expect(player.renewals == 0 && player.streams.isEmpty && player.stream == nil)
        player.send(.play(in: .active))
        #expect(player.renewals == 1)
        player.run()
        #expect(player.sounds)
    }

    @Test func anotherOutputDuringAPendingLossIsSilent() {
        var player = PlayerModel()
        player.start([a])
        player.send(.routeEndangered)
        player.send(.outputChosen)
        player.run()
        #expect(!player.sounds)
        player.send(.routeKept)
        #expect(player.sounds)
    }

    @Test func aPausedPlayerDoesNotStartByItself() {
        var player = PlayerModel()
        player.start([a])
        player.send(.routeEndangered)
        player.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: true))
        player.send(.routeChanged(pulled))
        for event in [
            PlayerEvent.playback(.routeKept), .timer, .seek(.init(item: 0, frame: 5)), .enqueue([a]), .pause,
        ] {
            player.send(event)
            player.decode()
            player.run()
            #expect(player.stream == nil)
        }
    }

    @Test func theUserStartsItOnTheNewRouteWithoutLoss() {
        var player = PlayerModel()
        player.start([a])
        player.advance(to: 300)
        let order = player.order
        player.send(.routeEndangered)
        player.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: true))
        player.halt()
        player.send(.routeChanged(pulled))
        player.send(.play(in: .active))
        #expect(player.renewals == 1)
        #expect(player.stream?.isGateClosed == false)
        player.run()
        #expect(player.sounds)
        #expect(player.order == order)
        #expect(player.machine.currentPosition(player.counters.read) == .init(item: 0, frame: 300))
        #expect(player.streams == [player.stream!.node])
    }

    @Test func afterOptingOutItContinues() {
        var player = PlayerModel(pausesOnRouteLoss: false)
        player.start([a])
        player.send(.routeEndangered)
        #expect(!player.sounds)
        player.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: true))
        #expect(player.takeNotifications() == [.becameNoisy(headphones)])
        #expect(player.state == .playing)
        #expect(!player.sounds, "where it continues is not known yet")
        player.send(.routeChanged(pulled))
        #expect(player.sounds)
    }

    /// The output may return before another one is in use.
    @Test(arguments: [PlaybackEvent.routeChanged(pulled), .routeKept])
    func aSessionThatDoesNotPauseIsSilentUntilItsRouteIsKnown(next: PlaybackEvent) {
        var player = PlayerModel()
        player.start([a])
        player.send(.routeEndangered)
        player.halt()
        player.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: false))
        player.run()
        #expect(player.state == .playing && !player.sounds)
        player.send(next)
        player.run()
        #expect(player.sounds)
    }

    @Test func aPauseOfTheDesktopAfterALossAppliesWithTheNewRoute() {
        var player = PlayerModel()
        player.start([a])
        player.send(.routeEndangered)
        player.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: false))
        player.send(.pauseFromDesktop(isAsleep: false, isOfSessionManager: false))
        #expect(player.state == .playing)
        player.send(.routeChanged(pulled))
        #expect(player.state == .paused(reason: .user))
    }

    @Test func aCancelledLossIsOnlyASilence() {
        var player = PlayerModel()
        player.start([a])
        player.send(.routeEndangered)
        #expect(!player.sounds)
        #expect(!player.keepsDecoding)
        player.send(.routeKept)
        #expect(player.sounds)
        #expect(player.keepsDecoding)
        #expect(player.received.isEmpty)
        #expect(player.renewals == 0)
    }

    /// Samples in a resampler must not be heard on the next sink before the policy is evaluated.
    @Test(arguments: [true, false]) func aStreamThatLosesItsSinkIsMadeInactive(dangerFirst: Bool) {
        var player = PlayerModel()
        player.start([a])
        if dangerFirst { player.send(.routeEndangered) }
        player.halt()
        if !dangerFirst { player.send(.routeEndangered) }
        #expect(player.stream?.isActive == false)
        #expect(player.stream?.isGateClosed == true)
        #expect(player.state == .playing)
        #expect(!player.streams.isEmpty, "the manager still watches it")
        player.send(.routeKept)
        #expect(player.renewals == 1)
        player.run()
        #expect(player.sounds)
    }

    /// A session manager that restarts has no output until its devices are back.
    @Test func aMissingOutputDuringAPendingLossIsNotReported() {
        var player = PlayerModel()
        player.start([a])
        player.halt()
        player.send(.routeEndangered)
        player.send(.streamUnserved(nothing))
        player.send(.routeKept)
        #expect(player.received.isEmpty)
        player.run()
        #expect(player.sounds)
        player.halt()
        player.send(.streamUnserved(nothing))
        #expect(player.takeNotifications() == [.failed(nothing)])
    }

    @Test(arguments: [true, false]) func aMissingOutputAfterALossIsReportedToAPlayerThatContinues(pauses: Bool) {
        var player = PlayerModel(pausesOnRouteLoss: pauses)
        player.start([a])
        player.halt()
        player.send(.routeEndangered)
        player.send(.streamUnserved(nothing))
        #expect(player.received.isEmpty)
        player.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: true))
        player.send(.routeChanged(pulled))
        #expect(
            player.takeNotifications()
                == (pauses
                    ? [.becameNoisy(headphones), .stateChanged(.paused(reason: .routeLost)), .routeChanged(pulled)]
                    : [.becameNoisy(headphones), .routeChanged(pulled), .failed(nothing)]))
    }

    private let nothing = AudioSessionError(.noOutput, "made up")

    @Test func aStreamThatIsOnlyMovedStaysActive() {
        var player = PlayerModel()
        player.start([a])
        player.halt()
        #expect(player.stream?.isActive == true)
        #expect(player.state == .playing)
        player.run()
        #expect(player.sounds)
        #expect(player.renewals == 0)
    }

    @Test func pluggingInNeverPauses() {
        var player = PlayerModel()
        player.start([a])
        let change = RouteChange(
            reason: .newDeviceAvailable, previous: pulled.current, current: pulled.previous, time: pulled.time)
        player.send(.routeChanged(change))
        #expect(player.takeNotifications() == [.routeChanged(change)])
        #expect(player.sounds)
    }

    @Test func playingDuringAPendingLossWaitsForItsEnd() {
        var player = PlayerModel()
        player.start([a])
        player.send(.pause)
        player.halt()
        player.send(.routeEndangered)
        player.send(.play(in: .active))
        player.run()
        #expect(!player.sounds)
        player.send(.routeKept)
        #expect(player.sounds)
    }

    @Test func aPausedPlayerIsNotNotifiedOfALoss() {
        var player = PlayerModel()
        player.start([a])
        player.send(.pause)
        _ = player.takeNotifications()
        player.send(.routeEndangered)
        player.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: true))
        #expect(player.received.isEmpty)
        #expect(player.state == .paused(reason: .user))
    }

    @Test func theUsersPauseDuringAPendingLossApplies() {
        var player = PlayerModel()
        player.start([a])
        player.send(.routeEndangered)
        player.send(.pause)
        #expect(player.takeNotifications() == [.stateChanged(.paused(reason: .user))])
        player.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: true))
        #expect(player.received.isEmpty)
        #expect(!player.sounds)
    }

    /// Random events in random order: the model rejects anything impossible, and after a loss there
    /// is no sound.
    @Test(arguments: 0..<40) func anyOrderOfEventsIsValid(seed: UInt64) {
        var random = Random(seed: seed)
        var player = PlayerModel(pausesOnRouteLoss: seed % 4 != 0)
        let items = [a, AudioPlayer.Item.made("mono", channels: 1), AudioPlayer.Item.made("c", frames: 3)]
        player.send(.load(items))
        for _ in 0..<400 {
            step(&player, &random, items)
            if player.state != .playing { #expect(!player.sounds) }
            if case .paused(reason: .routeLost) = player.state { #expect(player.stream?.isGateClosed != false) }
        }
        player.send(.close)
        #expect(player.stream == nil && player.order == nil && player.streams.isEmpty && player.wakeUp == nil)
    }

    private func step(_ player: inout PlayerModel, _ random: inout Random, _ items: [AudioPlayer.Item]) {
        let error = AudioSessionError(.outputFailed, "made up")
        let number = Int(random.next() % 3)
        switch random.next() % 25 {
        case 0: player.send(.load(Array(items.prefix(number))))
        case 1: if player.queue.count < 20 { player.send(.enqueue([items[number]])) }
        case 2, 3, 4: player.send(.play(in: .active))
        case 5: player.send(.pause)
        case 6: player.send(.stop)
        case 7: player.send(.seek(.init(item: number, frame: Int64(random.next() % 1200))))
        case 8: player.send(.routeEndangered)
        case 9: player.send(.routeKept)
        case 10:
            player.send(.routeEndangered)
            player.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: true))
        case 11: player.send(.routeChanged(pulled))
        case 12: player.send(.connectionLost)
        case 13: player.halt()
        case 14: player.fail(error)
        case 15: player.decode()
        case 16, 17: player.run()
        case 18: if let node = player.stream?.node { player.send(.streamLinked(node)) }
        case 19: player.send(.outputChosen)
        case 20:
            player.send(
                [
                    PlaybackEvent.sessionInterrupted, .sessionDeactivated,
                    .outputLostMeanwhile(headphones, from: pulled.previous),
                ][
                    number])
        case 21: player.send(.sessionManagerChanged(isThere: number == 0))
        default: player.advance(to: player.counters.read + random.next() % 700)
        }
    }
}
