import SessionStories
import Testing

@testable import AudioSessionCore

/// PipeWire stops, as after SIGSTOP, and continues later.
@Suite struct BoardDeadlineTests {
    /// Sessions besides `A`, which waits for an answer.
    private func makeStage(_ cast: String) -> BoardStage {
        var stage = BoardStage(cast)
        stage.daemon.advance(.seconds(1))
        return stage
    }

    private func events(_ stage: inout BoardStage, _ name: String, after script: String) -> String {
        let before = stage.words(name).count
        stage.play(script)
        return String(stage.words(name).dropFirst(before)).trimmingSpaces
    }

    private func stop(_ stage: inout BoardStage, _ isStopped: Bool) {
        stage.daemon.isStopped = isStopped
        stage.daemon.run()
        stage.collectEvents()
    }

    @Test func aLateGrantOfATimedOutActivationInterruptsNoSession() {
        var stage = makeStage("A:music B:music")
        stage.play("+B")
        stop(&stage, true)
        #expect(events(&stage, "A", after: "+A 4999ms") == "")
        #expect(events(&stage, "A", after: "1ms") == "late")
        #expect(stage.status("A")?.state == .inactive && stage.unanswered == 0)
        stage.play("10s")
        stop(&stage, false)
        #expect(stage.words("B") == "on began:A ended+")
        #expect(stage.words("A") == "late")
        #expect(events(&stage, "B", after: "+B") == "on")
        #expect(events(&stage, "A", after: "2s +A") == "on")
        #expect(stage.words("B").hasSuffix("began:A"))
        #expect(stage.daemon.liveTokens.count == 2)
    }

    /// Requests that are made before PipeWire continues go to the same PipeWire.
    @Test func theNextActivationIsGrantedWhenPipeWireContinues() {
        var stage = makeStage("A:music B:music")
        stage.play("+B")
        stop(&stage, true)
        #expect(events(&stage, "A", after: "+A 5s +A 5s +A") == "late late")
        stop(&stage, false)
        #expect(stage.status("A")?.state == .active && stage.unanswered == 0)
        #expect(stage.status("B")?.state == .interrupted)
        #expect(events(&stage, "B", after: "-A") == "ended+")
    }

    @Test func aSessionWhoseTakeBackTimesOutStaysInterrupted() {
        var stage = makeStage("A:music B:music")
        stage.play("+A +B")
        stop(&stage, true)
        #expect(events(&stage, "A", after: "+A 5s") == "late")
        #expect(stage.status("A")?.state == .interrupted)
        stop(&stage, false)
        #expect(stage.words("A") == "on began:B late")
        #expect(stage.status("A")?.state == .interrupted)
        // For a moment its place was above that of B.
        #expect(stage.words("B") == "on began:A ended+")
        #expect(events(&stage, "B", after: "+B") == "on")
        #expect(events(&stage, "A", after: "-B") == "ended+")
        #expect(events(&stage, "A", after: "+A") == "on")
    }

    /// The release begins and ends before the session is back in its place.
    @Test func aReleaseDuringATimedOutTakeBackCounts() {
        for (release, advice) in [("-B", "ended+"), ("~B", "ended-")] {
            // PipeWire reads what the first has sent before it reads on from the second.
            var stage = makeStage("B:music A:music")
            stage.play("+A +B")
            stop(&stage, true)
            stage.play("\(release) +A 5s")
            stop(&stage, false)
            #expect(stage.words("A") == "on began:B late \(advice)")
        }
    }

    @Test func aTimedOutChangeKeepsTheOldConfiguration() {
        var stage = makeStage("A:game B:music C:game")
        stage.play("+B +A")
        stop(&stage, true)
        #expect(events(&stage, "A", after: "A=music 5s") == "late")
        #expect(stage.status("A")?.state == .active)
        stop(&stage, false)
        #expect(stage.words("B") == "on began:A ended+")
        #expect(stage.status("A")?.state == .active)
        let key = SessionKey(owner: .id(5000), session: stage.id("A"))
        #expect(stage.machine("C").arbitration[key]?.traits == BoardStage.traits("game"))
        #expect(events(&stage, "B", after: "+B") == "on")
        #expect(stage.status("A")?.state == .active)
        #expect(events(&stage, "A", after: "A=music") == "")
        #expect(stage.status("B")?.state == .interrupted)
    }

