import AudioSessionPlayback
import PipeWireGraph
import TestSupport
import Testing

@Suite struct OutputWriterTests {
    private func take(_ frames: Int, from ring: FrameRing) -> [Float] {
        var buffer = [Float](repeating: -1, count: frames)
        var span = buffer.mutableSpan
        let count = ring.take(into: &span)
        return Array(buffer.prefix(count))
    }

    /// The real-time thread has made room, and the write that waits for it has not been continued.
    @Test func aWriteFollowsOneThatWaits() throws {
        let ring = try #require(FrameRing(channels: 1, capacity: 4))
        let writer = OutputWriter(ring)
        writer.open()
        #expect(try writer.begin(counting(0..<6, channels: 1)) == 1)
        #expect(take(2, from: ring) == counting(0..<2, channels: 1))
        #expect(try writer.begin(counting(6..<7, channels: 1)) == 2)
        writer.serve()
        #expect(take(4, from: ring) == counting(2..<6, channels: 1))
        writer.serve()
        #expect(take(4, from: ring) == counting(6..<7, channels: 1))
    }
}
