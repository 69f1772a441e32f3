import SessionStories
import Testing

@testable import AudioSessionCore

/// Compares the answers of the stack's index with the rules applied to every pair of sessions.
@Suite struct StackIndexTests {
    @Test func theIndexAnswersAsTheRulesDo() {
        var random = BoardRandom(seed: 1)
        for _ in 0..<20_000 {
            let (one, other) = (traits(&random), traits(&random))
            let kinds = (TraitsKind(one), TraitsKind(other))
            let tables = [
                RuleTable.interrupts[kinds.0, kinds.1], RuleTable.forbids[kinds.0, kinds.1],
                RuleTable.ducks[kinds.0, kinds.1], RuleTable.interrupts.affected(by: kinds.0).contains(kinds.1),
            ]
            let rules = [one.interrupts(other), one.forbids(other), one.ducks(other), one.interrupts(other)]
            // An expectation takes far longer than the values that it compares here.
            if tables != rules { Issue.record("\(one) and \(other): \(tables), and by the rules \(rules)") }
        }
    }

    @Test func aMaximumExcludesOneGroup() {
        var random = BoardRandom(seed: 2)
        for _ in 0..<500 {
            var maximum = GroupedMaximum()
            var numbers: [(number: UInt64, group: Int)] = []
            for _ in 0..<8 {
                let (number, group) = (
                    UInt64.random(in: 1...5, using: &random), Int.random(in: 1...4, using: &random)
                )
                let former = maximum
                #expect(former.isRaised(by: number, group) == (maximum != added(number, group, to: &maximum)))
                numbers.append((number, group))
                for group in 0...4 {
                    let expected = numbers.filter { $0.group != group }.map(\.number).max() ?? 0
                    #expect(maximum.value(besides: group) == expected)
                }
                #expect(maximum.hasTwoGroups == (Set(numbers.map(\.group)).count > 1))
            }
        }
    }

    private func added(_ number: UInt64, _ group: Int, to maximum: inout GroupedMaximum) -> GroupedMaximum {
        maximum.add(number, group)
        return maximum
    }

    /// Two groups of older sessions mix as well, so a further one changes no other session.
    @Test func aSessionThatStandsAgainInItsPlaceDoesNotLapse() {
        func token(_ session: Int, _ serial: UInt64, _ state: TokenContents.State, place: UInt64? = nil) -> Token {
            let contents = TokenContents(
                name: TokenName(BoardStage.session(session), UInt32(serial)), state: state,
                traits: TokenTraits(isMixable: true),
                place: place.map { TokenPlace(cookie: 1, epoch: 0, serial: $0) })
            let owner = TokenOwner(client: ObjectID(UInt32(session)))
            return Token(TokenIdentity(object: ObjectID(UInt32(serial)), serial: serial, owner: owner), contents)
        }
        var arbitration = Arbitration(cookie: 1)
        let advised = token(3, 4, .advised, place: 3)
        for token in [token(1, 1, .standing), token(2, 2, .standing), advised] {
            arbitration.replace(token.key, with: token)
        }
        #expect(arbitration.unblockedSince(advised.key) != nil)
        arbitration.replace(advised.key, with: token(3, 5, .standing, place: 3))
        #expect(arbitration.unblockedSince(advised.key) == nil)
    }

    /// Sessions are added, changed, put back in their places and removed, 1,200 times, or 4,800 in
    /// a long run.
    @Test(arguments: RandomRuns.seeds(60)) func everyAnswerEqualsThatOfAllPairs(seed: Int) {
        var world = IndexedStack(seed: UInt64(seed))
        for step in 1...80 { world.step("seed \(seed), step \(step)") }
    }
}

private func traits(_ random: inout BoardRandom) -> TokenTraits {
    BoardTokenCodecTests.traits(&random, group: random.chance(60) ? ["a", "b"].randomElement(using: &random) : nil)
}

