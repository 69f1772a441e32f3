import PipeWireGraph
import Testing

@Suite("Echo canceller") struct EchoCancellerTests {
    @Test(
        "Latencies that no device has are limited",
        arguments: [
            (Duration.zero, 0), (.milliseconds(20), 20_000_000), (.nanoseconds(1), 1), (.seconds(2), 1_000_000_000),
            (.seconds(Int64.max), 1_000_000_000), (.seconds(Int64.min), 0), (.milliseconds(-1), 0),
        ] as [(Duration, Int64)])
    func latency(_ latency: Duration, _ nanoseconds: Int64) {
        #expect(EchoCanceller.nanoseconds(of: latency) == nanoseconds)
    }
}
