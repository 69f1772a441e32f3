/// The thread of a ``LoopExecutor``, for tasks that prefer it.
///
/// Not the same object: where the jobs of actors ran as if their tasks preferred it, tests of connections waited in vain
/// (Swift 6.3; why is not known).
package final class LoopTaskExecutor: TaskExecutor {
    private let executor: LoopExecutor

    package init(_ executor: LoopExecutor) { self.executor = executor }

    package func enqueue(_ job: consuming ExecutorJob) { executor.enqueue(job, preferring: asUnownedTaskExecutor()) }
}
