import AudioSessionCore
import Testing

@testable import AudioSessions

/// A token of another program concerns every session of this one, so what an input copies counts
/// once for each session.
@Suite struct InputSizeTests {
    /// The line of most processors' caches, in bytes.
    private static let cacheLine = 64

    @Test func anInputOfASessionCopiesAtMostACacheLine() {
        #expect(MemoryLayout<SessionInput>.size <= Self.cacheLine)
        #expect(MemoryLayout<SessionAction>.size <= Self.cacheLine)
        #expect(MemoryLayout<AudioSessionManager.Surroundings>.size <= Self.cacheLine)
    }
}
