import AudioSessionCore
import SessionStories
import Testing

/// The daemon restarts, and all sessions are restored.
@Suite struct BoardRestartTests {
    @Test func aRestartRestoresAllStates() {
        var stage = BoardStage("A:music B:music C:game")
        stage.play("+A +B +C down up 2s -B")
        #expect(stage.words("A") == "on began:B ended+")
        #expect(stage.words("B") == "on off")
        #expect(stage.words("C") == "on")
    }

    @Test func theOrderSurvivesTwoRestarts() {
        var stage = BoardStage("A:game B:game C:game D:game")
        stage.play("+B +A down up 2s +D +C")
        let order = stage.machine("A").arbitration.stack.map(\.key)
        stage.play("down up 2s")
        #expect(stage.machine("A").arbitration.stack.map(\.key) == order)
        #expect(stage.machine("D").arbitration.stack.map(\.key) == order)
    }

    @Test func aSessionThatIsNotRestoredIsGoneAfterASecond() {
        var stage = BoardStage("A:music B:call N:nav G:game")
        stage.play("+A +B +G +N stop:B stop:N down up 999ms")
        #expect(stage.words("A") == "on began:B")
        #expect(stage.words("G") == "on duck:200")
        stage.play("!B !N 1ms")
        #expect(stage.words("A") == "on began:B ended+")
        #expect(stage.words("G") == "on duck:200 duck:1000")
    }

    /// A call that disappears ends, and music may resume; music that disappears was replaced.
    @Test func playbackThatIsNotRestoredGivesNoNotice() {
        var stage = BoardStage("A:music B:music")
        stage.play("+A +B stop:B down up 999ms")
        #expect(stage.words("A") == "on began:B")
        stage.play("!B 1ms")
        #expect(stage.words("A") == "on began:B ended-")
    }

    @Test func changesDuringTheRestartFollow() {
        var stage = BoardStage("A:music B:music C:music")
        stage.play("+A +B down")
        // One releases its place, another cannot take one, a third only changes its configuration.
        stage.play("-B +C")
        #expect(stage.words("B") == "on off")
        #expect(stage.words("C") == "services")
        stage.play("up 2s")
        #expect(stage.words("A") == "on began:B ended+")
    }

    @Test func aStoredChangeIsAppliedAfterTheRestart() {
        var stage = BoardStage("A:game B:music")
        stage.play("+B +A down A=music up 2s")
        #expect(stage.words("B") == "on began:A")
        #expect(stage.words("A") == "on")
    }

    /// A program in the background may not interrupt then, but it may later.
    @Test func aStoredChangeThatIsRefusedStaysStored() {
        var stage = BoardStage("A:game C:music")
        stage.play("+C +A down A=music bg:A up 2s")
        #expect(stage.words("C") == "on" && stage.words("A") == "on")
        stage.play("fg:A -A +A")
        #expect(stage.words("C") == "on began:A")
    }

    /// A program that reads the stored configuration expects to be active with it.
    @Test func anActivationRequestsAStoredChangeAgain() {
        var stage = BoardStage("A:game C:music")
        stage.play("+C +A down A=music bg:A up 2s +A")
        #expect(stage.words("A") == "on background" && stage.words("C") == "on")
        #expect(stage.status("A")?.state == .active)
        stage.play("fg:A +A")
        #expect(stage.words("A") == "on background" && stage.words("C") == "on began:A")
        #expect(stage.status("A")?.state == .active)
        stage.play("-A")
        #expect(stage.words("A") == "on background off" && stage.words("C") == "on began:A ended+")
    }

    @Test func aClaimContinuesAfterARestart() {
        var stage = BoardStage("A:music B:call C:call")
        stage.play("+A +B +C -C down 1s up 1s")
        #expect(stage.words("B") == "on began:C ended+")
        #expect(stage.status("B")?.state == .advised)
        stage.play("1s")
        #expect(stage.words("B") == "on began:C ended+ lapsed")
        #expect(stage.words("A") == "on began:B ended+")
    }

    @Test func aClaimCanLapseWhileTheDaemonIsAway() {
        var stage = BoardStage("A:music B:call C:call")
        stage.play("+A +B +C -C down 4s up 2s")
        #expect(stage.words("B") == "on began:C ended+ lapsed")
        #expect(stage.words("A") == "on began:B ended+")
    }

