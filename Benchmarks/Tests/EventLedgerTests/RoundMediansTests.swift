import EventLedger
import Histogram
import Testing

struct RoundMediansTests {
    private func medians(_ rounds: [Int: [UInt64]]) -> RoundMedians {
        var medians = RoundMedians()
        for (round, times) in rounds {
            var latencies = Histogram<UInt64>(highestTrackableValue: 60_000_000_000)
            for time in times { _ = latencies.record(time) }
            medians.add(latencies, round: round)
        }
        return medians
    }

    @Test func aRoundIsComparedOnlyWithItself() {
        let slowingFloor = medians([0: [100], 1: [200], 2: [400], 3: [800]])
        let peer = medians([0: [110], 1: [220], 2: [440], 3: [880]])
        let range = peer.quartiles(over: slowingFloor)
        #expect(range.map { abs($0.lowerBound - 1.1) < 0.001 && abs($0.upperBound - 1.1) < 0.001 } == true)
    }

    @Test func aQuarterOfTheRoundsLiesBelowAndAQuarterAbove() {
        let floor = medians(Dictionary(uniqueKeysWithValues: (0..<8).map { ($0, [100]) }))
        let peer = medians(Dictionary(uniqueKeysWithValues: (0..<8).map { ($0, [UInt64(100 + 10 * $0)]) }))
        #expect(peer.quartiles(over: floor) == 1.2...1.5)
    }

    @Test func aMedianIsOneOfManyEvents() {
        #expect(medians([0: [1, 200, 1_000]]).quartiles(over: medians([0: [100]])) == 2...2)
    }

    @Test func roundsOfOnlyOnePeerDoNotCount() {
        #expect(medians([0: [100], 1: [200]]).quartiles(over: medians([1: [100], 2: [100]])) == 2...2)
        #expect(medians([0: [100]]).quartiles(over: medians([1: [100]])) == nil)
        #expect(medians([0: []]).quartiles(over: medians([0: [100]])) == nil)
    }
}