    @Test func aTimedOutDeactivationLeavesTheSessionInactive() {
        var stage = makeStage("A:music B:music")
        stage.play("+B +A")
        stop(&stage, true)
        #expect(events(&stage, "A", after: "-A") == "off")
        #expect(stage.status("A")?.state == .inactive)
        #expect(events(&stage, "A", after: "4999ms") == "")
        #expect(events(&stage, "A", after: "1ms") == "late")
        stage.play("10s")
        stop(&stage, false)
        #expect(stage.words("B") == "on began:A ended+")
        #expect(events(&stage, "A", after: "+A") == "on")
    }

    /// Requests that wait behind an unanswered one share its deadline.
    @Test func requestsBehindAnUnansweredOneTimeOutWithIt() {
        var stage = makeStage("A:music B:music")
        stage.play("+A")
        stop(&stage, true)
        stage.play("A=game +A A=podcast -A +A 4999ms")
        #expect(stage.words("A") == "on" && stage.unanswered == 5)
        stage.play("1ms")
        #expect(stage.words("A") == "on late late late off late late" && stage.unanswered == 0)
        #expect(stage.status("A")?.state == .inactive)
        stop(&stage, false)
        #expect(stage.unanswered == 0)
        #expect(stage.status("A")?.state == .inactive)
    }

    @Test func losingPipeWireFailsAllRequestsAtOnce() {
        var stage = makeStage("A:music B:music")
        stage.play("+A +B")
        stop(&stage, true)
        stage.play("A=game +A A=podcast -A -B +B")
        let now = stage.daemon.now
        stage.play("down")
        #expect(stage.daemon.now == now && stage.unanswered == 0)
        #expect(stage.words("A").hasSuffix("services services off services"))
        #expect(stage.words("B").hasSuffix("off services services"))
        #expect(stage.status("A")?.state == .inactive)
    }

    /// The session is closed, but PipeWire has still to read its token.
    @Test func aSessionClosedDuringItsActivationInterruptsNoOther() {
        var stage = makeStage("A:music B:music")
        stage.play("+B")
        stop(&stage, true)
        stage.play("+A")
        stage.daemon.ask(stage.process("A"), .closed(stage.id("A")))
        stop(&stage, false)
        #expect(stage.words("B") == "on began:A ended+")
    }

    @Test func anAnsweredRequestHasNoDeadline() {
        var stage = makeStage("A:music B:music")
        stage.play("+A")
        #expect(stage.daemon.nextWake == nil)
        stage.play("A=game")
        #expect(stage.daemon.nextWake == nil)
        stage.play("-A 2s")
        #expect(stage.daemon.nextWake == nil)
    }

    @Test func theTimeoutOfTheManagerApplies() {
        let start = MonotonicTime(nanoseconds: 1_000_000_000)
        var board = ArbitrationStateMachine(timeout: .seconds(1))
        let session = BoardStage.session(1)
        _ = board.receive(.connected(cookie: 1, owner: TokenOwner(client: ObjectID(4), processID: 4)), now: start)
        _ = board.receive(.opened(session, TokenTraits()), now: start)
        let asked = board.receive(.requested(.activate, session, ArbitrationRequestID(1)), now: start)
        #expect(asked.last == .wake(at: start + .seconds(1)))
        let late = board.receive(.deadline, now: start + .seconds(1))
        #expect(late.contains(.answer(ArbitrationRequestID(1), .timedOut(after: .seconds(1)))))
        // The withdrawn token, with a release before its end for programs that see it granted.
        guard case .create(let release)? = late.first else {
            Issue.record("no release: \(late)")
            return
        }
        #expect(release.state == .releasedWithNotice)
        #expect(late.dropFirst().first == .destroy(TokenName(session, 1)))
    }
}

extension String {
    fileprivate var trimmingSpaces: String { String(drop { $0 == " " }) }
}
