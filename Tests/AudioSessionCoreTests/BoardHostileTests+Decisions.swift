import SessionStories
import Testing

@testable import AudioSessionCore

/// Tokens whose decision depends on others that may end later.
extension BoardHostileTests {
    /// A program that starts then grants all of them.
    @Test func allRefusedTokensAreGrantedWhenTheirReasonHasEnded() {
        var board = connected()
        let phone = TokenOwner(client: ObjectID(7), processID: 70)
        let stubborn = TokenOwner(client: ObjectID(8), processID: 80)
        _ = board.receive(input(1, traits("call"), phone), now: start)
        for serial in UInt64(2)...41 { _ = board.receive(input(serial, traits("music"), stubborn), now: start) }
        var now = start
        advance(100, &board, &now)
        #expect(board.arbitration.stack.map(\.serial) == [1])
        _ = board.receive(.vanished(ObjectID(1)), now: now)
        for granted in 1...2 {
            advance(1, &board, &now)
            #expect(board.arbitration.stack.count == granted, "one in one iteration of the event loop")
        }
        advance(100, &board, &now)
        #expect(board.arbitration.stack.map(\.serial) == Array(2...41))
        for serial in UInt32(2)...41 { _ = board.receive(.vanished(ObjectID(serial)), now: now) }
        #expect(board.tokens.isEmpty)
    }

    /// The call is refused by the first token of a session, and would refuse the second.
    @Test func decisionsThatDependOnOneAnotherDoNotAlternate() {
        let one = TokenOwner(client: ObjectID(7), processID: 70)
        let other = TokenOwner(client: ObjectID(8), processID: 80)
        let inputs = [
            appeared(1, session: 1, traits("emergency"), one), appeared(2, session: 2, traits("call"), other),
            appeared(3, session: 1, traits("music"), one),
        ]
        var board = connected(receiving: inputs)
        var now = start
        advance(10, &board, &now)
        var late = connected(receiving: inputs, at: now)
        for _ in 0..<10 {
            let former = shape(board)
            advance(1, &board, &now)
            #expect(shape(board) == former)
        }
        var lateNow = now
        advance(10, &late, &lateNow)
        #expect(shape(board) == shape(late))
    }

