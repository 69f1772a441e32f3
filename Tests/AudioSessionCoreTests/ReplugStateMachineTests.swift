import AudioSessionCore
import Testing

@Suite struct ReplugStateMachineTests {
    typealias Event = ReplugStateMachine.Event

    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The events after the session has asked for advice, within 300 seconds.
        let events: [Event]
        /// The indices of the events that give advice.
        let advice: [Int]

        init(_ title: String, _ events: [Event], advice: [Int] = []) {
            testDescription = title
            self.events = events
            self.advice = advice
        }
    }

    static let stories: [Story] = [
        Story("the same port is back", [.pull("h", 1), .to("s", 1), .to("h", 9)], advice: [2]),
        Story("once only", [.pull("h", 1), .to("h", 2), .to("s", 3), .to("h", 4)], advice: [1]),
        Story("back before another route was notified", [.pull("h", 1), .to("h", 1)], advice: [1]),
        Story("another port", [.pull("h", 1), .to("s", 1), .to("other headphones", 9)]),
        Story("there, but not chosen", [.pull("h", 1), .to("s", 1), .to("s", 9)]),
        Story("nothing was lost", [.to("h", 1), .to("s", 2), .to("h", 3)]),
        Story("in the last moment", [.pull("h", 1), .to("s", 1), .to("h", 301)], advice: [2]),
        Story("too late", [.pull("h", 1), .to("s", 1), .to("h", 302), .to("s", 303), .to("h", 304)]),
        Story("in time, late, in time", [.pull("h", 1), .to("h", 400), .pull("h", 500), .to("h", 600)], advice: [3]),
        Story("overruled", [.pull("h", 1), .overruled, .to("h", 9)]),
        Story("deactivated, or activated anew", [.pull("h", 1), .activationChanged, .to("h", 9)]),
        Story("the later loss counts", [.pull("h", 1), .pull("u", 2), .to("h", 3), .to("u", 4)], advice: [3]),
        Story(
            "interrupted with notice", [.pull("h", 1), .interrupted, .ended(withNotice: true), .to("h", 9)],
            advice: [3]),
        Story("interrupted without notice", [.pull("h", 1), .interrupted, .ended(withNotice: false), .to("h", 9)]),
        Story(
            "back during the interruption", [.pull("h", 1), .interrupted, .to("h", 5), .ended(withNotice: true)],
            advice: [3]),
        Story(
            "back during one without notice", [.pull("h", 1), .interrupted, .to("h", 5), .ended(withNotice: false)]),
        Story(
            "back in time, and the interruption lasts",
            [.pull("h", 1), .interrupted, .to("h", 5), .to("h", 500), .ended(withNotice: true)], advice: [4]),
        Story(
            "back and lost again during the interruption",
            [.pull("h", 1), .interrupted, .to("h", 5), .to("s", 6), .ended(withNotice: true)]),
        Story(
            "lost during the interruption", [.interrupted, .pull("h", 1), .ended(withNotice: true), .to("h", 9)],
            advice: [3]),
        Story("taken back", [.interrupted, .pull("h", 1), .to("h", 2), .activationChanged, .to("h", 9)]),
        Story("the opt-in was withdrawn", [.pull("h", 1), .asked(within: nil), .to("h", 9)]),
        Story(
            "the opt-in applies from the next loss on",
            [.asked(within: nil), .pull("h", 1), .asked(within: .seconds(300)), .to("h", 9)]),
        Story("a shorter limit", [.pull("h", 1), .asked(within: .seconds(5)), .to("h", 7)]),
    ]

    @Test(arguments: stories) func adviceFollowsTheStory(story: Story) {
        var machine = ReplugStateMachine()
        _ = machine.receive(.asked(within: .seconds(300)))
        let advice = story.events.indices.filter { machine.receive(story.events[$0]) }
        #expect(advice == story.advice)
    }

    @Test func withoutARequestThereIsNoAdvice() {
        var machine = ReplugStateMachine()
        let events: [Event] = [.pull("h", 1), .to("s", 1), .to("h", 2)]
        let advice = events.filter { machine.receive($0) }
        #expect(advice.isEmpty)
    }

    /// The expectation is the rule itself, which evaluates the whole history each time.
    @Test(arguments: 0..<200) func anyOrderOfEventsFollowsTheRule(seed: UInt64) {
        var random = BoardRandom(seed: seed)
        var machine = ReplugStateMachine()
        var history: [Event] = []
        var lastAdvice = -1
        var time: UInt64 = 0
        for index in 0..<200 {
            time += UInt64.random(in: 0...4, using: &random)
            history.append(Self.event(at: time, &random))
            let shouldAdvise = Self.shouldAdvise(history, since: lastAdvice)
            let advises = machine.receive(history[index])
            #expect(advises == shouldAdvise, "\(history.suffix(8))")
            if shouldAdvise { lastAdvice = index }
        }
    }

    private static func event(at time: UInt64, _ random: inout BoardRandom) -> Event {
        let port = ["h", "u", "s"].randomElement(using: &random) ?? "s"
        switch Int.random(in: 0..<16, using: &random) {
        case 0: return .asked(within: random.chance(30) ? nil : .seconds(Int.random(in: 0...12, using: &random)))
        case 1...4: return .pull(port, time)
        case 5...10: return .to(port, time)
        case 11, 12: return .interrupted
        case 13, 14: return .ended(withNotice: random.chance(70))
        default: return random.chance(50) ? .activationChanged : .overruled
        }
    }

    private static func shouldAdvise(_ history: [Event], since lastAdvice: Int) -> Bool {
        let start = history.lastIndex { if case .stopped = $0 { true } else { false } }
        guard let start, start > lastAdvice, case .stopped(let uid, let lossTime) = history[start] else {
            return false
        }
        let asked = history[..<start].last { if case .asked = $0 { true } else { false } }
        guard case .asked(var limit?) = asked else { return false }
        var isThere = false
        for event in history[start...].dropFirst() {
            switch event {
            case .activationChanged, .overruled, .ended(withNotice: false), .asked(within: nil): return false
            case .asked(let new?): limit = new
            case .moved(let ports, _) where !ports.contains(uid): isThere = false
            case .moved(_, let time):
                if !isThere, time.since(lossTime) > limit { return false }
                isThere = true
            default: break
            }
        }
        let turn = history.last {
            switch $0 {
            case .interrupted, .ended, .activationChanged: true
            default: false
            }
        }
        return isThere && turn != .interrupted
    }
}

extension ReplugStateMachine.Event {
    fileprivate static func pull(_ uid: String, _ seconds: UInt64) -> Self {
        .stopped(byLossOf: uid, at: MonotonicTime(nanoseconds: seconds * 1_000_000_000))
    }

    fileprivate static func to(_ uid: String, _ seconds: UInt64) -> Self {
        .moved(to: [uid], at: MonotonicTime(nanoseconds: seconds * 1_000_000_000))
    }
}
