import PipeWireGraph

/// Runs tasks on one thread that ends with this object, for tests that call blocking functions.
package final class OwnThread: TaskExecutor {
    private let worker = WorkerThread()

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isPosted = worker.post { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        precondition(isPosted, "the system has no thread left")
    }

    deinit { worker.end() }
}
