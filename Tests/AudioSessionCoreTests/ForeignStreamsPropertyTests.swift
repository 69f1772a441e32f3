import Testing

@testable import AudioSessionCore

@Suite struct ForeignStreamsPropertyTests {
    /// Whoever begins, ends or is killed, and in whatever order that is seen.
    @Test(arguments: 1...300) func theDeepestGainHoldsAndTheLastPutsBack(seed: Int) {
        var world = DuckingWorld(seed: UInt64(seed), programs: 1 + seed % 4)
        for round in 0..<10 {
            for _ in 0..<40 { world.step() }
            world.settle()
            #expect(world.complaints == [], "round \(round)")
        }
        world.endAll()
        world.settle()
        #expect(world.complaints == [], "at the end")
    }
}
