import AudioSessionTestKit
import Glibc
import PipeWireGraph
import TestSupport
import Testing

@Suite struct FrameRingTests {
    private func take(_ frames: Int, from ring: FrameRing) -> [Float] {
        var buffer = [Float](repeating: -1, count: frames * ring.channels)
        var span = buffer.mutableSpan
        let count = ring.take(into: &span)
        return Array(buffer.prefix(count * ring.channels))
    }

    @Test func framesKeepTheirOrderWhereTheRingWrapsAround() throws {
        let ring = try #require(FrameRing(channels: 2, capacity: 7))
        var next = 0
        for _ in 0..<20 {
            #expect(ring.write(counting(next..<next + 5).span) == 5)
            #expect(take(5, from: ring) == counting(next..<next + 5))
            next += 5
        }
        #expect(ring.written == 100)
        #expect(ring.read == 100)
    }

    @Test func aFullRingAcceptsNoFrame() throws {
        let ring = try #require(FrameRing(channels: 1, capacity: 4))
        #expect(ring.write(counting(0..<9, channels: 1).span) == 4)
        #expect(ring.writable == 0)
        #expect(ring.write(counting(4..<5, channels: 1).span) == 0)
        #expect(take(3, from: ring) == counting(0..<3, channels: 1))
        #expect(ring.writable == 3)
    }

    @Test func aFlushFreesTheRingWithoutAReader() throws {
        let ring = try #require(FrameRing(channels: 1, capacity: 4))
        #expect(ring.write(counting(0..<4, channels: 1).span) == 4)
        ring.flush()
        #expect(ring.writable == 4)
        #expect(ring.read == 4)
        #expect(ring.write(counting(10..<13, channels: 1).span) == 3)
        ring.flush()
        #expect(ring.write(counting(20..<24, channels: 1).span) == 4)
        #expect(take(4, from: ring) == counting(20..<24, channels: 1))
        #expect(ring.read == 11)
    }

    @Test func aGapIsCountedOnceAndOnlyIfTheWriterIsLate() throws {
        let ring = try #require(FrameRing(channels: 1, capacity: 4))
        _ = take(2, from: ring)
        #expect(ring.underruns == 0, "nothing was ever written")
        _ = ring.write(counting(0..<1, channels: 1).span)
        _ = take(2, from: ring)
        _ = take(2, from: ring)
        #expect(ring.underruns == 1)
        _ = ring.write(counting(1..<3, channels: 1).span)
        _ = take(2, from: ring)
        #expect(ring.underruns == 1)
        _ = take(2, from: ring)
        #expect(ring.underruns == 2)
        _ = ring.write(counting(3..<4, channels: 1).span)
        ring.flush()
        _ = take(2, from: ring)
        #expect(ring.underruns == 2, "nothing was written since the flush")
        _ = ring.write(counting(4..<5, channels: 1).span)
        ring.setEnded(true)
        _ = take(2, from: ring)
        #expect(ring.underruns == 2, "the end is no underrun")
    }

    @Test(arguments: [(0, 4), (9, 4), (1, 0), (1, FrameRing.maximumCapacity + 1), (-1, 4), (1, -1)])
    func invalidSizesAreRefused(channels: Int, capacity: Int) {
        #expect(FrameRing(channels: channels, capacity: capacity) == nil)
    }

    /// Writer and reader run at full speed. The reader checks that frames are in order and
    /// complete.
    @Test func readerAndWriterRunConcurrently() async throws {
        let ring = try #require(FrameRing(channels: 2, capacity: 61))
        let total = 200_000
        async let written: Void = Task.detached(executorPreference: OwnThread()) {
            var next = 0
            while next < total {
                let frames = counting(next..<min(total, next + 37))
                next += ring.write(frames.span)
                if ring.writable == 0 { sched_yield() }
            }
        }.value
        let mistakes = await Task.detached(executorPreference: OwnThread()) {
            var next = 0
            var mistakes = 0
            while next < total {
                var buffer = [Float](repeating: -1, count: 2 * 23)
                var span = buffer.mutableSpan
                let count = ring.take(into: &span)
                if Array(buffer.prefix(2 * count)) != counting(next..<next + count) { mistakes += 1 }
                next += count
                if count == 0 { sched_yield() }
            }
            return mistakes
        }.value
        await written
        #expect(mistakes == 0)
        #expect(ring.read == UInt64(total))
    }

    /// A writer that flushes all the time, while the reader reads: no frame is repeated or out of
    /// order.
    @Test func concurrentFlushesNeitherRepeatNorSplitFrames() async throws {
        let ring = try #require(FrameRing(channels: 2, capacity: 32))
        let total = 100_000
        async let written: Void = Task.detached(executorPreference: OwnThread()) {
            var next = 0
            while next < total {
                let count = ring.write(counting(next..<min(total, next + 11)).span)
                next += count
                if next % 7 == 0 { ring.flush() }
                if count == 0 { sched_yield() }
            }
            while ring.read < ring.written { await Task.yield() }
            ring.setEnded(true)
            _ = ring.write(counting(total..<total + 1).span)
        }.value
        let mistakes = await Task.detached(executorPreference: OwnThread()) {
            var last: Float = -1
            var mistakes = 0
            while last < Float(total) / 4_194_304 {
                var buffer = [Float](repeating: 0, count: 2 * 8)
                var span = buffer.mutableSpan
                let count = ring.take(into: &span)
                for frame in 0..<count {
                    if buffer[2 * frame] != buffer[2 * frame + 1] || buffer[2 * frame] <= last { mistakes += 1 }
                    last = buffer[2 * frame]
                }
                // Otherwise it spins while the writer waits for a processor.
                if count == 0 { sched_yield() }
            }
            return mistakes
        }.value
        await written
        #expect(mistakes == 0)
    }
}
