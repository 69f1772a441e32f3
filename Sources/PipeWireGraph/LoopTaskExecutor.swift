/// The thread of a ``LoopExecutor``, for tasks that prefer it.
///
/// Not the same object: a job of an actor would then have to say that it prefers it too, and tasks that do not would leave the
/// thread and come back for each call between its actors.
package final class LoopTaskExecutor: TaskExecutor {
    private let executor: LoopExecutor

    package init(_ executor: LoopExecutor) { self.executor = executor }

    package func enqueue(_ job: consuming ExecutorJob) { executor.enqueue(job, preferring: asUnownedTaskExecutor()) }
}
