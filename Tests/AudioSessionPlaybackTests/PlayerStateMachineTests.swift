import AudioSessionCore
import AudioSessionPlayback
import TestSupport
import Testing

@Suite struct PlayerStateMachineTests {
    private let a = AudioPlayer.Item.made("a")
    private let b = AudioPlayer.Item.made("b", frames: 500)
    private let mono = AudioPlayer.Item.made("mono", rate: 44100, channels: 1)
    private let failure = AudioSessionError(.unreadable, "damaged")

    // MARK: The user

    @Test func playingWaitsForTheFirstSound() {
        var player = PlayerModel()
        player.send(.load([a]))
        #expect(player.takeNotifications() == [.itemChanged(a)])
        #expect(player.stream == nil)
        player.send(.play(in: .active))
        #expect(player.takeNotifications() == [.stateChanged(.playing)])
        #expect(player.stream?.isActive == false)
        #expect(player.order?.position == .init(item: 0, frame: 0))
        #expect(player.shownName == "a")
        player.decode()
        #expect(player.stream?.isActive == true)
        #expect(!player.keepsDecoding)
        player.run()
        #expect(player.sounds)
        #expect(player.keepsDecoding)
        #expect(player.streams == [player.stream!.node])
    }

    @Test func loadingStartsNothing() {
        var player = PlayerModel()
        player.send(.load([a, b]))
        #expect(player.state == .stopped)
        #expect(player.stream == nil && player.order == nil && player.wakeUp == nil)
    }

    @Test func withoutAnItemCommandsHaveNoEffect() {
        var player = PlayerModel()
        for event in [PlayerEvent.play(in: .active), .pause, .stop, .seek(.init(item: 0, frame: 0)), .enqueue([])] {
            player.send(event)
        }
        #expect(player.received.isEmpty)
        #expect(player.state == .stopped)
    }

    @Test func playingTwiceIsLikePlayingOnce() {
        var player = PlayerModel()
        player.start([a])
        player.send(.play(in: .active))
        #expect(player.received.isEmpty)
    }

    @Test func aPauseKeepsRingAndStream() {
        var player = PlayerModel()
        player.start([a])
        player.advance(to: 300)
        player.send(.pause)
        player.halt()
        #expect(player.takeNotifications() == [.stateChanged(.paused(reason: .user))])
        #expect(player.stream?.isActive == false)
        #expect(player.streams.isEmpty)
        #expect(!player.keepsDecoding)
        #expect(player.wakeUp == nil)
        let order = player.order
        player.send(.play(in: .active))
        player.run()
        #expect(player.sounds)
        #expect(player.order == order, "nothing is decoded anew")
        #expect(player.machine.currentPosition(player.counters.read) == .init(item: 0, frame: 300))
        #expect(player.renewals == 0)
    }

    @Test func aPauseBeforeTheFirstSoundKeepsThePlayerSilent() {
        var player = PlayerModel()
        player.send(.load([a]))
        player.send(.play(in: .active))
        player.send(.pause)
        player.decode()
        #expect(player.stream == nil)
        player.send(.play(in: .active))
        #expect(player.stream?.isActive == true)
    }

    /// A player that kept its intent would start by itself when the next interruption ends.
    @Test(arguments: [
        PlayerEvent.playback(.interruptionEnded(shouldResume: false)), .load([.made("b")]), .stop, .pause,
    ])
    func eventsThatEndPlayingCancelTheResumption(with event: PlayerEvent) {
        var player = PlayerModel()
        player.start([a])
        player.send(.sessionInterrupted)
        #expect(player.machine.intent == .resume)
        player.send(event)
        #expect(player.machine.intent == .none)
    }

    /// Events, decoding and streams take time in which sound would be heard on the wrong output.
    @Test(arguments: [PlaybackEvent.sessionInterrupted, .sessionDeactivated, .routeEndangered])
    func theGateClosesBeforeAnythingElse(at event: PlaybackEvent) {
        var player = PlayerModel()
        player.start([a])
        player.send(event)
        #expect(player.actions.first == .setGate(closed: true))
        #expect(player.actions.count { $0 == .setGate(closed: true) } == 1)
        player.send(.routeEndangered)
        #expect(!player.actions.contains(.setGate(closed: true)), "it is closed")
    }

    @Test func stoppingGoesBackToTheItemsBeginning() {
        var player = PlayerModel()
        player.start([a, b])
        player.advance(to: 1200)
        player.send(.stop)
        #expect(player.takeNotifications() == [.itemChanged(b), .stateChanged(.stopped)])
        #expect(player.stream == nil && player.order == nil && player.streams.isEmpty)
        player.send(.play(in: .active))
        #expect(player.order?.position == .init(item: 1, frame: 0))
    }

