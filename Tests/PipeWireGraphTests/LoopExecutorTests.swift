import AudioSessionCore
import PipeWireGraph
import Testing

@Suite("Tasks that prefer a loop's thread", .timeLimit(.minutes(1)))
struct LoopExecutorTests {
    private actor Neighbour {
        nonisolated let executor: LoopExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(_ executor: LoopExecutor) { self.executor = executor }

        func isThere() -> Bool? { executor.isIsolatingCurrentContext() }
    }

    @Test("They run there, after a wait too, and next to the actors that live there")
    func there() async throws {
        let executor = try LoopExecutor()
        // Not by pthread_self(), which C promises to be the same throughout a function: it was read before the thread was left.
        let isThere: @Sendable () -> Bool? = { executor.isIsolatingCurrentContext() }
        let places = await withTaskExecutorPreference(LoopTaskExecutor(executor)) { () -> [Bool?] in
            let first = isThere()
            await Task.yield()
            let afterTurn = isThere()
            // From a thread of the pool.
            await withCheckedContinuation { waiter in Task.detached { waiter.resume() } }
            return [first, afterTurn, isThere(), await Neighbour(executor).isThere()]
        }
        #expect(places == [true, true, true, true])
        #expect(await Task.detached { isThere() }.value == false)
    }

    @Test("One that has always more to do does not keep PipeWire from being heard")
    func busy() async throws {
        let executor = try LoopExecutor()
        let isHeard = Locked(false)
        let turns = await withTaskExecutorPreference(LoopTaskExecutor(executor)) { () -> Int in
            let timer = LoopTimer(on: executor) { isHeard.withLock { $0 = true } }
            timer?.arm(after: .zero)
            var turns = 0
            while !isHeard.withLock(\.self) {
                turns += 1
                await Task.yield()
            }
            withExtendedLifetime(timer) {}
            return turns
        }
        #expect(turns > 0)
    }

    @Test("One that alone holds its loop may end it, from its own thread")
    func last() async throws {
        weak var watched: LoopExecutor?
        let task = try {
            let executor = try LoopExecutor()
            watched = executor
            return Task(executorPreference: LoopTaskExecutor(executor)) { executor.isIsolatingCurrentContext() }
        }()
        #expect(await task.value == true)
        while watched != nil { await Task.yield() }
    }
}
