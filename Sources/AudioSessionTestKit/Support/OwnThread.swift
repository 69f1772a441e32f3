import PipeWireGraph

/// Runs tasks on one thread, which ends with it: for tests that call functions that block.
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
