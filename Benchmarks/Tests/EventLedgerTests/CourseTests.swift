import EventLedger
import Histogram
import Testing

struct CourseTests {
    private func course(_ sleeps: [Sleep], from cause: UInt64 = 1_000, to handler: UInt64 = 2_000) -> Course {
        Course(from: cause, to: handler, sleeps: sleeps)
    }

    @Test func aPeerThatWakesOnceIsAwakeFromThenOn() {
        let course = course([Sleep(from: 100, to: 1_300)])
        #expect([course.untilWoken, course.asleep, course.awake] == [300, 0, 700])
        #expect(course.wakes == 1)
    }

    @Test func laterSleepsDoNotCountAsAwake() {
        let course = course([
            Sleep(from: 100, to: 1_300), Sleep(from: 1_400, to: 1_550), Sleep(from: 1_600, to: 1_650),
        ])
        #expect([course.untilWoken, course.asleep, course.awake] == [300, 200, 500])
        #expect(course.total == 1_000)
        #expect(course.wakes == 3)
        #expect(course.lastTurn == 350)
    }

    @Test func sleepsBeforeTheCauseAndAfterTheHandlerDoNotCount() {
        let course = course([Sleep(from: 100, to: 900), Sleep(from: 950, to: 1_300), Sleep(from: 1_900, to: 2_100)])
        #expect([course.untilWoken, course.asleep, course.awake] == [300, 0, 700])
    }

    @Test func aPeerWithoutSleepsWasAwake() {
        let course = course([])
        #expect([course.untilWoken, course.asleep, course.awake, course.lastTurn] == [0, 0, 1_000, 1_000])
    }

    @Test func simultaneousSleepsOfTwoThreadsCountOnce() {
        let course = course([Sleep(from: 100, to: 1_100), Sleep(from: 100, to: 1_900), Sleep(from: 1_000, to: 1_900)])
        #expect(course.total == 1_000)
        #expect([course.awake, course.lastTurn] == [0, 0])
    }

    @Test func theMiddleHalfExcludesTheFastestAndTheSlowest() {
        let courses = [8, 1, 7, 2, 6, 3, 5, 4].map { course([], to: 1_000 + $0) }
        #expect(courses.middleHalf.map(\.total) == [3, 4, 5, 6])
        #expect([Course]().middleHalf.isEmpty)
    }

    @Test func theTailIsAroundTheP99() {
        let courses = (1...200).map { course([], to: 1_000 + ($0 * 37) % 201) }
        #expect(courses.tail.map(\.total) == [198, 199])
        #expect([Course](courses.prefix(3)).tail.map(\.total) == [111])
        #expect([Course]().tail.isEmpty)
    }

    @Test func sleepsBelongToTheNextSighting() {
        var reader = SightingReader()
        #expect(reader.read("slept 10 20 30 40") == nil)
        let sighting = reader.read("saw 50 full jack yes")
        #expect(sighting?.sleeps == [Sleep(from: 10, to: 20), Sleep(from: 30, to: 40)])
        #expect(reader.read("saw 60 full jack no")?.sleeps == [])
    }

    @Test(arguments: ["slept", "slept 1", "slept x 2", "slept 2 1", "slept 1 2 3", "slept -1 2", "10 20"])
    func otherLinesAreNoSleeps(_ line: String) {
        var reader = SightingReader()
        #expect(reader.read(line) == nil)
        #expect(reader.read("saw 60 full jack no")?.sleeps.isEmpty == true)
    }

    @Test func aTallyKeepsTheCourseOfEachMeasuredEvent() {
        var ledger = EventLedger(levels: [.full])
        var reader = SightingReader()
        let jack = Event("jack", "yes")
        ledger.cause(jack, at: 1_000, measure: "jack plugged")
        _ = reader.read("slept 10 1200")
        for line in ["saw 1500 full jack yes", "saw 1600 full jack yes"] {
            if let sighting = reader.read(line) { ledger.receive(sighting) }
        }
        let courses = ledger.tallies[.init("jack plugged", .full)]?.courses ?? []
        #expect(courses.map(\.untilWoken) == [200])
        #expect(courses.map(\.awake) == [300])
    }

    @Test func aCourseWithoutAKnownBeginningIsIgnored() {
        var ledger = EventLedger(levels: [.full])
        var reader = SightingReader()
        ledger.cause(Event("jack", "yes"), at: 1_000, measure: "jack plugged")
        _ = reader.read("slept 1100 1200 1300 1400")
        if let sighting = reader.read("saw 1500 full jack yes") { ledger.receive(sighting) }
        let tally = ledger.tallies[.init("jack plugged", .full)]
        #expect(tally?.latencies.totalCount == 1)
        #expect(tally?.courses.isEmpty == true)
    }
}