    @Test func loadingWhilePlayingStops() {
        var player = PlayerModel()
        player.start([a])
        player.send(.load([b]))
        #expect(player.takeNotifications() == [.stateChanged(.stopped), .itemChanged(b)])
        #expect(player.stream == nil)
        #expect(player.machine.currentPosition(0) == .init(item: 0, frame: 0))
    }

    @Test func unloadingClosesTheStream() {
        var player = PlayerModel()
        player.start([a])
        player.send(.load([]))
        #expect(player.takeNotifications() == [.stateChanged(.stopped), .itemChanged(nil)])
        player.send(.play(in: .active))
        #expect(player.state == .stopped)
    }

    @Test func closingClosesTheStream() {
        var player = PlayerModel()
        player.start([a])
        player.send(.close)
        #expect(player.stream == nil && player.order == nil && player.streams.isEmpty && player.wakeUp == nil)
    }

    // MARK: Seeking

    @Test func aSeekWhilePlayingDoesNotStopTheStream() {
        var player = PlayerModel()
        player.start([a])
        player.advance(to: 300)
        player.send(.seek(.init(item: 0, frame: 700)))
        #expect(player.takeNotifications() == [.positionChanged(.init(frames: 700, rate: 48000))])
        #expect(player.sounds)
        #expect(player.order?.position == .init(item: 0, frame: 700))
        #expect(player.machine.currentPosition(300) == .init(item: 0, frame: 700), "shown before it is there")
        player.decode(from: 950)
        player.counters.read = 960
        #expect(player.machine.currentPosition(960) == .init(item: 0, frame: 710))
    }

    @Test func aSeekWhilePausedFillsTheRingAndWaits() {
        var player = PlayerModel()
        player.start([a])
        player.send(.pause)
        player.halt()
        player.send(.seek(.init(item: 0, frame: 100)))
        #expect(player.order?.position.frame == 100)
        player.decode()
        #expect(player.stream?.isActive == false)
        #expect(player.state == .paused(reason: .user))
    }

    @Test func aSeekBeforePlayingIsWherePlayingBegins() {
        var player = PlayerModel()
        player.send(.load([a, b]))
        player.send(.seek(.init(item: 1, frame: 20)))
        #expect(player.stream == nil)
        #expect(player.received.suffix(2) == [.itemChanged(b), .positionChanged(.init(frames: 20, rate: 48000))])
        player.send(.play(in: .active))
        #expect(player.order?.position == .init(item: 1, frame: 20))
    }

    @Test(arguments: [(-5, 0), (1000, 1000), (5000, 1000)])
    func aSeekStaysInTheItem(asked: Int64, expected: Int64) {
        var player = PlayerModel()
        player.start([a])
        player.send(.seek(.init(item: 0, frame: asked)))
        #expect(player.order?.position.frame == expected)
    }

    @Test func aSeekToAnotherFormatMakesAnotherStream() {
        var player = PlayerModel()
        player.start([a, mono])
        player.send(.seek(.init(item: 1, frame: 0)))
        #expect(player.format == mono.format)
        #expect(player.shownName == "mono")
        #expect(player.stream?.isActive == false)
        player.decode()
        player.run()
        #expect(player.sounds)
    }

    @Test func eventsOfAnObsoleteDecoderCommandAreIgnored() throws {
        var player = PlayerModel()
        player.start([a, b])
        let old = try #require(player.order).generation
        player.send(.seek(.init(item: 0, frame: 10)))
        _ = player.takeNotifications()
        player.send(.decoder(.began(generation: old, .init(start: 0, item: 1, frame: 0))))
        player.send(.decoder(.ended(generation: old, frame: 0, itemCount: 2)))
        player.send(.decoder(.failed(generation: old, failure)))
        player.playOut()
        #expect(player.received.isEmpty)
        #expect(player.state == .playing)
    }

    // MARK: One item after the other

    @Test func itemsChangeWhenTheyAreHeard() {
        var player = PlayerModel()
        player.start([a, b])
        #expect(player.wakeUp == .frames(1000, rate: 48000))
        player.advance(to: 990)
        #expect(player.received.isEmpty)
        #expect(player.wakeUp == .frames(10, rate: 48000))
        player.advance(to: 1010)
        #expect(player.takeNotifications() == [.itemChanged(b)])
        #expect(player.shownName == "b")
        #expect(player.machine.currentPosition(1010) == .init(item: 1, frame: 10))
        #expect(player.wakeUp == .frames(490, rate: 48000))
    }

    @Test func playingEndsWhenTheLastFrameIsPlayed() {
        var player = PlayerModel()
        player.start([b])
        player.advance(to: 500)
        #expect(player.state == .playing)
        #expect(player.wakeUp == .cycles)
        player.advance(to: 500)
        #expect(player.state == .playing)
        player.advance(to: 500)
        #expect(player.takeNotifications() == [.stateChanged(.finished), .finished(at: .never)])
        #expect(player.stream == nil && player.streams.isEmpty && player.wakeUp == nil)
        #expect(player.machine.currentPosition(0) == .init(item: 0, frame: 500))
    }

