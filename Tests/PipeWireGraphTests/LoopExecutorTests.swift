import AudioSessionCore
import PipeWireGraph
import Testing

@Suite("Tasks that prefer a loop's thread", .timeLimit(.minutes(10)))
struct LoopExecutorTests {
    private actor Neighbor {
        nonisolated let executor: LoopExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private var timer: LoopTimer?

        init(_ executor: LoopExecutor) { self.executor = executor }

        isolated deinit { timer = nil }

        /// Calls `body` in a callback of the loop.
        func callBack(_ body: @escaping @Sendable () -> Void) {
            timer = LoopTimer(on: executor, fired: body)
            timer?.arm(after: .zero)
        }

        func isThere() -> Bool? { executor.isIsolatingCurrentContext() }

        func wait(in bell: Bell, _ woken: @Sendable () -> Void) async {
            await bell.wait()
            woken()
        }

        func ring(_ bell: Bell, _ received: @Sendable () -> Void) {
            bell.ring()
            executor.runTasks()
            received()
        }
    }

    private final class Bell: Sendable {
        private let waiting = Locked<[CheckedContinuation<Void, Never>]>([])

        var count: Int { waiting.withLock(\.count) }

        func wait() async {
            await withCheckedContinuation { waiter in waiting.withLock { $0.append(waiter) } }
        }

        func ring() {
            for waiter in waiting.withLock({ waiting in
                defer { waiting = [] }
                return waiting
            }) { waiter.resume() }
        }
    }

    /// The order of a task that prefers the loop's thread, of an actor's there, and of the job that
    /// wakes both.
    private func order(
        _ body: @Sendable (LoopExecutor, Bell, _ received: @escaping @Sendable () -> Void) async -> Void
    )
        async throws
        -> [String]
    {
        let (executor, bell, order) = (try LoopExecutor(), Bell(), Locked<[String]>([]))
        let note: @Sendable (String) -> Void = { name in order.withLock { $0.append(name) } }
        let actor = Task { await Neighbor(executor).wait(in: bell) { note("actor") } }
        let task = Task(executorPreference: LoopTaskExecutor(executor)) {
            await bell.wait()
            note("task")
        }
        while bell.count < 2 { await Task.yield() }
        await body(executor, bell) { note("received") }
        await actor.value
        await task.value
        while order.withLock(\.count) < 3 { await Task.yield() }
        return order.withLock(\.self)
    }

    @Test("They run before a callback has handled all effects of its event, and actors after it")
    func early() async throws {
        let order = try await order { executor, bell, received in
            let neighbor = Neighbor(executor)
            await neighbor.callBack {
                bell.ring()
                executor.runTasks()
                received()
            }
            while bell.count > 0 { await Task.yield() }
            await withTaskExecutorPreference(LoopTaskExecutor(executor)) { await Task.yield() }
            withExtendedLifetime(neighbor) {}
        }
        #expect(order == ["task", "received", "actor"])
    }

    @Test("They do not run in the middle of another job")
    func late() async throws {
        let order = try await order { executor, bell, received in await Neighbor(executor).ring(bell, received) }
        #expect(order.first == "received")
        #expect(order.count == 3)
    }

    @Test("They run there, after a wait too, and beside the actors of the loop")
    func there() async throws {
        let executor = try LoopExecutor()
        // Not by pthread_self(), which C promises to be the same throughout a function: it was read
        // before the thread was left.
        let isThere: @Sendable () -> Bool? = { executor.isIsolatingCurrentContext() }
        let places = await withTaskExecutorPreference(LoopTaskExecutor(executor)) { () -> [Bool?] in
            let first = isThere()
            await Task.yield()
            let afterTurn = isThere()
            // From a thread of the pool.
            await withCheckedContinuation { waiter in Task.detached { waiter.resume() } }
            return [first, afterTurn, isThere(), await Neighbor(executor).isThere()]
        }
        #expect(places == [true, true, true, true])
        #expect(await Task.detached { isThere() }.value == false)
    }

    @Test("A task that never idles does not block PipeWire's events")
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

    @Test("A task with the last reference to its loop may end it, from its own thread")
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

    /// Runs each job at once on the thread that enqueues it, as the executor of the test kit does.
    private final class Inline: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
        }
    }

    private final class Watch: Sendable {
        private struct State {
            weak var executor: LoopExecutor?
        }

        private let state = Locked(State())

        var isReleased: Bool { state.withLock { $0.executor == nil } }

        func make() throws -> LoopExecutor {
            let executor = try LoopExecutor()
            state.withLock { $0.executor = executor }
            return executor
        }
    }

    private actor Worker {
        private let executor: LoopExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(_ executor: LoopExecutor) { self.executor = executor }

        func work() {}
    }

    private actor Employer {
        private let executor = Inline()
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        /// Whether a worker's executor is released when this actor continues on the worker's
        /// thread.
        func releasesExecutor(_ watch: Watch) async throws -> Bool {
            do {
                let worker = Worker(try watch.make())
                await worker.work()
            }
            return watch.isReleased
        }
    }

    @Test("A loop's executor is retained while its thread runs a job")
    func retained() async throws {
        let watch = Watch()
        #expect(try await !Employer().releasesExecutor(watch))
        while !watch.isReleased { await Task.yield() }
    }
}
