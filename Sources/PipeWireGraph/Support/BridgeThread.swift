import AudioSessionCore

/// A thread that starts asynchronous work for callers that block until it is done.
///
/// It is a thread of its own, so that such a call returns even if it blocks the main thread and all
/// threads of Swift's pool are blocked.
package final class BridgeThread: TaskExecutor {
    private static let shared = BridgeThread()
    private let worker = WorkerThread()

    private init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isPosted = worker.post { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        // Without a thread the caller runs the job.
        if !isPosted { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Whether the caller runs on this thread, where ``wait(for:)`` would wait for itself.
    package static var isCurrent: Bool { !PipeWireLibrary.isForked && shared.worker.isCurrent }

    /// Starts work without waiting for it. Work starts in the order of the calls.
    package static func begin(_ work: @escaping @Sendable () async -> Void) {
        Task.detached(executorPreference: shared, operation: work)
    }

    /// Starts work, and blocks until it is done.
    /// - Throws: `unspecified` on this thread; `forked` in a forked child of a process that used
    ///   the library; errors of the work.
    package static func wait<Value: Sendable>(
        for work: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        guard !PipeWireLibrary.isForked else { throw AudioSessionError.forked }
        guard !isCurrent else {
            throw AudioSessionError(
                .unspecified, "A blocking call on the thread that does the work of such calls would wait for itself.")
        }
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
