import Testing

@testable import AudioSessionCore

@Suite struct UnmanagedStreamsPropertyTests {
    /// Programs begin, end or are killed, and the others see that in any order.
    @Test(arguments: 1...300) func theDeepestGainAppliesAndTheLastProgramRestoresIt(seed: Int) {
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