    @Test func aFileOfUnknownLengthEndsAtTheLastFrame() throws {
        var player = PlayerModel()
        player.send(.load([.made("pipe", frames: 0)]))
        player.send(.play(in: .active))
        let generation = try #require(player.order).generation
        player.send(.decoder(.began(generation: generation, .init(start: 0, item: 0, frame: 0))))
        player.send(.decoder(.primed(generation: generation)))
        player.send(.decoder(.ended(generation: generation, frame: 700, itemCount: 1)))
        player.run()
        for _ in 0..<3 { player.advance(to: 700) }
        #expect(player.state == .finished)
        #expect(player.machine.currentPosition(0) == .init(item: 0, frame: 700))
    }

    @Test func playingAfterTheEndStartsOver() {
        var player = PlayerModel()
        player.start([a, b])
        player.playOut()
        #expect(player.state == .finished)
        _ = player.takeNotifications()
        player.send(.play(in: .active))
        #expect(player.takeNotifications() == [.itemChanged(a), .stateChanged(.playing)])
        #expect(player.order?.position == .init(item: 0, frame: 0))
    }

    @Test func playingAfterTheEndContinuesWithAddedItems() {
        var player = PlayerModel()
        player.start([a])
        player.playOut()
        player.send(.enqueue([b]))
        #expect(player.state == .finished)
        player.send(.play(in: .active))
        #expect(player.order?.position == .init(item: 1, frame: 0))
    }

    @Test func anItemAddedInTimeFollowsWithoutAGap() throws {
        var player = PlayerModel()
        player.start([a])
        let generation = try #require(player.order).generation
        player.advance(to: 1000)
        player.send(.enqueue([b]))
        // The decoder has not received it yet, so this is not the end.
        player.playOut()
        #expect(player.state == .playing)
        player.send(.decoder(.began(generation: generation, .init(start: 1000, item: 1, frame: 0))))
        player.send(.decoder(.ended(generation: generation, frame: 1500, itemCount: 2)))
        player.playOut()
        #expect(player.state == .finished)
        #expect(player.received.contains(.itemChanged(b)))
    }

    @Test func anotherFormatFollowsWhenTheOldOneIsPlayed() {
        var player = PlayerModel()
        player.start([a, mono, b])
        player.advance(to: 1000)
        #expect(player.format == a.format)
        player.advance(to: 1000)
        player.advance(to: 1000)
        #expect(player.takeNotifications() == [.itemChanged(mono)])
        #expect(player.format == mono.format)
        #expect(player.state == .playing)
        #expect(player.order?.position == .init(item: 1, frame: 0))
        player.decode()
        player.run()
        #expect(player.sounds)
    }

    @Test func aPauseBetweenTwoFormatsKeepsTheNextOne() {
        var player = PlayerModel()
        player.start([a, mono])
        player.advance(to: 1000)
        player.send(.pause)
        player.halt()
        player.send(.timer)
        #expect(player.format == a.format)
        player.send(.play(in: .active))
        player.run()
        for _ in 0..<3 { player.advance(to: 1000) }
        #expect(player.format == mono.format)
    }

    @Test func aFileThatFailsIsReportedAndSkipped() throws {
        var player = PlayerModel()
        player.send(.load([a, b]))
        player.send(.play(in: .active))
        _ = player.takeNotifications()
        let generation = try #require(player.order).generation
        player.send(.decoder(.failed(generation: generation, failure)))
        player.send(.decoder(.began(generation: generation, .init(start: 0, item: 1, frame: 0))))
        player.send(.decoder(.primed(generation: generation)))
        player.run()
        #expect(player.takeNotifications() == [.failed(failure), .itemChanged(b)])
        #expect(player.sounds)
    }

    /// The position belongs to the current item.
    @Test func theEndIsThatOfTheLastItemThatPlayed() throws {
        var player = PlayerModel()
        player.send(.load([a, b]))
        player.send(.play(in: .active))
        let generation = try #require(player.order).generation
        player.send(.decoder(.began(generation: generation, .init(start: 0, item: 0, frame: 0))))
        player.send(.decoder(.failed(generation: generation, failure)))
        player.send(.decoder(.ended(generation: generation, frame: UInt64(a.frameCount), itemCount: 2)))
        player.run()
        player.playOut()
        #expect(player.state == .finished)
        #expect(player.machine.position == PlaybackTimeline.Position(item: 0, frame: a.frameCount))
    }

