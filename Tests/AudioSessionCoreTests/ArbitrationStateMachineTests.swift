import AudioSessionCore
import SessionStories
import Testing

@Suite struct BoardStateMachineTests {
    private let owner = TokenOwner(client: ObjectID(40), processID: 400, application: "me")
    private let other = TokenOwner(client: ObjectID(50), processID: 500, application: "you")
    private let session = BoardStage.session(1)
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    private func connected() -> ArbitrationStateMachine {
        var board = ArbitrationStateMachine()
        #expect(board.handle(.connected(cookie: 1, owner: owner), now: start).isEmpty)
        #expect(board.handle(.opened(session, TokenTraits()), now: start).isEmpty)
        return board
    }

    private func name(_ number: UInt32) -> TokenName { TokenName(session, number) }

    private func created(_ actions: [ArbitrationAction]) -> [TokenContents] {
        actions.compactMap {
            guard case .create(let created) = $0,
                case .token(let contents) = TokenContents.read(created.announcement.properties())
            else { return nil }
            return contents
        }
    }

    private func appeared(
        _ serial: UInt64, _ contents: TokenContents, _ owner: TokenOwner? = nil
    ) -> ArbitrationInput {
        .token(serial, contents, of: owner ?? self.owner)
    }

    private func ask(_ board: inout ArbitrationStateMachine, _ request: ArbitrationRequest, _ id: UInt64)
        -> [ArbitrationAction]
    {
        board.handle(.requested(request, session, ArbitrationRequestID(id)), now: start)
    }

