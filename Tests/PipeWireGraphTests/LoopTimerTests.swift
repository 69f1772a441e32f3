import AudioSessionCore
import PipeWireGraph
import Testing

@Suite("A loop's timers", .timeLimit(.minutes(10)))
struct LoopTimerTests {
    private actor Timers {
        nonisolated let executor: LoopExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private var timers: [LoopTimer] = []
        private var last: LoopTimer?
        private var fired = 0

        init(_ executor: LoopExecutor) { self.executor = executor }

        /// Arms timers that disarm one another, and returns when they have expired.
        func begin(count: Int) throws {
            for _ in 0..<count {
                let timer = LoopTimer(on: executor) { [unowned self] in self.assumeIsolated { $0.fire() } }
                timers.append(try #require(timer))
            }
            for timer in timers { timer.arm(after: .zero) }
            let expiry = MonotonicTime.now + .milliseconds(1)
            while MonotonicTime.now < expiry {}
        }

        private func fire() {
            fired += 1
            for timer in timers { timer.disarm() }
        }

        /// Returns when the loop has called everything that had expired.
        func end() async -> Int {
            await withCheckedContinuation { continuation in
                last = LoopTimer(on: executor) { continuation.resume() }
                last?.arm(after: .milliseconds(1))
                if last == nil { continuation.resume() }
            }
            (timers, last) = ([], nil)
            return fired
        }
    }

    @Test("A timer that has expired does not fire after its disarm")
    func disarmed() async throws {
        let timers = Timers(try LoopExecutor())
        try await timers.begin(count: 8)
        #expect(await timers.end() == 1)
    }
}
