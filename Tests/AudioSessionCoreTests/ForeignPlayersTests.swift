import Testing

@testable import AudioSessionCore

@Suite struct ForeignPlayersTests {
    private let mpv = ForeignPlayer(name: "mpv", processID: 10, owner: ":1.10")
    private let browser = ForeignPlayer(name: "firefox", processID: 20, owner: ":1.20")
    private var players = ForeignPlayers()

    /// With mpv paused for its turn.
    private static func withPausedPlayer() -> (ForeignPlayers, ForeignPlayer) {
        var players = ForeignPlayers()
        let mpv = Self().mpv
        _ = players.receive(.turnBegan)
        _ = players.receive(.found(mpv, .playing, isClaimed: false))
        _ = players.receive(.statusChanged(owner: mpv.owner, .paused))
        return (players, mpv)
    }

    @Test func whoPlaysIsClaimedAndEntrustedBeforeItIsPaused() {
        var players = players
        #expect(players.receive(.turnBegan) == [.survey])
        #expect(
            players.receive(.found(mpv, .playing, isClaimed: false)) == [
                .claim(owner: ":1.10"), .entrust([":1.10"]), .pause(owner: ":1.10"), .tell(.paused(mpv)),
            ])
        #expect(players.silenced == [mpv])
        #expect(players.receive(.found(mpv, .playing, isClaimed: false)) == [], "it has two names")
    }

    @Test func whomItsUserPausedOrStoppedIsLeftAlone() {
        var players = players
        _ = players.receive(.turnBegan)
        #expect(players.receive(.found(mpv, .paused, isClaimed: false)) == [])
        #expect(players.receive(.found(browser, .stopped, isClaimed: true)) == [])
        #expect(players.receive(.turnEnded(restores: true)) == [.dismiss])
    }

    @Test func whoIsFoundTooLateIsLeftAlone() {
        var players = players
        #expect(players.receive(.found(mpv, .playing, isClaimed: false)) == [])
    }

    @Test func itPlaysAgainWhenNobodyElseWantsSilence() {
        var (players, mpv) = Self.withPausedPlayer()
        #expect(players.receive(.turnEnded(restores: true)) == [.release(owner: ":1.10")])
        #expect(players.silenced == [])
        #expect(
            players.receive(.released(owner: ":1.10", isClaimed: false)) == [
                .resume(owner: ":1.10"), .entrust([]), .tell(.resumed(mpv)), .dismiss,
            ])
    }

    @Test func itStaysSilentWhileAnotherSessionWantsThat() {
        var (players, mpv) = Self.withPausedPlayer()
        _ = players.receive(.turnEnded(restores: true))
        #expect(
            players.receive(.released(owner: ":1.10", isClaimed: true)) == [
                .entrust([]), .tell(.released(mpv)), .dismiss,
            ])
    }

    @Test func whomAnotherSessionPausedIsClaimedAsWell() {
        var players = players
        _ = players.receive(.turnBegan)
        #expect(
            players.receive(.found(mpv, .paused, isClaimed: true)) == [
                .claim(owner: ":1.10"), .entrust([":1.10"]), .tell(.paused(mpv)),
            ])
        #expect(players.receive(.turnEnded(restores: true)) == [.release(owner: ":1.10")])
    }

    @Test(arguments: [ForeignPlayer.Status.playing, .stopped])
    func whomSomebodyTouchedIsNotLetPlay(_ status: ForeignPlayer.Status) {
        var (players, mpv) = Self.withPausedPlayer()
        #expect(
            players.receive(.statusChanged(owner: ":1.10", status)) == [
                .forget(owner: ":1.10"), .entrust([]), .tell(.released(mpv)),
            ])
        #expect(players.receive(.statusChanged(owner: ":1.10", .paused)) == [], "its user's wish")
        #expect(players.receive(.turnEnded(restores: true)) == [.dismiss])
    }

    @Test func aBrowserMaySayThatItPlaysUntilItHasPaused() {
        var players = players
        _ = players.receive(.turnBegan)
        _ = players.receive(.found(browser, .playing, isClaimed: false))
        #expect(players.receive(.statusChanged(owner: ":1.20", .playing)) == [])
        #expect(players.receive(.statusChanged(owner: ":1.20", .paused)) == [])
        #expect(players.receive(.statusChanged(owner: ":1.20", .paused)) == [])
        #expect(players.silenced == [browser])
    }

    @Test func whoEndsOrDoesNotObeyIsForgotten() {
        var (players, mpv) = Self.withPausedPlayer()
        let forgotten: [ForeignPlayers.Action] = [.forget(owner: ":1.10"), .entrust([]), .tell(.released(mpv))]
        #expect(players.receive(.vanished(owner: ":1.10")) == forgotten)
        _ = players.receive(.found(mpv, .playing, isClaimed: false))
        #expect(players.receive(.pauseFailed(owner: ":1.10")) == forgotten)
        #expect(players.receive(.vanished(owner: ":1.99")) == [])
    }

    @Test func withoutNoticeItStaysPaused() {
        var (players, mpv) = Self.withPausedPlayer()
        #expect(
            players.receive(.turnEnded(restores: false)) == [
                .forget(owner: ":1.10"), .tell(.released(mpv)), .entrust([]), .dismiss,
            ])
    }

    @Test func aTurnThatBeginsBeforeTheAnswerKeepsItSilent() {
        var (players, mpv) = Self.withPausedPlayer()
        _ = players.receive(.turnEnded(restores: true))
        #expect(players.receive(.turnBegan) == [.survey])
        #expect(players.receive(.found(mpv, .paused, isClaimed: false)) == [], "it is known")
        #expect(players.receive(.released(owner: ":1.10", isClaimed: false)) == [.claim(owner: ":1.10")])
        #expect(players.silenced == [mpv])
        #expect(players.receive(.turnEnded(restores: true)) == [.release(owner: ":1.10")])
    }

    @Test func afterAnInterruptionItWaitsForTheNextTurn() {
        var (players, mpv) = Self.withPausedPlayer()
        #expect(players.receive(.turnPaused) == [.wait(true)])
        #expect(players.receive(.turnBegan) == [.wait(false)])
        #expect(players.silenced == [mpv])
        _ = players.receive(.turnPaused)
        #expect(players.receive(.timer) == [.wait(false), .release(owner: ":1.10")])
        #expect(players.receive(.timer) == [])
    }

    @Test func whatGoesWithTheBusIsTold() {
        var (players, mpv) = Self.withPausedPlayer()
        #expect(
            players.receive(.busLost(reason: "gone")) == [.tell(.released(mpv)), .tell(.unavailable(reason: "gone"))])
        #expect(players.receive(.turnEnded(restores: true)) == [.dismiss])
        #expect(players.receive(.turnBegan) == [.survey], "it is tried again")
    }

    @Test func noBusFullOfPlayersFillsTheMemory() {
        var players = players
        _ = players.receive(.turnBegan)
        for number in 0..<1000 {
            let player = ForeignPlayer(name: "player", processID: number, owner: ":1.\(number)")
            _ = players.receive(.found(player, .playing, isClaimed: false))
        }
        #expect(players.silenced.count == ForeignPlayers.limit)
    }
}

@Suite struct ProgramTraceTests {
    @Test func aProgramIsItsProcessAndItsChildren() {
        let browser = ProgramTrace(lineage: [100, 50])
        #expect(browser.isSameProgram(as: ProgramTrace(lineage: [100, 50])))
        #expect(browser.isSameProgram(as: ProgramTrace(lineage: [130, 120, 100, 50])))
        #expect(ProgramTrace(lineage: [130, 120, 100, 50]).isSameProgram(as: browser))
        #expect(!browser.isSameProgram(as: ProgramTrace(lineage: [101, 50])), "of the same shell")
        #expect(!browser.isSameProgram(as: ProgramTrace(lineage: [])))
    }

    @Test func aSandboxIsOneProgram() {
        let player = ProgramTrace(lineage: [7], sandbox: "1234")
        #expect(player.isSameProgram(as: ProgramTrace(lineage: [9], sandbox: "1234")))
        #expect(!player.isSameProgram(as: ProgramTrace(lineage: [9], sandbox: "99")))
        #expect(!player.isSameProgram(as: ProgramTrace(lineage: [9])))
    }
}
