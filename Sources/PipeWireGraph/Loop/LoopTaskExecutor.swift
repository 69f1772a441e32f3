/// The thread of a ``LoopExecutor`` as a task executor.
///
/// It is an object of its own, because tests of connections hung when ``LoopExecutor`` was also a
/// task executor. The cause is unknown (Swift 6.3).
package final class LoopTaskExecutor: TaskExecutor {
    private let executor: LoopExecutor

    package init(_ executor: LoopExecutor) { self.executor = executor }

    package func enqueue(_ job: consuming ExecutorJob) { executor.enqueue(job, preferring: asUnownedTaskExecutor()) }
}
