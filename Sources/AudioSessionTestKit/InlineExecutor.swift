import Dispatch
import Glibc
import PipeWireGraph

/// Runs the jobs of its actors one after the other, on the thread that brings them, before that thread goes on.
///
/// A test with it needs no waiting: when a call returns, everything that it set off on the actor has happened.
package final class InlineExecutor: SerialExecutor {
    private struct State {
        var waiting: [Work] = []
        var isLate = false
        var answers: [() -> Void] = []
        var runner: pthread_t?
        /// Of bodies that have run; signaled when the queue is empty.
        var done: [DispatchSemaphore] = []
    }

    private enum Work {
        case job(UnownedJob, taskExecutor: UnownedTaskExecutor?)
        case body(() -> Void, done: DispatchSemaphore)
    }

    private let state = Locked(State())

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job), taskExecutor: nil)) }

    fileprivate func enqueue(_ job: consuming ExecutorJob, preferring taskExecutor: UnownedTaskExecutor) {
        add(.job(UnownedJob(job), taskExecutor: taskExecutor))
    }

    /// Runs `body` as if the executor's actors had asked for it, and returns when no job waits any more.
    ///
    /// Jobs of other callers included, so that none of them may wait for this one.
    package func run(_ body: @escaping () -> Void) {
        guard !isCurrent else { return body() }
        let done = DispatchSemaphore(value: 0)
        add(.body(body, done: done))
        done.wait()
    }

    /// From now on answers come when whoever has asked waits for them, as a daemon's do, and not within the call that asks.
    package func answerLate() { state.withLock { $0.isLate = true } }

    /// Runs `body` at once; or, if answers are late, when what runs now is over or waits, before anything else runs.
    func answer(_ body: @escaping () -> Void) {
        let isPutOff = state.withLock { state in
            guard state.isLate, state.runner == pthread_self() else { return false }
            state.answers.append(body)
            return true
        }
        if !isPutOff { run(body) }
    }

    package func checkIsolated() { precondition(isCurrent, "not on the test's executor") }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private var isCurrent: Bool { state.withLock { $0.runner == pthread_self() } }

    private func add(_ work: Work) {
        let mustRun = state.withLock { state in
            state.waiting.append(work)
            guard state.runner == nil else { return false }
            state.runner = pthread_self()
            return true
        }
        guard mustRun else { return }
        // A job may end the last actor here, which holds this executor.
        let hold = Unmanaged.passRetained(self)
        defer { hold.release() }
        while let next = takeNext() { perform(next) }
    }

    private func takeNext() -> Work? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.runner = nil
                for done in state.done { done.signal() }
                state.done = []
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    private func perform(_ work: Work) {
        switch work {
        case .job(let job, let taskExecutor):
            if let taskExecutor {
                job.runSynchronously(on: taskExecutor)
            } else {
                job.runSynchronously(on: asUnownedSerialExecutor())
            }
            answerAll()
        case .body(let body, let done):
            body()
            answerAll()
            state.withLock { $0.done.append(done) }
        }
    }

    private func answerAll() {
        while let answer = state.withLock({ $0.answers.isEmpty ? nil : $0.answers.removeFirst() }) { answer() }
    }
}

/// The same, for tasks that prefer it.
package final class InlineTaskExecutor: TaskExecutor {
    private let executor: InlineExecutor

    package init(_ executor: InlineExecutor) { self.executor = executor }

    package func enqueue(_ job: consuming ExecutorJob) { executor.enqueue(job, preferring: asUnownedTaskExecutor()) }
}