/// A stack that changes at random, and the answers from comparing all sessions with all.
private struct IndexedStack {
    private var random: BoardRandom
    private var arbitration = Arbitration(cookie: 1)
    private var serial: UInt64 = 100
    private var now = MonotonicTime(nanoseconds: 0)
    /// The sessions before the last step.
    private var former: [SessionKey: Former] = [:]

    /// The answers about one session.
    private struct Answer: Equatable {
        let isBlocked: Bool?
        let hasBlockers: Bool
        let duckers: [SessionKey]
        let gain: UInt16
    }

    private struct Former {
        let rank: Rank
        let isBlocked: Bool
        let unblockedSince: MonotonicTime?
    }

    init(seed: UInt64) { random = BoardRandom(seed: seed) }

    mutating func step(_ moment: Comment) {
        serial += UInt64.random(in: 1...3, using: &random)
        now = now + .milliseconds(1)
        let token = token()
        arbitration.replace(token.key, with: random.chance(15) ? nil : token, wasInterrupted: random.chance(15), now)
        checkUnblocked(after: token.key, moment)
        check(moment)
        if random.chance(50) { arbitration.markBlockedAsInterrupted() }
        for entry in arbitration.stack {
            former[entry.key] = Former(
                rank: entry.rank, isBlocked: entry.isBlocked,
                unblockedSince: arbitration.unblockedSince(entry.key))
        }
        former = former.filter { arbitration[$0.key] != nil }
    }

    private mutating func token() -> Token {
        let states: [TokenContents.State] = [
            .standing, .standing, .standing, .standing, .advised, .waiting, .releasedSilently,
        ]
        var place: TokenPlace?
        if random.chance(60) {
            let cookie = UInt32.random(in: 1...3, using: &random)
            place = TokenPlace(
                cookie: cookie, epoch: cookie == 1 ? 3 : UInt32.random(in: 0...3, using: &random),
                serial: UInt64.random(in: 1...serial, using: &random))
        }
        let contents = TokenContents(
            name: TokenName(BoardStage.session(Int.random(in: 0...11, using: &random)), UInt32(serial)),
            state: states.randomElement(using: &random) ?? .standing, traits: traits(&random), place: place)
        let owner = owner(UInt32.random(in: 0...2, using: &random))
        return Token(TokenIdentity(object: ObjectID(UInt32(serial)), serial: serial, owner: owner), contents)
    }

    private func owner(_ client: UInt32) -> TokenOwner { TokenOwner(client: ObjectID(client)) }

