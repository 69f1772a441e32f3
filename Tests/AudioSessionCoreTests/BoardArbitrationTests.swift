import AudioSessionCore
import SessionStories
import Testing

@Suite struct BoardArbitrationTests {
    private func token(
        _ serial: UInt64, _ kind: String, session: Int? = nil, state: TokenContents.State = .standing,
        place: TokenPlace? = nil, client: UInt32? = nil
    ) -> Token {
        let number = session ?? Int(serial)
        let contents = TokenContents(
            name: TokenName(BoardStage.session(number), UInt32(serial)), state: state,
            traits: BoardStage.traits(kind),
            place: place)
        let owner = TokenOwner(client: ObjectID(client ?? UInt32(number)), processID: nil, application: kind)
        return Token(TokenIdentity(object: ObjectID(UInt32(serial)), serial: serial, owner: owner), contents)
    }

    private func states(_ tokens: [Token], cookie: UInt32 = 1) -> [String] {
        Arbitration(live: tokens, cookie: cookie).stack.map {
            "\($0.serial)\($0.isActive ? "!" : $0.isAdvised ? "?" : "")\($0.isBlocked ? "#" : "")"
        }
    }

    @Test func theDaemonDecidesTheOrder() {
        let tokens = [token(1, "music"), token(2, "call"), token(3, "music"), token(4, "game")]
        #expect(states(tokens) == ["1#", "2!", "4!"])
        #expect(states(tokens.reversed()) == ["1#", "2!", "4!"])
    }

    @Test func onlyTheNewestTokenOfASessionCounts() {
        #expect(states([token(1, "music"), token(2, "music"), token(3, "game", session: 2)]) == ["1!", "3!"])
        #expect(states([token(1, "music"), token(2, "music", session: 1, state: .releasedSilently)]) == [])
        let released = token(2, "music", session: 1, state: .releasedWithNotice)
        #expect(Arbitration(live: [token(1, "music"), released], cookie: 1).released[released.key] == true)
    }

    /// Only a forged token requests a duck to full gain.
    @Test func aDuckToFullGainDucksNoSession() {
        let music = token(1, "music")
        let owner = TokenOwner(client: ObjectID(9))
        let contents = TokenContents(
            name: TokenName(BoardStage.session(9), 2), traits: TokenTraits(duckedGain: TokenTraits.fullGain))
        let forged = Token(TokenIdentity(object: ObjectID(9), serial: 2, owner: owner), contents)
        #expect(Arbitration(live: [music, forged], cookie: 1).duckers(of: music.key).isEmpty)
        #expect(Arbitration(live: [music, token(3, "nav")], cookie: 1).duckers(of: music.key).count == 1)
    }

    @Test func aRefusedTokenDoesNotReplaceTheGrantedOne() {
        #expect(states([token(1, "call"), token(2, "game"), token(3, "music", session: 2)]) == ["1!", "2!"])
    }

    @Test func aTokenOfAnotherClientDoesNotReplaceASessionsToken() {
        // The same uuid of another client is another session.
        let forged = token(3, "music", session: 1, state: .releasedSilently, client: 66)
        #expect(states([token(1, "music"), token(2, "game"), forged]) == ["1!", "2!"])
    }

    @Test func aRemadeTokenKeepsItsPlace() {
        let place = TokenPlace(cookie: 1, epoch: 0, serial: 1)
        let advised = token(4, "music", session: 1, state: .advised, place: place)
        #expect(states([token(2, "music"), advised, token(3, "game")]) == ["4?#", "2!", "3!"])
        // A place is never newer than its token.
        let liar = token(5, "music", session: 9, place: TokenPlace(cookie: 1, epoch: 0, serial: 1000))
        #expect(states([liar, token(6, "music")]) == ["5#", "6!"])
    }

    @Test func restoredSessionsKeepTheirOrderBelowAllOthers() {
        let first = token(8, "music", session: 1, place: TokenPlace(cookie: 1, epoch: 0, serial: 20))
        let second = token(7, "music", session: 2, place: TokenPlace(cookie: 1, epoch: 0, serial: 30))
        #expect(states([token(3, "game"), second, first], cookie: 2) == ["8#", "7!", "3!"])
    }

    @Test func placesOfAnEarlierRunRankBelowThoseOfALaterRun() {
        // A program that connected during the second run does not know that there was a first one.
        // Others do.
        let old = token(4, "game", session: 1, place: TokenPlace(cookie: 9, epoch: 0, serial: 90))
        let ignorant = token(5, "game", session: 2, place: TokenPlace(cookie: 3, epoch: 0, serial: 10))
        let aware = token(6, "game", session: 3, place: TokenPlace(cookie: 3, epoch: 1, serial: 20))
        #expect(states([old, ignorant, aware], cookie: 5) == ["4!", "5!", "6!"])
    }

