import AudioSessionPlayback
import Testing

@Suite struct PlaybackTimelineTests {
    private func mark(_ start: UInt64, _ item: Int, _ frame: Int64 = 0) -> PlaybackTimeline.Mark {
        PlaybackTimeline.Mark(start: start, item: item, frame: frame)
    }

    @Test func eachFrameHasItsPosition() {
        var timeline = PlaybackTimeline()
        #expect(timeline.position(at: 0) == nil)
        timeline.append(mark(100, 0, 5000), read: 100)
        timeline.append(mark(300, 1), read: 100)
        #expect(timeline.position(at: 100) == .init(item: 0, frame: 5000))
        #expect(timeline.position(at: 299) == .init(item: 0, frame: 5199))
        #expect(timeline.position(at: 300) == .init(item: 1, frame: 0))
        #expect(timeline.boundary(after: 100) == 300)
        #expect(timeline.boundary(after: 300) == nil)
    }

    @Test func aRepetitionIsNoBoundary() {
        var timeline = PlaybackTimeline()
        timeline.append(mark(0, 0), read: 0)
        timeline.append(.init(start: 100, .init(item: 0, frame: 0, repetition: 1)), read: 0)
        #expect(timeline.boundary(after: 0) == nil)
        #expect(timeline.position(at: 130) == .init(item: 0, frame: 30, repetition: 1))
        timeline.append(mark(200, 1), read: 0)
        #expect(timeline.boundary(after: 0) == 200)
    }

    @Test func framesBeforeTheFirstMarkHaveItsPosition() {
        var timeline = PlaybackTimeline()
        timeline.append(mark(100, 2, 7), read: 90)
        #expect(timeline.position(at: 90) == .init(item: 2, frame: 7))
    }

    @Test func itemsWithoutFramesAreNotKept() {
        var timeline = PlaybackTimeline()
        timeline.append(mark(0, 0), read: 0)
        for item in 1...1000 { timeline.append(mark(50, item), read: 0) }
        #expect(timeline.position(at: 50) == .init(item: 1000, frame: 0))
        #expect(timeline.boundary(after: 0) == 50)
    }

    @Test func passedMarksAreForgotten() {
        var timeline = PlaybackTimeline()
        for item in 0..<1000 { timeline.append(mark(UInt64(item) * 10, item), read: UInt64(item) * 10) }
        #expect(timeline.boundary(after: 0) == 9990)
        #expect(timeline.position(at: 9995) == .init(item: 999, frame: 5))
    }

    @Test(arguments: [8000, 11025, 22050, 44100, 48000, 96000, 192_000, 768_000])
    func theTimeOfAFrameConvertsBackToIt(rate: Int) {
        for frame in [0, 1, 2, 3, 44099, 44100, 1_234_567, 10_000_000_019] as [Int64] {
            #expect(Duration(frames: frame, rate: rate).frames(rate: rate) == frame)
        }
    }

    @Test func longDurationsDoNotOverflow() {
        #expect(Duration.seconds(Int64.max).frames(rate: 768_000) > 0)
        #expect(Duration.seconds(Int64.min).frames(rate: 768_000) == 0)
        #expect(Duration.milliseconds(-1).frames(rate: 48000) == 0)
    }
}

extension PlaybackTimeline.Mark {
    init(start: UInt64, item: Int, frame: Int64) {
        self.init(start: start, PlaybackTimeline.Position(item: item, frame: frame))
    }
}