    @Test func noRequestIsAnsweredBeforeTheEcho() {
        var board = connected()
        let asked = ask(&board, .activate, 1)
        let contents = TokenContents(name: name(1), traits: TokenTraits())
        #expect(asked == [.create(contents)])
        #expect(board.handle(appeared(7, contents), now: start).isEmpty)
        #expect(board.status(of: session)?.state == .inactive)
        #expect(board.handle(.echoed(name(9)), now: start).isEmpty)
        #expect(
            board.handle(.echoed(name(1)), now: start)
                == [.notify(.activated, session), .answer(ArbitrationRequestID(1), nil)])
        #expect(board.handle(.echoed(name(1)), now: start).isEmpty)
    }

    @Test func aTokenOfAnotherClientWithTheSameNameIsNoEcho() throws {
        var board = connected()
        let contents = try #require(created(ask(&board, .activate, 1)).first)
        _ = board.handle(appeared(7, contents, other), now: start)
        #expect(
            board.handle(.echoed(name(1)), now: start)
                == [.destroy(name(1)), .answer(ArbitrationRequestID(1), .tokenNotMade)])
    }

    @Test func aTokenBeyondTheLimitIsAnError() throws {
        var board = connected()
        for serial in UInt64(10)..<1034 {
            let old = TokenContents(
                name: TokenName(BoardStage.session(2), UInt32(serial)), traits: TokenTraits(isMixable: true))
            _ = board.handle(appeared(serial, old), now: start)
        }
        let contents = try #require(created(ask(&board, .activate, 1)).first)
        _ = board.handle(appeared(2000, contents), now: start)
        #expect(
            board.handle(.echoed(name(1)), now: start)
                == [.destroy(name(1)), .answer(ArbitrationRequestID(1), .tooManyTokens)])
    }

    @Test func aTokenThatCannotBeMadeIsAFailure() {
        var board = connected()
        _ = ask(&board, .activate, 1)
        #expect(board.handle(.failed(name(1)), now: start) == [.answer(ArbitrationRequestID(1), .tokenNotMade)])
        #expect(board.handle(.failed(name(1)), now: start).isEmpty)
        #expect(board.handle(.failed(TokenName(BoardStage.session(5), 1)), now: start).isEmpty)
    }

    @Test func requestsOfASessionAreServedInOrder() throws {
        var board = connected()
        let contents = try #require(created(ask(&board, .activate, 1)).first)
        #expect(ask(&board, .deactivate(notify: true), 2).isEmpty)
        #expect(ask(&board, .deactivate(notify: false), 3).isEmpty)
        _ = board.handle(appeared(7, contents), now: start)
        let actions = board.handle(.echoed(name(1)), now: start)
        let release = TokenContents(
            name: name(2), state: .releasedWithNotice, traits: TokenTraits(),
            place: TokenPlace(cookie: 1, epoch: 0, serial: 7))
        #expect(
            actions == [
                .notify(.activated, session), .answer(ArbitrationRequestID(1), nil), .create(release),
                .destroy(name(1)), .destroy(name(2)), .notify(.deactivated, session), .barrier(name(3)),
                .answer(ArbitrationRequestID(3), nil),
            ])
        // A program may exit as soon as it has deactivated, and its release still counts.
        #expect(board.handle(.echoed(name(2)), now: start).isEmpty)
        #expect(board.handle(.echoed(name(3)), now: start) == [.answer(ArbitrationRequestID(2), nil)])
    }

    /// The removal of its token has the same meaning.
    @Test(arguments: [false, true])
    func aReleaseThatIsNormalForItsKindOnlyRemovesTheToken(_ notify: Bool) throws {
        var board = ArbitrationStateMachine()
        _ = board.handle(.connected(cookie: 1, owner: owner), now: start)
        _ = board.handle(.opened(session, TokenTraits(leavesWithNotice: notify)), now: start)
        let contents = try #require(created(ask(&board, .activate, 1)).first)
        _ = board.handle(appeared(7, contents), now: start)
        _ = board.handle(.echoed(name(1)), now: start)
        #expect(
            ask(&board, .deactivate(notify: notify), 2)
                == [.destroy(name(1)), .notify(.deactivated, session), .barrier(name(2))])
        #expect(board.handle(.echoed(name(2)), now: start) == [.answer(ArbitrationRequestID(2), nil)])
    }

    /// Other programs may not be connected again yet.
    @Test func aReleaseAfterAReconnectionStaysForASecond() throws {
        var board = connected()
        let contents = try #require(created(ask(&board, .activate, 1)).first)
        _ = board.handle(appeared(7, contents), now: start)
        _ = board.handle(.echoed(name(1)), now: start)
        _ = board.handle(.disconnected, now: start)
        _ = ask(&board, .deactivate(notify: true), 2)
        let actions = board.handle(.connected(cookie: 2, owner: owner), now: start)
        #expect(created(actions).map(\.state) == [.releasedWithNotice])
        #expect(!actions.contains(.destroy(name(2))))
        #expect(board.handle(.deadline, now: start + .milliseconds(999)).isEmpty)
        #expect(board.handle(.deadline, now: start + .seconds(1)) == [.destroy(name(2))])
        #expect(board.handle(.deadline, now: start + .seconds(2)).isEmpty)
    }

    @Test func theReleaseOfAClosedSessionIsSentAfterAReconnection() throws {
        var board = connected()
        let contents = try #require(created(ask(&board, .activate, 1)).first)
        _ = board.handle(appeared(7, contents), now: start)
        _ = board.handle(.echoed(name(1)), now: start)
        _ = board.handle(.disconnected, now: start)
        _ = ask(&board, .deactivate(notify: true), 2)
        _ = board.handle(.closed(session), now: start)
        let actions = board.handle(.connected(cookie: 2, owner: owner), now: start)
        #expect(created(actions).map(\.state) == [.releasedWithNotice])
        #expect(board.handle(.deadline, now: start + .seconds(1)) == [.destroy(name(2))])
        _ = board.handle(.disconnected, now: start)
        #expect(created(board.handle(.connected(cookie: 3, owner: owner), now: start)).isEmpty)
    }

    @Test func aReleaseWithoutOtherProgramsDoesNotWait() throws {
        var board = connected()
        let contents = try #require(created(ask(&board, .activate, 1)).first)
        _ = board.handle(appeared(7, contents), now: start)
        _ = board.handle(.echoed(name(1)), now: start)
        _ = ask(&board, .deactivate(notify: true), 2)
        // A failure to create it neither extends nor shortens the wait.
        #expect(board.handle(.failed(name(2)), now: start).isEmpty)
        #expect(
            board.handle(.disconnected, now: start).contains(.answer(ArbitrationRequestID(2), .mediaServicesFailed)))
        #expect(board.handle(.echoed(name(3)), now: start) == [])
    }

    /// A deactivation ends what the other requests would begin.
    @Test func aDeactivationIsNeverRefused() {
        var board = connected()
        _ = ask(&board, .activate, 0)
        for id in 1...31 { #expect(ask(&board, .activate, UInt64(id)).isEmpty) }
        #expect(ask(&board, .deactivate(notify: true), 32).isEmpty)
        let answers = ask(&board, .deactivate(notify: true), 33)
        #expect(answers == (1...31).map { .answer(ArbitrationRequestID(UInt64($0)), .tooManyRequests) })
        #expect(ask(&board, .activate, 34).isEmpty)
    }

    @Test func tooManyRequestsAreRefused() {
        var board = connected()
        _ = ask(&board, .activate, 0)
        for id in 1...32 { #expect(ask(&board, .activate, UInt64(id)).isEmpty) }
        #expect(ask(&board, .activate, 33) == [.answer(ArbitrationRequestID(33), .tooManyRequests)])
        let answers = board.handle(.closed(session), now: start)
        // The token may still be granted, so its release is sent first.
        #expect(answers.count == 36 && created(answers).map(\.state) == [.releasedWithNotice])
        #expect(answers.dropFirst().first == .destroy(name(1)))
        #expect(ask(&board, .activate, 34) == [.answer(ArbitrationRequestID(34), .noSuchSession)])
        #expect(board.status(of: session) == nil)
        #expect(board.handle(.closed(session), now: start).isEmpty)
    }

    @Test func theNumberOfSessionsIsLimited() {
        var board = ArbitrationStateMachine()
        for number in 0..<300 {
            _ = board.handle(.opened(BoardStage.session(number), TokenTraits()), now: start)
        }
        #expect(board.status(of: BoardStage.session(255)) != nil)
        #expect(board.status(of: BoardStage.session(256)) == nil)
    }

    @Test func withoutADaemonChangesAreStoredAndActivationFails() throws {
        var board = ArbitrationStateMachine()
        _ = board.handle(.opened(session, TokenTraits()), now: start)
        #expect(ask(&board, .activate, 1) == [.answer(ArbitrationRequestID(1), .mediaServicesFailed)])
        #expect(ask(&board, .configure(TokenTraits(isMixable: true)), 2) == [.answer(ArbitrationRequestID(2), nil)])
        #expect(ask(&board, .deactivate(notify: true), 3) == [.answer(ArbitrationRequestID(3), nil)])
        #expect(board.handle(appeared(1, TokenContents(name: name(1), traits: TokenTraits())), now: start).isEmpty)
        #expect(board.handle(.disconnected, now: start).isEmpty)
        _ = board.handle(.connected(cookie: 1, owner: owner), now: start)
        #expect(created(ask(&board, .activate, 4)).first?.traits.isMixable == true)
    }

    @Test func unansweredRequestsFailWhenTheDaemonIsLost() {
        var board = connected()
        _ = ask(&board, .activate, 1)
        #expect(
            board.handle(.disconnected, now: start) == [.answer(ArbitrationRequestID(1), .mediaServicesFailed)])
    }

    @Test func aDestroyedTokenIsCreatedAgainInItsPlace() throws {
        var board = connected()
        var contents = try #require(created(ask(&board, .activate, 1)).first)
        _ = board.handle(appeared(7, contents), now: start)
        _ = board.handle(.echoed(name(1)), now: start)
        for serial in UInt64(7)...9 {
            let actions = board.handle(.vanished(ObjectID(UInt32(serial))), now: start)
            contents = try #require(created(actions).first)
            #expect(contents.place == TokenPlace(cookie: 1, epoch: 0, serial: 7) && actions.count == 1)
            _ = board.handle(appeared(serial + 1, contents), now: start)
            #expect(board.status(of: session)?.state == .active)
        }
        #expect(board.handle(.vanished(ObjectID(10)), now: start) == [.notify(.placeLost, session)])
        #expect(board.status(of: session)?.state == .inactive)
    }

    @Test func aChangeThatIsGrantedAfterThePlaceWasLostActivatesNothing() throws {
        var board = connected()
        var contents = try #require(created(ask(&board, .activate, 1)).first)
        _ = board.handle(appeared(7, contents), now: start)
        _ = board.handle(.echoed(name(1)), now: start)
        for serial in UInt64(7)...9 {
            contents = try #require(created(board.handle(.vanished(ObjectID(UInt32(serial))), now: start)).first)
            _ = board.handle(appeared(serial + 1, contents), now: start)
        }
        let change = try #require(created(ask(&board, .configure(BoardStage.traits("alarm")), 2)).first)
        #expect(board.handle(.vanished(ObjectID(10)), now: start) == [.notify(.placeLost, session)])
        _ = board.handle(appeared(11, change), now: start)
        // An alarm normally leaves with notice, which the removal of its token says.
        #expect(
            board.handle(.echoed(change.name), now: start)
                == [.destroy(change.name), .answer(ArbitrationRequestID(2), nil)])
        #expect(board.status(of: session)?.state == .inactive)
        _ = board.handle(.vanished(ObjectID(11)), now: start)
        #expect(created(ask(&board, .activate, 3)).first?.traits == BoardStage.traits("alarm"))
    }

    @Test func aTokenThatCannotBeRemadeIsTriedAgain() throws {
        var board = connected()
        let contents = try #require(created(ask(&board, .activate, 1)).first)
        _ = board.handle(appeared(7, contents), now: start)
        _ = board.handle(.echoed(name(1)), now: start)
        let again = try #require(created(board.handle(.vanished(ObjectID(7)), now: start)).first)
        #expect(created(board.handle(.failed(again.name), now: start)).count == 1)
    }

    @Test func anInterruptionThatEndsBeforeTheEchoIsNotNotified() throws {
        var board = connected()
        let contents = try #require(created(ask(&board, .activate, 1)).first)
        let call = TokenContents(name: TokenName(BoardStage.session(2), 1), traits: BoardStage.traits("call"))
        _ = board.handle(appeared(7, contents), now: start)
        _ = board.handle(appeared(8, call, other), now: start)
        _ = board.handle(.vanished(ObjectID(8)), now: start)
        let actions = board.handle(.echoed(name(1)), now: start)
        // For all other programs that token has been replaced. The new one counts.
        #expect(created(actions).map(\.place) == [TokenPlace(cookie: 1, epoch: 0, serial: 7)])
        #expect(created(actions).map(\.state) == [.standing])
        #expect(board.status(of: session)?.state == .active)
    }

    @Test func aSessionCanBeInterruptedAtItsEcho() throws {
        var board = connected()
        let contents = try #require(created(ask(&board, .activate, 1)).first)
        let call = TokenContents(name: TokenName(BoardStage.session(2), 1), traits: BoardStage.traits("call"))
        _ = board.handle(appeared(7, contents), now: start)
        _ = board.handle(appeared(8, call, other), now: start)
        let cause = AudioSessionPeer(session: BoardStage.session(2), applicationName: "you", processID: 500)
        #expect(
            board.handle(.echoed(name(1)), now: start)
                == [
                    .notify(.activated, session), .notify(.began(by: cause), session),
                    .answer(ArbitrationRequestID(1), nil),
                ])
        #expect(board.status(of: session)?.interruptedBy == [cause])
    }

    @Test func aChangeAfterAnInterruptionIsStored() throws {
        var board = connected()
        let contents = try #require(created(ask(&board, .activate, 1)).first)
        _ = board.handle(appeared(7, contents), now: start)
        _ = board.handle(.echoed(name(1)), now: start)
        let change = try #require(created(ask(&board, .configure(BoardStage.traits("alarm")), 2)).first)
        #expect(change.isChange)
        let music = TokenContents(name: TokenName(BoardStage.session(2), 1), traits: TokenTraits())
        _ = board.handle(appeared(8, music, other), now: start)
        #expect(board.status(of: session)?.state == .interrupted)
        _ = board.handle(appeared(9, change), now: start)
        #expect(
            board.handle(.echoed(change.name), now: start)
                == [.destroy(change.name), .answer(ArbitrationRequestID(2), nil)])
        #expect(board.status(of: session)?.state == .interrupted)
        #expect(created(ask(&board, .activate, 3)).first?.traits == BoardStage.traits("alarm"))
    }

    @Test func aChangeBeforeAnInterruptionApplies() throws {
        var board = connected()
        let contents = try #require(created(ask(&board, .activate, 1)).first)
        _ = board.handle(appeared(7, contents), now: start)
        _ = board.handle(.echoed(name(1)), now: start)
        let change = try #require(created(ask(&board, .configure(BoardStage.traits("podcast")), 2)).first)
        _ = board.handle(appeared(8, change), now: start)
        let music = TokenContents(name: TokenName(BoardStage.session(2), 1), traits: TokenTraits())
        _ = board.handle(appeared(9, music, other), now: start)
        #expect(
            board.handle(.echoed(change.name), now: start)
                == [.destroy(name(1)), .answer(ArbitrationRequestID(2), nil)])
        #expect(board.status(of: session)?.state == .interrupted)
    }

    /// The traits are what the stack reads. A mode such as `measurement` is not among them.
    @Test func aChangeWithEqualTraitsWinsANewPlace() {
        var stage = BoardStage("P:prompt B:podcast C:music")
        stage.play("+P +B")
        #expect(stage.status("B")?.state == .active, "the prompt is older")
        stage.play("P=prompt")
        #expect(stage.words("P") == "on" && stage.words("B").hasSuffix("began:P"))
        stage.play("-P 5s +C C=music")
        #expect(stage.words("C") == "on" && stage.unanswered == 0)
    }

    /// Setting an equal configuration has no effect. The second caller waits for the same answer.
    @Test func aConfigurationThatIsSetAgainWinsOnePlace() throws {
        var board = connected()
        let contents = try #require(created(ask(&board, .activate, 1)).first)
        _ = board.handle(appeared(7, contents), now: start)
        _ = board.handle(.echoed(name(1)), now: start)
        let change = try #require(created(ask(&board, .configure(TokenTraits()), 2)).first)
        #expect(ask(&board, .configureAgain(TokenTraits()), 3).isEmpty)
        _ = board.handle(appeared(8, change), now: start)
        #expect(
            board.handle(.echoed(change.name), now: start)
                == [
                    .destroy(name(1)), .answer(ArbitrationRequestID(2), nil), .answer(ArbitrationRequestID(3), nil),
                ])
    }

    @Test func aConfigurationThatIsSetAgainIsRequestedAfterARefusal() throws {
        var board = connected()
        let call = TokenContents(name: TokenName(BoardStage.session(2), 1), traits: BoardStage.traits("call"))
        _ = board.handle(appeared(6, call, other), now: start)
        _ = ask(&board, .configure(TokenTraits(isMixable: true)), 1)
        let contents = try #require(created(ask(&board, .activate, 2)).first)
        _ = board.handle(appeared(7, contents), now: start)
        _ = board.handle(.echoed(contents.name), now: start)
        let change = try #require(created(ask(&board, .configure(TokenTraits()), 3)).first)
        #expect(ask(&board, .configureAgain(TokenTraits()), 4).isEmpty)
        _ = board.handle(appeared(8, change), now: start)
        #expect(created(board.handle(.echoed(change.name), now: start)).map(\.traits) == [TokenTraits()])
    }

    @Test func aTakeBackIsNotFollowedByAnEndedNotification() throws {
        var board = connected()
        let contents = try #require(created(ask(&board, .activate, 1)).first)
        _ = board.handle(appeared(7, contents), now: start)
        _ = board.handle(.echoed(name(1)), now: start)
        let music = TokenContents(name: TokenName(BoardStage.session(2), 1), traits: TokenTraits())
        _ = board.handle(appeared(8, music, other), now: start)
        let back = try #require(created(ask(&board, .activate, 2)).first)
        #expect(board.handle(.vanished(ObjectID(8)), now: start).isEmpty)
        _ = board.handle(appeared(9, back), now: start)
        #expect(
            board.handle(.echoed(back.name), now: start)
                == [.destroy(name(1)), .notify(.activated, session), .answer(ArbitrationRequestID(2), nil)])
    }

    @Test func malformedAndSurplusTokensAreCounted() {
        var board = connected()
        let bad: Properties = [.deviceAPI: "audio-session", .deviceName: "x", .deviceDescription: "y"]
        for serial in UInt64(1)...3 {
            let identity = TokenIdentity(object: ObjectID(UInt32(serial)), serial: serial, owner: other)
            #expect(board.handle(.appeared(identity, bad), now: start).isEmpty)
        }
        #expect(board.malformedCount == 3)
        for serial in UInt64(10)..<1134 {
            let contents = TokenContents(
                name: TokenName(BoardStage.session(Int(serial)), 1), traits: TokenTraits(isMixable: true))
            _ = board.handle(appeared(serial, contents, other), now: start)
        }
        #expect(board.surplusCount == 100)
        #expect(board.arbitration.stack.count == 1024)
        // The oldest surplus token takes the place that becomes free.
        _ = board.handle(.vanished(ObjectID(10)), now: start)
        #expect(board.arbitration.stack.count == 1024)
        #expect(board.arbitration.stack.last?.serial == 1034)
    }

    @Test func aReusedObjectIDIsAnotherToken() {
        var board = connected()
        let contents = TokenContents(name: TokenName(BoardStage.session(2), 1), traits: TokenTraits())
        _ = board.handle(appeared(7, contents, other), now: start)
        #expect(board.arbitration.stack.map(\.serial) == [7])
        let identity = TokenIdentity(object: ObjectID(7), serial: 8, owner: other)
        _ = board.handle(.appeared(identity, [.mediaClass: "Audio/Device"]), now: start)
        #expect(board.arbitration.stack.isEmpty)
    }

    @Test func theGroupOfAnUnknownProcessIsItsClient() {
        #expect(TokenOwner(client: ObjectID(3), processID: 0).process == .client(ObjectID(3)))
        #expect(TokenOwner(client: ObjectID(3), processID: 12).process == .id(12))
    }
}

extension ArbitrationStateMachine {
    /// The actions besides wakes. Other tests cover the deadlines.
    fileprivate mutating func handle(_ input: ArbitrationInput, now: MonotonicTime) -> [ArbitrationAction] {
        receive(input, now: now).filter { if case .wake = $0 { false } else { true } }
    }
}
