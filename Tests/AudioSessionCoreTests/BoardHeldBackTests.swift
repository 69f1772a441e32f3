import SessionStories
import Testing

@testable import AudioSessionCore

/// A token that its owner creates early and shows after other programs have shown newer ones.
@Suite struct BoardHeldBackTests {
    private let stranger = TokenOwner(client: ObjectID(99_999), processID: 66)
    private let emergency = TokenContents(
        name: TokenName(BoardStage.session(66), 1), traits: TokenTraits(priority: .emergency))

    private func shape(_ arbitration: Arbitration) -> [String] {
        arbitration.stack.map { "\($0.serial) \($0.isBlocked)" }
    }

    /// A program that has observed all events and one that starts now must compute the same state.
    private func agree(_ stage: inout BoardStage, _ moment: Comment) -> [String] {
        stage.daemon.run()
        let early = shape(stage.machine("A").arbitration)
        let late = stage.daemon.join()
        stage.daemon.run()
        #expect(shape(stage.daemon.processes[late].machine.arbitration) == early, moment)
        #expect(shape(Arbitration(live: stage.daemon.liveTokens, cookie: 1)) == early, moment)
        return early
    }

    @Test func aHeldBackEmergencyBesideACallIsRefused() {
        var stage = BoardStage("A:music B:call")
        let held = stage.daemon.number(stranger)
        stage.play("+A +B")
        let before = agree(&stage, "the call stays active")
        stage.daemon.create(emergency.announcement.properties(), owner: stranger, numbered: held)
        #expect(agree(&stage, "the emergency is shown") == before)
        #expect(stage.status("B")?.state == .active)
    }

    @Test func aHeldBackTokenCountsWhenAllThatArrivedBeforeItAreRemoved() {
        var stage = BoardStage("A:music B:call")
        let held = stage.daemon.number(stranger)
        stage.play("+B")
        stage.daemon.create(emergency.announcement.properties(), owner: stranger, numbered: held)
        stage.play("-B")
        // The token of the release is removed after a second, and the refused one is reviewed once
        // a second.
        stage.daemon.advance(.seconds(3))
        #expect(agree(&stage, "the call is over") == ["\(held.serial) false"])
        stage.play("+A")
        #expect(stage.status("A")?.state != .active)
    }

    @Test func aHeldBackTokenThatNoOtherOvertookIsGranted() {
        var stage = BoardStage("A:music B:call")
        stage.play("+B")
        let held = stage.daemon.number(stranger)
        stage.daemon.create(emergency.announcement.properties(), owner: stranger, numbered: held)
        _ = agree(&stage, "the emergency is shown")
        #expect(stage.status("B")?.state == .interrupted)
    }

    /// A comparison of all tokens would be a search at each end of a token of a flood.
    @Test func onlyOvertakenTokensAreComparedWithOthers() {
        let start = MonotonicTime(nanoseconds: 1_000_000_000)
        var board = ArbitrationStateMachine()
        _ = board.receive(.connected(cookie: 1, owner: TokenOwner(client: ObjectID(1), processID: 10)), now: start)
        // The last ones are surplus.
        for serial in Array(1...1030) + [3000, 2000] as [UInt64] {
            _ = board.receive(.token(serial, emergency, of: stranger), now: start)
        }
        #expect(Array(board.tokens.possiblyHeldBack) == [ObjectID(2000)])
        for serial in [3000] + Array(1...10) as [UInt32] {
            _ = board.receive(.vanished(ObjectID(serial)), now: start)
        }
        #expect(board.tokens.possiblyHeldBack.isEmpty, "no other token can overtake it")
    }

    @Test func aRemovedSurplusTokenOvertakesNoOther() throws {
        var present = PresentTokens(limits: TokenLimits(all: 2, ofProcess: 1))
        func identity(_ serial: UInt64, _ owner: TokenOwner) -> TokenIdentity {
            TokenIdentity(object: ObjectID(UInt32(serial)), serial: serial, owner: owner)
        }
        let other = TokenOwner(client: ObjectID(8), processID: 80)
        _ = present.append(identity(10, stranger), emergency)
        let surplus = present.append(identity(5000, stranger), emergency)
        #expect(surplus == nil)
        let appended = present.append(identity(100, other), emergency)
        let late = try #require(appended)
        var isHeldBack = present.isHeldBack(late)
        #expect(isHeldBack)
        _ = present.remove(ObjectID(5000))
        isHeldBack = present.isHeldBack(late)
        #expect(!isHeldBack && present.possiblyHeldBack.isEmpty)
    }

    /// The order of arrival of a token with a place decides nothing. A refused session would be in
    /// no program's stack.
    @Test func aTokenThatKeepsItsPlaceIsNotRefusedWhenItIsOvertaken() throws {
        let start = MonotonicTime(nanoseconds: 1_000_000_000)
        let owner = TokenOwner(client: ObjectID(1), processID: 10)
        let session = BoardStage.session(1)
        var board = ArbitrationStateMachine()
        _ = board.receive(.connected(cookie: 1, owner: owner), now: start)
        _ = board.receive(.opened(session, TokenTraits()), now: start)
        let asked = try #require(
            board.receive(.requested(.activate, session, ArbitrationRequestID(1)), now: start).createdTokens.first)
        _ = board.receive(.token(5, asked, of: owner), now: start)
        _ = board.receive(.echoed(asked.name), now: start)
        let remade = try #require(board.receive(.vanished(ObjectID(5)), now: start).createdTokens.first)
        let mixing = TokenContents(
            name: TokenName(BoardStage.session(2), 1), traits: TokenTraits(isMixable: true))
        _ = board.receive(.token(9, mixing, of: stranger), now: start)
        _ = board.receive(.token(8, remade, of: owner), now: start)
        #expect(shape(board.arbitration) == ["8 false", "9 false"])
        #expect(board.status(of: session)?.state == .active)
    }

    /// PipeWire may serve another program between the two messages of an activation.
    @Test func anOwnerCreatesAnOvertakenTokenOnceMore() throws {
        let start = MonotonicTime(nanoseconds: 1_000_000_000)
        let owner = TokenOwner(client: ObjectID(1), processID: 10)
        let session = BoardStage.session(1)
        let mixing = TokenContents(
            name: TokenName(BoardStage.session(2), 1), traits: TokenTraits(isMixable: true))
        var board = ArbitrationStateMachine()
        _ = board.receive(.connected(cookie: 1, owner: owner), now: start)
        _ = board.receive(.opened(session, TokenTraits()), now: start)
        let first = try #require(
            board.receive(.requested(.activate, session, ArbitrationRequestID(1)), now: start).createdTokens.first)
        _ = board.receive(.token(9, mixing, of: stranger), now: start)
        _ = board.receive(.token(8, first, of: owner), now: start)
        let actions = board.receive(.echoed(first.name), now: start)
        #expect(actions.contains(.destroy(first.name)))
        let second = try #require(actions.createdTokens.first)
        #expect(second.name != first.name && second.traits == first.traits)
        _ = board.receive(.vanished(ObjectID(8)), now: start)
        _ = board.receive(.token(10, second, of: owner), now: start)
        #expect(board.receive(.echoed(second.name), now: start).contains(.answer(ArbitrationRequestID(1), nil)))
        #expect(board.status(of: session)?.state == .active)
    }
}