    @Test func aRestoredCallBlocksMusicThatReturnedBeforeIt() {
        let call = token(2, "call", session: 5, place: TokenPlace(cookie: 1, epoch: 0, serial: 50))
        let tokens = [token(1, "music"), call, token(3, "game")]
        #expect(states(tokens, cookie: 2) == ["2!", "1#", "3!"])
        let arbitration = Arbitration(live: tokens, cookie: 2)
        #expect(arbitration.blockers(of: tokens[0].key).map(\.serial) == [2])
        // It does not block if it is interrupted itself, or only advised.
        #expect(states(tokens + [token(4, "emergency")], cookie: 2) == ["2#", "1#", "3#", "4!"])
        let advised = token(
            2, "call", session: 5, state: .advised, place: TokenPlace(cookie: 1, epoch: 0, serial: 50))
        #expect(states([token(1, "music"), advised], cookie: 2) == ["2?", "1!"])
    }

    @Test func anInterruptedCallRefusesNoActivation() {
        let tokens = [token(1, "call"), token(2, "emergency@x")]
        let newcomer = token(3, "music@x")
        let arbitration = Arbitration(live: tokens, cookie: 1)
        #expect(arbitration.decision(on: newcomer) == .granted(mustConfirm: true))
        let confirmed = token(4, "music@x", session: 3, place: TokenPlace(cookie: 1, epoch: 0, serial: 3))
        #expect(states([tokens[0], confirmed]) == ["1!", "4!"])
    }

    @Test func anUnansweredActivationRefusesNoOther() {
        let place = TokenPlace(cookie: 1, epoch: 0, serial: 9)
        let waiting = token(1, "call", state: .waiting, place: place)
        #expect(states([waiting, token(2, "music")], cookie: 2) == ["1", "2!"])
    }

    @Test func aDuckActsOnOlderAndNewerSessions() {
        let tokens = [token(1, "music"), token(2, "nav"), token(3, "game"), token(4, "nav"), token(5, "alarm")]
        let arbitration = Arbitration(live: tokens, cookie: 1)
        #expect(tokens.map { arbitration.duckers(of: $0.key).map(\.serial) } == [[2, 4], [], [2, 4], [], []])
        #expect(arbitration.duckers(of: token(77, "music").key).isEmpty)
        #expect(arbitration.blockers(of: token(77, "music").key).isEmpty)
    }

    /// The single pass must give the same result as a comparison of all sessions with all.
    @Test func blockingFollowsTheTable() {
        var random = BoardRandom(seed: 3)
        for round in 0..<400 {
            let tokens = randomTokens(Int.random(in: 1...14, using: &random), &random)
            let arbitration = Arbitration(granted: tokens, cookie: 1)
            for (index, session) in arbitration.stack.enumerated() {
                let isBlocked = arbitration.stack.dropFirst(index + 1).contains {
                    $0.group != session.group && $0.traits.interrupts(session.traits)
                }
                #expect(session.isBlocked == isBlocked, "round \(round)")
                #expect(arbitration.blockers(of: session.key).isEmpty == !isBlocked)
            }
            #expect(
                Set(arbitration.stack) == Set(Arbitration(granted: tokens.shuffled(using: &random), cookie: 1).stack))
        }
    }

    private func randomTokens(_ count: Int, _ random: inout BoardRandom) -> [Token] {
        (1...count).map { serial in
            let group = random.chance(60) ? ["a", "b", "c"].randomElement(using: &random) : nil
            let name = TokenName(BoardStage.session(Int.random(in: 0...9, using: &random)), UInt32(serial))
            let contents = TokenContents(
                name: name, state: random.chance(80) ? .standing : .advised,
                traits: BoardTokenCodecTests.traits(&random, group: group))
            let owner = TokenOwner(client: ObjectID(UInt32.random(in: 0...3, using: &random)))
            return Token(
                TokenIdentity(object: ObjectID(UInt32(serial)), serial: UInt64(serial), owner: owner), contents)
        }
    }

    /// The table of the design: holder, newcomer, and whether the newcomer interrupts (i), is
    /// refused (r) or neither.
    @Test(arguments: [
        ("music", "music", "i"), ("music", "game", "-"), ("game", "music", "-"), ("podcast", "prompt", "i"),
        ("podcast", "nav", "-"), ("music", "prompt", "-"), ("spokenGame", "prompt", "i"),
        ("spokenGame", "music", "-"),
        ("call", "music", "r"), ("call", "game", "-"), ("call", "mixRec", "r"), ("mixCall", "mixRec", "r"),
        ("mixCall", "music", "-"), ("mixCall", "call", "-"), ("game", "call", "i"), ("game", "ring", "-"),
        ("alarm", "ring", "i"), ("ring", "alarm", "r"), ("call", "emergency", "i"), ("mixCall", "emergency", "i"),
        ("call", "call", "i"), ("rec", "music", "i"), ("music", "rec", "i"), ("nav", "nav", "-"),
        ("emergency", "rec", "r"), ("emergency", "prompt", "-"), ("emergency", "mixRec", "-"),
    ])
    func aNewcomerActsAsTheTableSays(holder: String, newcomer: String, effect: String) {
        let tokens = [token(1, holder), token(2, newcomer)]
        let decision = Arbitration(live: [tokens[0]], cookie: 1).decision(on: tokens[1])
        if effect == "r" {
            #expect(decision == .refused(.insufficientPriority(by: tokens[0].cause)))
            #expect(states(tokens) == ["1!"])
        } else {
            #expect(decision == .granted(mustConfirm: false))
            #expect(states(tokens) == (effect == "i" ? ["1#", "2!"] : ["1!", "2!"]))
        }
    }
}
