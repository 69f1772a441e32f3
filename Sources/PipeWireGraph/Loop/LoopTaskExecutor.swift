/// The thread of a ``LoopExecutor`` as a task executor.
///
/// It is an object of its own, because tests of connections hung when ``LoopExecutor`` was also a
/// task executor and ran the jobs of actors as such (Swift 6.3, cause unknown).
package final class LoopTaskExecutor: TaskExecutor {
    private let executor: LoopExecutor

    package init(_ executor: LoopExecutor) { self.executor = executor }

    package func enqueue(_ job: consuming ExecutorJob) { executor.enqueue(job, preferring: asUnownedTaskExecutor()) }
}