    @Test func whenEverythingFailsItIsFinished() throws {
        var player = PlayerModel()
        player.send(.load([a]))
        player.send(.play(in: .active))
        let generation = try #require(player.order).generation
        player.send(.decoder(.failed(generation: generation, failure)))
        player.send(.decoder(.ended(generation: generation, frame: 0, itemCount: 1)))
        player.run()
        player.playOut()
        #expect(player.state == .finished)
    }

    // MARK: Repetitions

    /// The decoder has repeated an item of 1000 frames this many times, and then the ring was full.
    private func repeating(_ count: Int, limit: Int) throws -> PlayerModel {
        var player = PlayerModel()
        player.send(.load([a]))
        player.send(.setRepetitions(limit, restarts: false))
        #expect(player.repetitions == limit)
        player.send(.play(in: .active))
        let generation = try #require(player.order).generation
        for repetition in 0...count {
            let position = PlaybackTimeline.Position(item: 0, frame: 0, repetition: repetition)
            player.send(
                .decoder(.began(generation: generation, .init(start: UInt64(repetition) * 1000, position))))
        }
        player.send(.decoder(.primed(generation: generation)))
        player.run()
        _ = player.takeNotifications()
        return player
    }

    @Test func aRepetitionIsNoEventAndNeedsNoTimer() throws {
        var player = try repeating(3, limit: -1)
        #expect(player.wakeUp == nil)
        player.advance(to: 2300)
        #expect(player.received.isEmpty && player.wakeUp == nil)
        #expect(player.machine.currentPosition(2300) == .init(item: 0, frame: 300, repetition: 2))
    }

    @Test func theEndFollowsTheLastRepetition() throws {
        var player = try repeating(1, limit: 1)
        let generation = try #require(player.order).generation
        player.send(.decoder(.ended(generation: generation, frame: 2000, itemCount: 1, repetitions: 1)))
        player.advance(to: 1500)
        #expect(player.state == .playing)
        for _ in 0..<3 { player.advance(to: 2000) }
        #expect(player.state == .finished)
        player.send(.play(in: .active))
        #expect(player.order?.position == .init(item: 0, frame: 0), "repetitions count from the beginning")
    }

    @Test func aPlayerAtItsEndWaitsForADecoderThatIsToRepeat() throws {
        var player = try repeating(0, limit: 0)
        let generation = try #require(player.order).generation
        player.send(.decoder(.ended(generation: generation, frame: 1000, itemCount: 1)))
        player.advance(to: 1000)
        player.send(.setRepetitions(1, restarts: false))
        player.playOut()
        #expect(player.state == .playing && player.wakeUp == nil)
        let position = PlaybackTimeline.Position(item: 0, frame: 0, repetition: 1)
        player.send(.decoder(.began(generation: generation, .init(start: 1000, position))))
        player.send(.decoder(.ended(generation: generation, frame: 2000, itemCount: 1, repetitions: 1)))
        player.playOut()
        #expect(player.state == .finished)
    }

    @Test func repetitionsThatAreNotWantedAnyMoreAreDropped() throws {
        var player = try repeating(3, limit: -1)
        let generation = try #require(player.order).generation
        player.advance(to: 1200)
        player.send(.setRepetitions(2, restarts: false))
        #expect(player.order?.position == .init(item: 0, frame: 200, repetition: 1))
        #expect(player.order?.generation != generation)
        #expect(player.sounds && player.received.isEmpty)

        // The decoder may have repeated the item before it received the new limit.
        player = try repeating(0, limit: -1)
        let order = try #require(player.order)
        player.send(.setRepetitions(0, restarts: false))
        #expect(player.order == order)
        let position = PlaybackTimeline.Position(item: 0, frame: 0, repetition: 1)
        player.send(.decoder(.began(generation: order.generation, .init(start: 1000, position))))
        #expect(player.order?.position == .init(item: 0, frame: 0))
        #expect(player.order?.generation != order.generation)
    }

    @Test func aSeekCountsTheRepetitionsOnAndARestartDoesNot() throws {
        var player = try repeating(2, limit: 2)
        player.advance(to: 1500)
        player.send(.seek(.init(item: 0, frame: 700)))
        #expect(player.order?.position == .init(item: 0, frame: 700, repetition: 1))
        player.send(.setRepetitions(2, restarts: true))
        #expect(player.order?.position == .init(item: 0, frame: 700))
        player.send(.stop)
        #expect(player.machine.position == .init(item: 0, frame: 0))
    }

    @Test func playingAfterTheEndDuringAnInterruptionStartsOver() {
        var player = PlayerModel()
        player.start([a, b])
        player.playOut()
        _ = player.takeNotifications()
        player.send(.play(in: .interrupted))
        #expect(player.takeNotifications() == [.itemChanged(a), .stateChanged(.paused(reason: .interrupted))])
        player.send(.sessionActivated)
        #expect(player.order?.position == .init(item: 0, frame: 0))
    }
}
