import Testing

@testable import AudioSessionCore

@Suite struct UnmanagedPlayersTests: UnmanagedPlayersFixtures {
    @Test func aPlayerIsClaimedAndGivenToTheWatchdogBeforeItIsPaused() {
        var players = players
        #expect(players.receive(.turnBegan) == [.survey])
        #expect(
            players.receive(Self.found(mpv, .playing)) == [
                .claim(owner: ":1.10"), .resumeAtExit([":1.10"]), .pause(owner: ":1.10"),
                .allowTime(owner: ":1.10"), .watchStreams(true),
            ])
        #expect(players.receive(Self.found(mpv, .playing)) == [], "it is known")
    }

    @Test func aPausedOrStoppedPlayerIsLeftAlone() {
        var players = players
        _ = players.receive(.turnBegan)
        #expect(players.receive(Self.found(mpv, .paused)) == [])
        #expect(players.receive(Self.found(browser, .stopped)) == [])
        #expect(players.receive(.turnEnded(restores: true)) == [.dismiss])
    }

    /// A radio, for example.
    @Test func aPlayerThatStopsInsteadOfPausingIsResumed() {
        var players = Self.withAskedPlayer()
        _ = players.receive(.statusChanged(owner: ":1.10", .stopped))
        #expect(players.receive(.statusChanged(owner: ":1.10", .stopped)) == [], "it says so again")
        #expect(players.receive(.streams([])) == [.notify(.paused(mpv))])
        #expect(players.receive(.turnEnded(restores: true)).contains(.release(owner: ":1.10")))
        let resumed = players.receive(.released(owner: ":1.10", isClaimed: false))
        #expect(resumed.contains(.resume(owner: ":1.10")))
    }

    @Test func aStoppedPlayerThatAnotherSessionPausedIsClaimed() {
        var players = players
        _ = players.receive(.turnBegan)
        #expect(players.receive(Self.found(browser, .stopped, isClaimed: true)).contains(.claim(owner: ":1.20")))
    }

    /// The second survey does not find the player again.
    @Test func aPlayerThatItsUserControlsIsNotFoundAgain() {
        var (players, mpv) = Self.withPausedPlayer()
        _ = players.receive(.statusChanged(owner: mpv.owner, .playing))
        #expect(players.receive(Self.found(mpv, .playing)) == [])
        _ = players.receive(.turnEnded(restores: true))
        _ = players.receive(.turnBegan)
        #expect(players.receive(Self.found(mpv, .playing)).contains(.pause(owner: mpv.owner)), "in the next turn")
    }

    @Test func anInterruptionSoonAfterAnotherKeepsPlayersPaused() {
        var (players, _) = Self.withPausedPlayer()
        #expect(players.receive(.interrupted) == [])
        #expect(players.receive(.turnPaused) == [.wait(true)])
        #expect(players.receive(.interrupted) == [.wait(false)])
        #expect(players.receive(.timer) == [])
    }

    @Test func aPlayerThatIsFoundTooLateIsLeftAlone() {
        var players = players
        #expect(players.receive(Self.found(mpv, .playing)) == [])
    }

    // MARK: Pausing

    @Test func aPlayerIsPausedOnceItsStreamsHaveStopped() {
        var players = Self.withAskedPlayer()
        #expect(players.silenced == [])
        #expect(players.receive(.statusChanged(owner: ":1.10", .paused)) == [], "its stream still runs")
        #expect(players.silenced == [])
        #expect(players.receive(.streams([Self.stream(9, of: browser)])) == [.notify(.paused(mpv))])
        #expect(players.silenced == [mpv])
        #expect(players.receive(.timeOver(owner: ":1.10")) == [.watchStreams(false)])
    }

    @Test func aStreamThatRunsAfterTheDeadlineIsMutedUntilItStops() {
        var players = Self.withAskedPlayer()
        _ = players.receive(.streams([Self.stream(1, of: mpv), Self.stream(2, of: browser)]))
        #expect(
            players.receive(.timeOver(owner: ":1.10")) == [
                .ask(owner: ":1.10"), .mute([ObjectID(1)]), .notify(.muted(mpv)),
            ])
        #expect(players.silenced == [mpv])
        let both = [Self.stream(1, of: mpv), Self.stream(3, of: mpv)]
        #expect(players.receive(.streams(both)) == [.mute([ObjectID(1), ObjectID(3)])], "a new one")
        #expect(players.receive(.streams([Self.stream(3, of: mpv)])) == [.mute([ObjectID(3)])])
        #expect(players.receive(.streams([])) == [.mute([]), .notify(.paused(mpv))])
        #expect(
            players.receive(.streams([Self.stream(4, of: mpv)])) == [.mute([ObjectID(4)]), .notify(.muted(mpv))],
            "it never said that it is paused")
    }

    /// Chromium's stream continues, in silence, and its user may play something else in it.
    @Test func aPlayerThatReportsPausedMayBeginOtherStreams() {
        var players = Self.withAskedPlayer()
        _ = players.receive(.statusChanged(owner: ":1.10", .paused))
        #expect(players.receive(.timeOver(owner: ":1.10")) == [.mute([ObjectID(1)]), .notify(.muted(mpv))])
        #expect(players.receive(.streams([Self.stream(1, of: mpv), Self.stream(2, of: mpv)])) == [])
        #expect(
            players.receive(.streams([Self.stream(2, of: mpv)])) == [.mute([]), .watchStreams(false)],
            "the new stream was started by the user")
    }

    @Test func aMuteEndsWithThePause() {
        var players = Self.withAskedPlayer()
        _ = players.receive(.timeOver(owner: ":1.10"))
        #expect(
            players.receive(.turnEnded(restores: true)) == [
                .release(owner: ":1.10"), .mute([]), .watchStreams(false),
            ])
        #expect(
            players.receive(.released(owner: ":1.10", isClaimed: false)) == [
                .resume(owner: ":1.10"), .resumeAtExit([]), .notify(.resumed(mpv)), .dismiss,
            ], "it may pause later")
    }

    @Test func aMuteEndsAlsoIfPlayersStayPaused() {
        var players = Self.withAskedPlayer()
        _ = players.receive(.timeOver(owner: ":1.10"))
        #expect(
            players.receive(.turnEnded(restores: false)) == [
                .forget(owner: ":1.10"), .notify(.released(mpv)), .resumeAtExit([]), .dismiss, .mute([]),
                .watchStreams(false),
            ])
    }

    @Test func aPlayerThatAnswersWithAnErrorIsMutedAndNotResumed() {
        var players = Self.withAskedPlayer()
        #expect(players.receive(.pauseFailed(owner: ":1.10")) == [.resumeAtExit([])])
        #expect(players.receive(.timeOver(owner: ":1.10")).contains(.mute([ObjectID(1)])))
        #expect(players.receive(.streams([])) == [.mute([])], "it was not paused by us")
        #expect(
            players.receive(.turnEnded(restores: true)) == [
                .forget(owner: ":1.10"), .notify(.released(mpv)), .dismiss, .watchStreams(false),
            ])
    }

    /// A busy browser pauses after more than 2 s, when the bus has already given up the call.
    @Test func aPlayerThatPausesLateIsResumedAfterwards() {
        var players = Self.withAskedPlayer()
        _ = players.receive(.timeOver(owner: ":1.10"))
        #expect(players.receive(.answered(owner: ":1.10", nil)) == [])
        #expect(players.receive(.statusChanged(owner: ":1.10", .paused)) == [])
        #expect(players.receive(.streams([])) == [.mute([]), .notify(.paused(mpv)), .watchStreams(false)])
        #expect(players.receive(.turnEnded(restores: true)) == [.release(owner: ":1.10")])
        #expect(players.receive(.released(owner: ":1.10", isClaimed: false)).contains(.resume(owner: ":1.10")))
    }

    @Test func aPlayerThatNeverAnsweredIsResumedAsWell() {
        var players = Self.withAskedPlayer()
        #expect(players.receive(.turnEnded(restores: true)) == [.release(owner: ":1.10"), .watchStreams(false)])
        #expect(
            players.receive(.released(owner: ":1.10", isClaimed: false)) == [
                .resume(owner: ":1.10"), .resumeAtExit([]), .dismiss,
            ], "nothing was reported")
    }

    @Test func withoutPipeWireTheReportedStatusDecides() {
        var players = players
        _ = players.receive(.turnBegan)
        _ = players.receive(Self.found(mpv, .playing))
        #expect(players.receive(.timeOver(owner: ":1.10")) == [.ask(owner: ":1.10")])
        #expect(players.receive(.answered(owner: ":1.10", .paused)) == [.notify(.paused(mpv))])
        #expect(players.receive(.streams([Self.stream(1, of: mpv)])) == [.mute([ObjectID(1)]), .notify(.muted(mpv))])
        #expect(players.receive(.streams(nil)) == [.mute([])])
    }

    // MARK: Status queries

    @Test func onlyClaimedPlayersAreAskedForTheirStatusAndOnceAtATime() {
        var (players, _) = Self.withPausedPlayer()
        for number in 0..<10_000 {
            #expect(players.receive(.statusInvalidated(owner: ":1.\(number + 100)")) == [])
        }
        #expect(players.receive(.statusInvalidated(owner: ":1.10")) == [.ask(owner: ":1.10")])
        for _ in 0..<10_000 { #expect(players.receive(.statusInvalidated(owner: ":1.10")) == []) }
        #expect(
            players.receive(.answered(owner: ":1.10", .playing)) == [.ask(owner: ":1.10")], "that may be old")
        #expect(players.receive(.answered(owner: ":1.10", .paused)) == [])
        #expect(players.receive(.answered(owner: ":1.99", .playing)) == [])
    }

    // MARK: Resuming

    @Test func aPlayerResumesWhenNoOtherSessionClaimsIt() {
        var (players, mpv) = Self.withPausedPlayer()
        #expect(players.receive(.turnEnded(restores: true)) == [.release(owner: ":1.10")])
        #expect(players.silenced == [])
        #expect(
            players.receive(.released(owner: ":1.10", isClaimed: false)) == [
                .resume(owner: ":1.10"), .resumeAtExit([]), .notify(.resumed(mpv)), .dismiss,
            ])
    }

    @Test func aPlayerStaysPausedWhileAnotherSessionClaimsIt() {
        var (players, mpv) = Self.withPausedPlayer()
        _ = players.receive(.turnEnded(restores: true))
        #expect(
            players.receive(.released(owner: ":1.10", isClaimed: true)) == [
                .resumeAtExit([]), .notify(.released(mpv)), .dismiss,
            ])
    }

    @Test func aPlayerThatAnotherSessionPausedIsClaimedAsWell() {
        var players = players
        _ = players.receive(.turnBegan)
        #expect(
            players.receive(Self.found(mpv, .paused, isClaimed: true)) == [
                .claim(owner: ":1.10"), .resumeAtExit([":1.10"]), .notify(.paused(mpv)),
            ])
        #expect(players.receive(.turnEnded(restores: true)) == [.release(owner: ":1.10")])
    }

    @Test(arguments: [UnmanagedPlayer.Status.playing, .stopped])
    func aPlayerWhoseStatusAnotherClientChangedIsNotResumed(_ status: UnmanagedPlayer.Status) {
        var (players, mpv) = Self.withPausedPlayer()
        #expect(
            players.receive(.statusChanged(owner: ":1.10", status)) == [
                .forget(owner: ":1.10"), .resumeAtExit([]), .notify(.released(mpv)),
            ])
        #expect(players.receive(.statusChanged(owner: ":1.10", .paused)) == [], "its user paused it")
        #expect(players.receive(.turnEnded(restores: true)) == [.dismiss])
    }

    @Test func aPlayerThatItsUserResumesIsNoLongerMuted() {
        var players = Self.withAskedPlayer()
        _ = players.receive(.timeOver(owner: ":1.10"))
        _ = players.receive(.statusChanged(owner: ":1.10", .paused))
        #expect(
            players.receive(.statusChanged(owner: ":1.10", .playing)) == [
                .forget(owner: ":1.10"), .resumeAtExit([]), .notify(.released(mpv)), .mute([]), .watchStreams(false),
            ])
    }

    @Test func aBrowserMayReportPlayingUntilItHasPaused() {
        var players = players
        _ = players.receive(.turnBegan)
        _ = players.receive(Self.found(browser, .playing))
        #expect(players.receive(.statusChanged(owner: ":1.20", .playing)) == [])
        #expect(players.receive(.statusChanged(owner: ":1.20", .paused)) == [])
        #expect(players.receive(.statusChanged(owner: ":1.20", .paused)) == [])
        #expect(players.receive(.streams([])) == [.notify(.paused(browser))])
    }

    @Test func aPlayerThatEndsIsForgotten() {
        var (players, mpv) = Self.withPausedPlayer()
        #expect(
            players.receive(.vanished(owner: ":1.10")) == [
                .forget(owner: ":1.10"), .resumeAtExit([]), .notify(.released(mpv)),
            ])
        #expect(players.receive(.vanished(owner: ":1.99")) == [])
    }

    @Test func aPlayerStaysPausedIfItIsNotToResume() {
        var (players, mpv) = Self.withPausedPlayer()
        #expect(
            players.receive(.turnEnded(restores: false)) == [
                .forget(owner: ":1.10"), .notify(.released(mpv)), .resumeAtExit([]), .dismiss,
            ])
    }

    @Test func anInterruptionBeforeTheAnswerKeepsThePlayerPaused() {
        var (players, mpv) = Self.withPausedPlayer()
        _ = players.receive(.turnEnded(restores: true))
        #expect(players.receive(.turnBegan) == [.survey])
        #expect(players.receive(Self.found(mpv, .paused)) == [], "it is known")
        #expect(
            players.receive(.released(owner: ":1.10", isClaimed: false)) == [
                .claim(owner: ":1.10"), .watchStreams(true),
            ], "it may have been heard since")
        #expect(players.silenced == [mpv])
        #expect(players.receive(.streams([])) == [.watchStreams(false)])
        #expect(players.receive(.turnEnded(restores: true)) == [.release(owner: ":1.10")])
    }

    @Test func aLostBusKeepsThePlayerUntilTheNextInterruption() {
        var (players, mpv) = Self.withPausedPlayer()
        #expect(players.receive(.turnPaused) == [.wait(true)])
        #expect(players.receive(.turnBegan) == [.wait(false)])
        #expect(players.silenced == [mpv])
        _ = players.receive(.turnPaused)
        #expect(players.receive(.timer) == [.wait(false), .release(owner: ":1.10")])
        #expect(players.receive(.timer) == [])
    }

    @Test func playersThatAreLostWithTheBusAreReported() {
        var (players, mpv) = Self.withPausedPlayer()
        #expect(
            players.receive(.busLost(reason: "gone")) == [
                .notify(.released(mpv)), .notify(.unavailable(reason: "gone")),
            ])
        #expect(players.receive(.turnEnded(restores: true)) == [.dismiss])
        #expect(players.receive(.turnBegan) == [.survey], "it is tried again")
        var muted = Self.withAskedPlayer()
        _ = muted.receive(.timeOver(owner: ":1.10"))
        #expect(muted.receive(.busLost(reason: "gone")).suffix(2) == [.mute([]), .watchStreams(false)])
    }

    // MARK: Limits

    @Test func theNumberOfPlayersIsLimited() {
        var players = players
        _ = players.receive(.turnBegan)
        let asked = (0..<1000).count { number in
            let player = UnmanagedPlayer(name: "player", processID: number, owner: ":1.\(number)")
            return players.receive(Self.found(player, .playing)).contains(.pause(owner: player.owner))
        }
        #expect(asked == UnmanagedPlayers.limit)
    }

    @Test func theNumberOfPlayersOfAProcessIsLimited() {
        var players = players
        _ = players.receive(.turnBegan)
        let asked = (0..<1000).count { number in
            let player = UnmanagedPlayer(name: "player", processID: 666, owner: ":1.\(number + 100)")
            return players.receive(Self.found(player, .playing)).contains(.pause(owner: player.owner))
        }
        #expect(asked == UnmanagedPlayers.limitOfProcess)
        #expect(players.receive(Self.found(mpv, .playing)).contains(.pause(owner: mpv.owner)))
    }
}