    @Test func noMusicPlaysBeforeASlowCallIsRestored() {
        var stage = BoardStage("C:call")
        stage.play("+C stop:C down up")
        stage.open("M:music")
        stage.play("+M")
        #expect(stage.words("M") == "on")
        stage.play("cont:C")
        #expect(stage.words("M") == "on began:C")
        #expect(stage.words("C") == "on")
    }

    @Test func aReconnectionToTheSameDaemonKeepsTheOrder() {
        // Only this connection was lost. The other programs stay connected.
        var stage = BoardStage("A:game B:game C:game")
        stage.play("+A +B +C")
        let order = stage.machine("C").arbitration.stack.map(\.key)
        stage.daemon.drop(stage.process("B"))
        stage.play("2s")
        #expect(stage.machine("C").arbitration.stack.map(\.key) == order)
        #expect(stage.words("B") == "on")
    }

    @Test func theNowPlayingSessionIsTheSameAfterARestart() {
        var stage = BoardStage("A:music C:call")
        stage.play("+A bg:A down up 2s +C -C +A")
        #expect(stage.words("A") == "on began:C ended+ on")
    }

    /// The older player is announced again.
    @Test func theNowPlayingSessionIsTheSameAfterAReconnection() {
        var stage = BoardStage("B:music A:music")
        stage.play("+B +A bg:A")
        stage.daemon.drop(stage.process("A"))
        stage.play("2s -A +A")
        #expect(stage.words("A") == "on off on")
    }
}

/// What a session is notified of about the sound of other sessions.
@Suite struct BoardOtherSessionsTests {
    private func others(_ stage: BoardStage, _ name: String) -> OtherSessions {
        stage.machine(name).otherSessions(for: stage.id(name))
    }

    @Test func onlyActiveSessionsAreNotifiedButAllCanRead() {
        var stage = BoardStage("A:game B:game C:music")
        stage.play("+A +C")
        let received = OtherSessions(isAnyActive: true, isPrimaryActive: true)
        #expect(others(stage, "A") == received && others(stage, "B") == received)
        #expect(others(stage, "C") == OtherSessions(isAnyActive: true))
        #expect(stage.hints("A") == [received])
        #expect(stage.hints("B").isEmpty)
        // What was true before is no change.
        #expect(stage.hints("C").isEmpty)
        stage.play("-C")
        #expect(stage.hints("A") == [received, OtherSessions()])
    }

    @Test func interruptedSessionsAndThoseOfTheOwnGroupDoNotCount() {
        var stage = BoardStage("A:game B:music C:call@x D:game@x")
        stage.play("+B +C +D")
        #expect(others(stage, "D") == OtherSessions())
        stage.play("-C")
        #expect(others(stage, "D") == OtherSessions())
        #expect(others(stage, "A") == OtherSessions(isAnyActive: true))
        #expect(stage.machine("A").otherSessions(for: BoardStage.session(99)) == OtherSessions())
    }

    @Test func theStatusNamesTheReason() {
        var stage = BoardStage("A:game N:nav C:call")
        stage.play("+A +N")
        #expect(stage.status("A")?.gain == 0.2)
        #expect(stage.status("A")?.duckedBy.map(\.session) == [stage.id("N")])
        #expect(stage.status("A")?.duckedBy.map(\.processID) == [5001])
        stage.play("+C")
        #expect(stage.status("A")?.state == .interrupted)
        #expect(stage.status("A")?.interruptedBy.map(\.applicationName) == ["p2"])
        #expect(stage.status("A")?.gain == 1)
        stage.play("-C")
        #expect(stage.status("A")?.state == .advised)
        stage.play("3s")
        #expect(stage.status("A")?.state == .inactive)
    }

    @Test func aDeepStackEndsInReverseOrder() {
        let names = (0..<40).map { "s\($0)" }
        var stage = BoardStage(names.map { "\($0):music" }.joined(separator: " "))
        for name in names { stage.play("+\(name)") }
        for name in names.reversed() { stage.play("+\(name) -\(name) 1s") }
        for name in names.dropLast() {
            #expect(stage.words(name).split(separator: " ").filter { $0 == "ended+" }.count == 1)
        }
        for name in names.dropLast() {
            #expect(stage.words(name).split(separator: " ").filter { $0.hasPrefix("began") }.count == 1)
        }
    }
}
