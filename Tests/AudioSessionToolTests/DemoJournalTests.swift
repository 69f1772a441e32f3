import AudioSessions
import Testing

@testable import AudioSessionSimulation

@Suite(.timeLimit(.minutes(10))) struct DemoJournalTests {
    @Test func eventsAfterATimeoutAreCollected() async {
        let events = EventBroadcaster<Int>()
        let journal = DemoJournal<Int> { events.observe($0) }
        let early = await journal.collect(within: .zero) { _ in false }
        #expect(early.isEmpty)
        events.send(7)
        let notes = await journal.collect(within: .seconds(60)) { !$0.isEmpty }
        #expect(notes.map(\.event) == [7])
    }

    @Test func eventsBeforeATimeoutAreCollected() async {
        let events = EventBroadcaster<Int>()
        let journal = DemoJournal<Int> { events.observe($0) }
        for event in 1...3 { events.send(event) }
        let notes = await journal.collect(within: .zero) { _ in false }
        #expect(notes.map(\.event) == [1, 2, 3])
    }
}
