import EventLedger
import Histogram
import Testing

struct EventLedgerTests {
    private let sink = Event("appears", "bench-1")

    private func ledger(_ sightings: Sighting...) -> EventLedger {
        var ledger = EventLedger(levels: [.bare])
        ledger.cause(sink, at: 1_000, measure: "sink appears")
        for sighting in sightings { ledger.receive(sighting) }
        ledger.conclude()
        return ledger
    }

    private func seen(_ time: UInt64, _ event: Event? = nil) -> Sighting {
        Sighting(time: time, level: .bare, event: event ?? sink)
    }

    private func tally(_ ledger: EventLedger) -> EventLedger.Tally {
        ledger.tallies[.init("sink appears", .bare)] ?? .init()
    }

    @Test func latencyIsFromCauseToSighting() {
        let tally = tally(ledger(seen(1_250)))
        #expect(tally.latencies.totalCount == 1)
        #expect(tally.latencies.max == 250)
        #expect([tally.lost, tally.early, tally.again] == [0, 0, 0])
    }

    @Test func anUnseenEventIsLost() {
        let tally = tally(ledger())
        #expect(tally.lost == 1)
        #expect(tally.latencies.totalCount == 0)
    }

    @Test func aSightingBeforeItsCauseIsEarlyWithoutALatency() {
        let tally = tally(ledger(seen(999)))
        #expect(tally.early == 1)
        #expect(tally.latencies.totalCount == 0)
    }

    @Test func aRepeatedSightingCountsOnce() {
        let tally = tally(ledger(seen(1_250), seen(1_300)))
        #expect(tally.again == 1)
        #expect(tally.latencies.totalCount == 1)
    }

    @Test func aSightingWithoutACauseIsUnasked() {
        let ledger = ledger(
            seen(1_250), seen(1_260, Event("appears", "bench-2")), seen(1_270, Event("goes", "bench-1")))
        #expect(ledger.unasked == 2)
        #expect(tally(ledger).latencies.totalCount == 1)
    }

    @Test func aNoticeWithoutANameBelongsToTheLastEvent() {
        let ledger = ledger(seen(900, Event("appears")), seen(1_100, Event("appears")), seen(1_400, Event("appears")))
        #expect(ledger.unasked == 0)
        #expect(tally(ledger).latencies.totalCount == 1)
        #expect(tally(ledger).latencies.max == 100)
    }

    @Test func aSecondNoticeWithoutANameIsIgnored() {
        #expect(tally(ledger(seen(1_100, Event("volume")))).lost == 1)
    }

    @Test func aSightingAfterTheNextCauseStaysLost() {
        var ledger = EventLedger(levels: [.bare])
        ledger.cause(sink, at: 1_000, measure: "sink appears")
        ledger.cause(Event("goes", "bench-1"), at: 2_000, measure: "sink goes")
        ledger.receive(seen(2_500))
        #expect(tally(ledger).lost == 1)
        #expect(tally(ledger).latencies.totalCount == 0)
    }

    @Test func allLevelsAreAwaited() {
        var ledger = EventLedger(levels: [.bare, .full])
        ledger.cause(sink, at: 1_000, measure: nil)
        ledger.receive(seen(1_100))
        #expect(!ledger.isComplete)
        ledger.receive(Sighting(time: 1_200, level: .full, event: sink))
        #expect(ledger.isComplete)
        #expect(ledger.tallies.isEmpty)
    }

    @Test func anUnmeasuredNoticeWithoutANameIsAwaitedOnce() {
        var ledger = EventLedger(levels: [.bare])
        ledger.cause(sink, at: 1_000, measure: nil)
        ledger.receive(seen(1_100, Event("appears")))
        #expect(ledger.isComplete)
        #expect(ledger.tallies.isEmpty)
    }

    @Test(arguments: [
        "", "ready", "saw", "saw 12 bare goes", "saw x bare goes bench-1", "saw 12 most goes bench-1",
        "12 bare goes bench-1 x",
    ]) func otherLinesAreNoSightings(_ line: String) {
        #expect(Sighting(line: line) == nil)
    }

    @Test func aLineIsASighting() {
        #expect(
            Sighting(line: "saw 12 full jack yes") == Sighting(time: 12, level: .full, event: Event("jack", "yes")))
    }
}
