import Dispatch
import Glibc
import PipeWireGraph

/// Runs the jobs of its actors one after the other, synchronously on the thread that enqueues them.
///
/// Tests with this executor need no waiting. When a call returns, all its effects on the actor are
/// complete.
package final class InlineExecutor: SerialExecutor {
    private struct State {
        var waiting: [Work] = []
        var isLate = false
        var answers: [() -> Void] = []
        var runner: pthread_t?
        /// Semaphores of bodies that have run. They are signaled when the queue is empty.
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

    /// Runs `body` as a job of the executor's actors, and returns when the queue is empty.
    ///
    /// The queue includes jobs of other callers, so none of these jobs may wait for this call.
    package func run(_ body: @escaping () -> Void) {
        guard !isCurrent else { return body() }
        let done = DispatchSemaphore(value: 0)
        add(.body(body, done: done))
        done.wait()
    }

    /// Delays answers until the requesting job waits for them, as a daemon does. Without this call,
    /// answers arrive within the request.
    package func answerLate() { state.withLock { $0.isLate = true } }

    /// Runs `body` at once, or if answers are late, before the next job. The current job first ends
    /// or suspends.
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
        // A job may release the last actor, which holds the last reference to this executor.
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

/// Runs tasks that prefer it on an inline executor.
package final class InlineTaskExecutor: TaskExecutor {
    private let executor: InlineExecutor

    package init(_ executor: InlineExecutor) { self.executor = executor }

    package func enqueue(_ job: consuming ExecutorJob) { executor.enqueue(job, preferring: asUnownedTaskExecutor()) }
}
