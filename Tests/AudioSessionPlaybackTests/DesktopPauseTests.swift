import AudioSessionCore
import AudioSessionPlayback
import TestSupport
import Testing

/// Pauses by clients of the desktop, of which one is the session manager.
@Suite struct DesktopPauseTests {
    private let a = AudioPlayer.Item.made("a")

    @Test func theDesktopsPauseCountsOnlyWhilePlaying() {
        var player = PlayerModel()
        player.start([a])
        player.send(.pauseFromDesktop(isAsleep: false, isOfSessionManager: false))
        #expect(player.state == .paused(reason: .user))
        player.send(.play(in: .active))
        player.send(.routeEndangered)
        player.wait(.milliseconds(300))
        player.send(.pauseFromDesktop(isAsleep: false, isOfSessionManager: false))
        #expect(player.state == .playing, "a lost output may be the reason")
        player.send(.routeKept)
        #expect(player.state == .paused(reason: .user), "it was not")
        player.send(.play(in: .active))
        player.send(.routeEndangered)
        player.send(.pauseFromDesktop(isAsleep: false, isOfSessionManager: false))
        player.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: true))
        #expect(player.state == .paused(reason: .routeLost))
        player.send(.pauseFromDesktop(isAsleep: false, isOfSessionManager: false))
        #expect(player.state == .paused(reason: .routeLost), "it may continue when they return")
        player.send(.pause)
        #expect(player.state == .paused(reason: .user))
    }

    /// A session manager pauses the players of a removed sink, and a headset that switches its
    /// profile for a call removes its sink twice.
    @Test func thePauseForARemovedSinkStopsNoMusicThatHasItsSinkBack() {
        var player = PlayerModel()
        player.start([a])
        player.send(.routeEndangered)
        player.wait(.milliseconds(299))
        player.send(.pauseFromDesktop(isAsleep: false, isOfSessionManager: false))
        #expect(player.state == .playing && !player.sounds)
        player.send(.routeKept)
        player.run()
        #expect(player.sounds)
        player.send(.sessionInterrupted)
        player.send(.routeEndangered)
        player.send(.pauseFromDesktop(isAsleep: false, isOfSessionManager: false))
        player.send(.routeKept)
        player.send(.interruptionEnded(shouldResume: true))
        #expect(player.activations == [.resume])
    }

    @Test func thePauseOfTheSessionManagerIsNeverTheUsers() {
        let pause = PlayerEvent.pauseFromDesktop(isAsleep: false, isOfSessionManager: true)
        var player = PlayerModel()
        player.start([a])
        player.send(pause)
        #expect(player.state == .playing, "the removal may not be known yet")
        player.send(.routeEndangered)
        player.wait(.seconds(1))
        player.send(pause)
        player.send(.routeKept)
        player.run()
        #expect(player.sounds)
        player.send(.sessionInterrupted)
        player.send(pause)
        player.send(.interruptionEnded(shouldResume: true))
        #expect(player.activations == [.resume])
    }

    /// A session that mixes continues too. The session manager pauses the players of each removed
    /// sink.
    @Test func aSessionThatDoesNotPauseContinuesInSpiteOfTheSessionManager() {
        let pause = PlayerEvent.pauseFromDesktop(isAsleep: false, isOfSessionManager: true)
        var player = PlayerModel()
        player.start([a])
        player.send(.routeEndangered)
        player.send(pause)
        player.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: false))
        player.send(pause)
        player.send(.routeChanged(pulled))
        player.send(pause)
        #expect(player.state == .playing && player.sounds)
    }

    /// The user, or a program that pauses players before each sleep, pauses the music. Its output
    /// is endangered for the sleep alone.
    @Test(arguments: [true, false]) func otherPausesOfTheDesktopDuringADangerCount(isAsleep: Bool) {
        var player = PlayerModel()
        player.start([a])
        player.send(.routeEndangered)
        if !isAsleep { player.send(.pauseFromDesktop(isAsleep: false, isOfSessionManager: false)) }
        player.wait(isAsleep ? .milliseconds(1) : .seconds(1))
        player.send(.pauseFromDesktop(isAsleep: isAsleep, isOfSessionManager: false))
        player.send(.routeKept)
        #expect(player.state == .paused(reason: .user))
        player.send(.play(in: .interrupted))
        player.send(.routeEndangered)
        player.wait(isAsleep ? .milliseconds(1) : .seconds(1))
        player.send(.pauseFromDesktop(isAsleep: isAsleep, isOfSessionManager: false))
        #expect(player.state == .paused(reason: .user))
    }
}