    private mutating func check(_ moment: Comment) {
        let stack = arbitration.stack
        let pairs = Pairs(stack)
        #expect(stack.map(\.isBlocked) == pairs.isBlocked, moment)
        let owners = Set((stack.map(\.key) + arbitration.released.keys).map(\.owner))
        #expect(Set(arbitration.processes) == owners, moment)
        for process in (0...2).map({ owner($0).process }) {
            #expect(arbitration.hasSession(of: process) == owners.contains(process), moment)
        }
        let active = stack.filter(\.isActive)
        let answers = stack.map { entry in
            Answer(
                isBlocked: arbitration.isBlocked(entry.key),
                hasBlockers: !arbitration.blockers(of: entry.key).isEmpty,
                duckers: arbitration.duckers(of: entry.key).map(\.key), gain: arbitration.gain(of: entry.key))
        }
        let expected = zip(stack, pairs.isBlocked).map { entry, isBlocked in
            let duckers = active.filter { $0.ducks(entry) }
            return Answer(
                isBlocked: isBlocked, hasBlockers: isBlocked, duckers: duckers.map(\.key),
                gain: duckers.compactMap(\.traits.duckedGain).min() ?? TokenTraits.fullGain)
        }
        #expect(answers == expected, moment)
        let groups = Array(Set(stack.map(\.group)).union([TokenGroup("other", in: .id(1))]))
        let others = groups.map { group in
            let others = active.filter { $0.group != group }
            return OtherSessions(
                isAnyActive: !others.isEmpty, isPrimaryActive: others.contains { !$0.traits.isMixable })
        }
        #expect(groups.map { arbitration.others(besides: $0) } == others, moment)
        for _ in 0..<4 {
            let newcomer = token()
            for before in [nil, UInt64.random(in: 1...serial + 1, using: &random)] {
                let found = arbitration.opposition(to: newcomer, before: before)
                let expected = opposition(to: newcomer, before: before)
                #expect(found == expected, moment)
            }
            let (since, before) = (UInt64.random(in: 0...serial, using: &random), serial - 5)
            let isAnyPlayer = stack.contains {
                $0.rank.run == nil && $0.rank.place > since && $0.serial < before && $0.group != newcomer.group
                    && $0.traits.isPlayer
            }
            #expect(
                arbitration.isAnyPlayer(besides: newcomer.group, since: since, before: before) == isAnyPlayer, moment)
        }
    }

    private func opposition(to newcomer: Token, before serial: UInt64?) -> (refusing: Int?, isAny: Bool) {
        let older = arbitration.stack.indices.filter { arbitration.stack[$0].serial < serial ?? .max }
        let entries = older.map { arbitration.stack[$0] }
        let alone = Pairs.interrupted(entries)
        var isAny = false
        for (index, entry) in entries.enumerated().reversed()
        where entry.group != newcomer.group && entry.traits.forbids(newcomer.traits) && entry.key != newcomer.key {
            isAny = true
            let isBlocked = serial == nil ? entry.isBlocked : alone[index]
            if !isBlocked, entry.token.contents.state != .waiting { return (older[index], true) }
        }
        return (nil, isAny)
    }

    /// Compares the answers before and after a step, except for the session with this key, whose
    /// token changed.
    private func checkUnblocked(after key: SessionKey, _ moment: Comment) {
        var isAnyNew = false
        var toggled: [SessionKey] = []
        var moments: [MonotonicTime?] = []
        for entry in arbitration.stack {
            let former = former[entry.key].map { former in
                guard entry.key == key else { return former }
                return Former(
                    rank: former.rank, isBlocked: false,
                    unblockedSince: former.rank.isSamePlace(as: entry.rank) ? former.unblockedSince : nil)
            }
            var since: MonotonicTime?
            if entry.isAdvised || (entry.wasInterrupted && !entry.isBlocked) {
                since = former?.unblockedSince ?? now
                if former?.unblockedSince == nil { isAnyNew = true }
            }
            moments.append(since)
            if entry.isBlocked != former?.isBlocked ?? false { toggled.append(entry.key) }
        }
        let stack = arbitration.stack
        #expect(stack.map { arbitration.unblockedSince($0.key) } == moments, moment)
        let new = zip(stack, moments).filter { $1 == now }.map(\.0.key)
        #expect(Array(arbitration.unblocked(since: now...now)) == new, moment)
        #expect(arbitration.isAnyNewlyUnblocked == isAnyNew, moment)
        #expect(arbitration.toggled.map(\.key) == toggled, moment)
        let newcomers = [TokenTraits(), TokenTraits(isMixable: true, capturesAudio: true)]
        let overtakers = toggled.filter { key in
            arbitration[key].map { $0.isRemade && newcomers.contains(where: $0.traits.forbids) } ?? false
        }
        #expect(Array(arbitration.toggledOvertakers) == overtakers, moment)
    }
}

/// Compares every session of a stack with every other one.
private struct Pairs {
    private(set) var isBlocked: [Bool]

    init(_ stack: [StackEntry]) {
        isBlocked = Self.interrupted(stack)
        for newer in stack.indices where !isBlocked[newer] {
            isBlocked[newer] = stack.indices.prefix(newer).contains {
                !isBlocked[$0] && stack[$0].overtakes(stack[newer])
            }
        }
    }

    static func interrupted(_ stack: [StackEntry]) -> [Bool] {
        stack.indices.map { older in stack.dropFirst(older + 1).contains { $0.interrupts(stack[older]) } }
    }
}
