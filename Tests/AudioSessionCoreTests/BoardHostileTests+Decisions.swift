import SessionStories
import Testing

@testable import AudioSessionCore

/// Tokens whose decision depends on others that may end later.
extension BoardHostileTests {
    func refused(_ serial: UInt64, _ owner: TokenOwner) -> ArbitrationInput {
        let contents = TokenContents(
            name: TokenName(BoardStage.session(Int(serial)), 1), traits: TokenTraits(), background: .yes)
        let identity = TokenIdentity(object: ObjectID(UInt32(serial)), serial: serial, owner: owner)
        return .appeared(identity, contents.announcement.properties())
    }

    /// A program that starts then grants all of them.
    @Test func allRefusedTokensAreGrantedWhenTheirReasonHasEnded() {
        var board = connected()
        let phone = TokenOwner(client: ObjectID(7), processID: 70)
        let stubborn = TokenOwner(client: ObjectID(8), processID: 80)
        _ = board.receive(input(1, traits("call"), phone), now: start)
        for serial in UInt64(2)...41 { _ = board.receive(input(serial, traits("music"), stubborn), now: start) }
        var now = start
        pass(100, &board, &now)
        #expect(board.arbitration.stack.map(\.serial) == [1])
        _ = board.receive(.vanished(ObjectID(1)), now: now)
        for granted in 1...2 {
            pass(1, &board, &now)
            #expect(board.arbitration.stack.count == granted, "one in one iteration of the event loop")
        }
        pass(100, &board, &now)
        #expect(board.arbitration.stack.map(\.serial) == Array(2...41))
        for serial in UInt32(2)...41 { _ = board.receive(.vanished(ObjectID(serial)), now: now) }
        #expect(board.tokens.isEmpty)
    }

    func pass(_ seconds: Int, _ board: inout ArbitrationStateMachine, _ now: inout MonotonicTime) {
        for _ in 0..<seconds {
            now = now + .seconds(1)
            _ = board.receive(.deadline, now: now)
        }
    }

    func appeared(
        _ serial: UInt64, session: Int, _ traits: TokenTraits, _ owner: TokenOwner,
        state: TokenContents.State = .standing
    ) -> ArbitrationInput {
        let contents = TokenContents(
            name: TokenName(BoardStage.session(session), UInt32(serial)), state: state, traits: traits)
        let identity = TokenIdentity(object: ObjectID(UInt32(serial)), serial: serial, owner: owner)
        return .appeared(identity, contents.announcement.properties())
    }

    /// The call is refused by the first token of a session, and would refuse the second.
    @Test func decisionsThatDependOnOneAnotherDoNotAlternate() {
        let one = TokenOwner(client: ObjectID(7), processID: 70)
        let other = TokenOwner(client: ObjectID(8), processID: 80)
        let inputs = [
            appeared(1, session: 1, traits("emergency"), one), appeared(2, session: 2, traits("call"), other),
            appeared(3, session: 1, traits("music"), one),
        ]
        var board = connected()
        for input in inputs { _ = board.receive(input, now: start) }
        var now = start
        pass(10, &board, &now)
        var late = connected()
        for input in inputs { _ = late.receive(input, now: now) }
        for _ in 0..<10 {
            let former = shape(board)
            pass(1, &board, &now)
            #expect(shape(board) == former)
        }
        var lateNow = now
        pass(10, &late, &lateNow)
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
        var made = created(board.receive(.requested(.activate, session, ArbitrationRequestID(1)), now: start))
        let asked = try #require(made.first)
        _ = board.receive(own(3, asked), now: start)
        made = created(board.receive(.echoed(asked.name), now: start))
        let confirmed = try #require(made.first)
        #expect(confirmed.place == TokenPlace(cookie: 1, epoch: 0, serial: 3))
        _ = board.receive(own(4, confirmed), now: start)
        _ = board.receive(.vanished(ObjectID(3)), now: start)
        _ = board.receive(.vanished(ObjectID(2)), now: start)
        var late = connected()
        _ = late.receive(appeared(1, session: 1, traits("emergency"), stranger), now: start)
        _ = late.receive(own(4, confirmed), now: start)
        #expect(shape(board) == shape(late))
        #expect(board.status(of: session)?.state == .active)
    }

