import AudioSessionCore
import PipeWireGraph
import Testing

@testable import AudioSessionTestKit

@Suite struct ExpectationsTests {
    private actor Counter {
        private let executor: LoopExecutor
        private let expectations: Expectations<Int>
        private var value = 0
        private var timer: LoopTimer?

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        nonisolated var taskExecutor: any TaskExecutor { LoopTaskExecutor(executor) }

        init(hasTimers: Bool = true) throws {
            executor = try LoopExecutor()
            expectations = hasTimers ? Expectations() : Expectations(makeTimer: { _, _ in nil })
        }

        isolated deinit { timer = nil }

        /// Counts once, as soon as the loop evaluates the condition.
        func waitUntilCounted() async -> Bool {
            timer = LoopTimer(on: executor) { [weak self] in self?.assumeIsolated { $0.count() } }
            timer?.arm(after: .zero)
            let outcome = await expectations.wait({ value }, within: .seconds(10), on: executor) { $0 > 0 }
            if case .met = outcome { return true }
            return false
        }

        /// Waits for a change that does not follow.
        func waitForNothing() async -> Expectations<Int>.Outcome {
            await expectations.wait({ value }, within: .seconds(10), on: executor) { _ in false }
        }

        private func count() {
            value += 1
            expectations.evaluate(value)
        }
    }

    @Test func aChangeIsSeen() async throws {
        let counter = try Counter()
        #expect(await counter.waitUntilCounted())
    }

    /// A task that prefers an executor leaves the actor at each `await`, so the change precedes the
    /// wait.
    @Test func aChangeIsSeenByATaskThatPrefersAnExecutor() async throws {
        let counter = try Counter()
        let isCounted = await Task(executorPreference: counter.taskExecutor) { await counter.waitUntilCounted() }
            .value
        #expect(isCounted)
    }

    /// A wait without a timer would have no deadline.
    @Test func aWaitWithoutATimerFailsAtOnce() async throws {
        let outcome = try await Counter(hasTimers: false).waitForNothing()
        guard case .failed(let error) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(error.code == .cannotStart)
    }
}