    /// The newer token of the session may be removed, and the older one counts again.
    @Test func aGrantIsConfirmedIfATokenThatWasReplacedWouldRefuseIt() throws {
        var board = connected()
        let stranger = TokenOwner(client: ObjectID(7), processID: 70)
        let session = BoardStage.session(100)
        _ = board.receive(appeared(1, session: 1, traits("emergency"), stranger), now: start)
        _ = board.receive(appeared(2, session: 1, mixing, stranger), now: start)
        _ = board.receive(.opened(session, TokenTraits()), now: start)
        let asked = try #require(
            board.receive(.requested(.activate, session, ArbitrationRequestID(1)), now: start).createdTokens.first)
        _ = board.receive(own(3, asked), now: start)
        let confirmed = try #require(board.receive(.echoed(asked.name), now: start).createdTokens.first)
        #expect(confirmed.place == TokenPlace(cookie: 1, epoch: 0, serial: 3))
        _ = board.receive(own(4, confirmed), now: start)
        _ = board.receive(.vanished(ObjectID(3)), now: start)
        _ = board.receive(.vanished(ObjectID(2)), now: start)
        let late = connected(receiving: [
            appeared(1, session: 1, traits("emergency"), stranger), own(4, confirmed),
        ])
        #expect(shape(board) == shape(late))
        #expect(board.status(of: session)?.state == .active)
    }

    /// Lets programs find these tokens during a call, which ends. The first program then has the
    /// stack of one that starts later.
    ///
    /// - Parameters:
    ///   - inputs: the tokens after that of the call.
    ///   - granted: the serials of the tokens that the call does not refuse.
    /// - Returns: the board of the first program.
    private func afterACall(
        _ inputs: [ArbitrationInput], granted: [UInt64], _ location: SourceLocation = #_sourceLocation
    ) -> ArbitrationStateMachine {
        let phone = TokenOwner(client: ObjectID(7), processID: 70)
        var board = connected(receiving: [appeared(1, session: 1, traits("call"), phone)] + inputs)
        #expect(board.arbitration.stack.map(\.serial) == [1] + granted, sourceLocation: location)
        _ = board.receive(.vanished(ObjectID(1)), now: start)
        var now = start
        advance(10, &board, &now)
        #expect(shape(board) == shape(connected(receiving: inputs, at: now)), sourceLocation: location)
        return board
    }

    /// A refused player may be granted later, in a place before the newcomer's.
    @Test func aPlayerInTheBackgroundIsReviewedWithTheTokensBeforeIt() {
        let phone = TokenOwner(client: ObjectID(7), processID: 70)
        let stubborn = TokenOwner(client: ObjectID(8), processID: 80)
        let newcomer = TokenContents(
            name: TokenName(BoardStage.session(3), 1), traits: TokenTraits(), background: .nowPlaying(0))
        let board = afterACall(
            [appeared(2, session: 2, traits("music"), stubborn), .token(3, newcomer, of: phone)], granted: [3])
        #expect(board.arbitration.stack.map(\.serial) == [2])
    }

    /// The owner of a change keeps the former token. A refused player may interrupt that one later.
    @Test func aChangeIsReviewedWhileItsFormerTokenIsLive() {
        let phone = TokenOwner(client: ObjectID(7), processID: 70)
        let stubborn = TokenOwner(client: ObjectID(8), processID: 80)
        let change = TokenContents(
            name: TokenName(BoardStage.session(2), 2), traits: TokenTraits(), isChange: true)
        let inputs: [ArbitrationInput] = [
            appeared(2, session: 2, traits("music"), phone), appeared(3, session: 3, traits("music"), stubborn),
            .token(4, change, of: phone),
        ]
        #expect(shape(afterACall(inputs, granted: [4])) == ["2 true", "3 false"])
    }

    @Test func aReleaseBeforeARemovedTokenBringsNoOlderTokenBack() {
        let stranger = TokenOwner(client: ObjectID(7), processID: 70)
        let inputs = [
            appeared(1, session: 1, traits("music"), stranger),
            appeared(2, session: 1, traits("music"), stranger, state: .releasedWithNotice),
            appeared(3, session: 1, traits("music"), stranger),
        ]
        var board = connected(receiving: inputs)
        #expect(board.arbitration.stack.map(\.serial) == [3])
        _ = board.receive(.vanished(ObjectID(3)), now: start)
        let late = connected(receiving: Array(inputs.dropLast()))
        #expect(board.arbitration.stack.isEmpty && late.arbitration.stack.isEmpty)
    }

    @Test func eachOfManyRefusedRequestsGetsItsReason() {
        var board = connected()
        let phone = TokenOwner(client: ObjectID(7), processID: 70)
        _ = board.receive(input(1, traits("call"), phone), now: start)
        var failures: [ActivationFailure?] = []
        for number in 1...20 {
            _ = board.receive(.opened(BoardStage.session(100 + number), TokenTraits()), now: start)
            let request = ArbitrationInput.requested(
                .activate, BoardStage.session(100 + number), ArbitrationRequestID(UInt64(number)))
            for contents in board.receive(request, now: start).createdTokens {
                _ = board.receive(own(UInt64(10 + number), contents), now: start)
                for case .answer(_, let failure) in board.receive(.echoed(contents.name), now: start) {
                    failures.append(failure)
                }
            }
        }
        let cause = AudioSessionPeer(session: BoardStage.session(1), processID: 70)
        #expect(failures == Array(repeating: .insufficientPriority(by: cause), count: 20))
    }

    /// The reason for a refusal may end. A token that still exists must then mean the same to a
    /// program that starts now and to one that saw it refused.
    @Test func aRefusedTokenThatStaysIsReviewedOnceASecondIfAnythingChanged() {
        var board = connected()
        let phone = TokenOwner(client: ObjectID(7), processID: 70)
        let stubborn = TokenOwner(client: ObjectID(8), processID: 80)
        _ = board.receive(input(1, traits("call"), phone), now: start)
        let wakes = board.receive(input(2, traits("music"), stubborn), now: start)
        #expect(wakes.contains(.wake(at: start + .seconds(1))))
        // It is reviewed once on its own deadline, and then not while nothing changes.
        var now = start + .seconds(1)
        #expect(!board.receive(.deadline, now: now).contains { if case .wake = $0 { true } else { false } })
        #expect(board.arbitration.stack.map(\.serial) == [1])
        now = now + .seconds(10)
        #expect(board.receive(.vanished(ObjectID(1)), now: now).contains(.wake(at: start + .seconds(2))))
        #expect(board.arbitration.stack.isEmpty, "never at a change of others")
        _ = board.receive(.deadline, now: now)
        #expect(board.arbitration.stack.map(\.serial) == [2])
    }
}