    func created(_ actions: [ArbitrationAction]) -> [TokenContents] {
        actions.compactMap { if case .create(let contents) = $0 { contents } else { nil } }
    }

    func own(_ serial: UInt64, _ contents: TokenContents) -> ArbitrationInput {
        let identity = TokenIdentity(object: ObjectID(UInt32(serial)), serial: serial, owner: me)
        return .appeared(identity, contents.announcement.properties())
    }

    /// A refused player may be granted later, in a place before the newcomer's.
    @Test func aPlayerInTheBackgroundIsReviewedWithTheTokensBeforeIt() {
        let phone = TokenOwner(client: ObjectID(7), processID: 70)
        let stubborn = TokenOwner(client: ObjectID(8), processID: 80)
        let newcomer = TokenContents(
            name: TokenName(BoardStage.session(3), 1), traits: TokenTraits(), background: .nowPlaying(0))
        let identity = TokenIdentity(object: ObjectID(3), serial: 3, owner: phone)
        let inputs: [ArbitrationInput] = [
            appeared(2, session: 2, traits("music"), stubborn),
            .appeared(identity, newcomer.announcement.properties()),
        ]
        var board = connected()
        _ = board.receive(appeared(1, session: 1, traits("call"), phone), now: start)
        for input in inputs { _ = board.receive(input, now: start) }
        #expect(board.arbitration.stack.map(\.serial) == [1, 3])
        _ = board.receive(.vanished(ObjectID(1)), now: start)
        var now = start
        pass(10, &board, &now)
        var late = connected()
        for input in inputs { _ = late.receive(input, now: now) }
        #expect(board.arbitration.stack.map(\.serial) == [2])
        #expect(shape(board) == shape(late))
    }

    /// Its owner keeps the token before. A refused player may interrupt that one later.
    @Test func aChangeIsReviewedWhileItsFormerTokenIsLive() {
        let phone = TokenOwner(client: ObjectID(7), processID: 70)
        let stubborn = TokenOwner(client: ObjectID(8), processID: 80)
        let change = TokenContents(
            name: TokenName(BoardStage.session(2), 2), traits: TokenTraits(), isChange: true)
        let identity = TokenIdentity(object: ObjectID(4), serial: 4, owner: phone)
        let inputs: [ArbitrationInput] = [
            appeared(2, session: 2, traits("music"), phone), appeared(3, session: 3, traits("music"), stubborn),
            .appeared(identity, change.announcement.properties()),
        ]
        var board = connected()
        _ = board.receive(appeared(1, session: 1, traits("call"), phone), now: start)
        for input in inputs { _ = board.receive(input, now: start) }
        #expect(board.arbitration.stack.map(\.serial) == [1, 4])
        _ = board.receive(.vanished(ObjectID(1)), now: start)
        var now = start
        pass(10, &board, &now)
        var late = connected()
        for input in inputs { _ = late.receive(input, now: now) }
        #expect(shape(board) == ["2 true", "3 false"])
        #expect(shape(board) == shape(late))
    }

    @Test func aReleaseBeforeARemovedTokenBringsNoOlderTokenBack() {
        let stranger = TokenOwner(client: ObjectID(7), processID: 70)
        let inputs = [
            appeared(1, session: 1, traits("music"), stranger),
            appeared(2, session: 1, traits("music"), stranger, state: .releasedWithNotice),
            appeared(3, session: 1, traits("music"), stranger),
        ]
        var (board, late) = (connected(), connected())
        for input in inputs { _ = board.receive(input, now: start) }
        #expect(board.arbitration.stack.map(\.serial) == [3])
        _ = board.receive(.vanished(ObjectID(3)), now: start)
        for input in inputs.dropLast() { _ = late.receive(input, now: start) }
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
            for case .create(let contents) in board.receive(request, now: start) {
                let serial = UInt64(10 + number)
                let identity = TokenIdentity(object: ObjectID(UInt32(serial)), serial: serial, owner: me)
                _ = board.receive(.appeared(identity, contents.announcement.properties()), now: start)
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
