import AudioSessionCore

/// Where asynchronous work is begun for callers that wait for it.
///
/// A thread of its own, so that a call returns while the main thread waits for it, and while every thread of Swift's
/// pool waits for something.
package final class BridgeThread: TaskExecutor {
    private static let shared = BridgeThread()
    private let worker = WorkerThread()

    private init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isPosted = worker.post { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        // No thread is to be had: then whoever brought the job does it.
        if !isPosted { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Begins work that nobody waits for. What is begun first is begun first.
    package static func begin(_ work: @escaping @Sendable () async -> Void) {
        Task.detached(executorPreference: shared, operation: work)
    }

    /// Does the work, and returns when it is done.
    /// - Throws: `forked` in a child of a process that used the library; what the work throws.
    package static func wait<Value: Sendable>(
        for work: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        guard !PipeWireLibrary.isForked else { throw AudioSessionError.forked }
        let answer = Locked<Result<Value, any Error>>(.failure(CancellationError()))
        let done = Semaphore()
        begin {
            do {
                let value = try await work()
                answer.withLock { $0 = .success(value) }
            } catch {
                answer.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        done.wait()
        return try answer.withLock(\.self).get()
    }
}
