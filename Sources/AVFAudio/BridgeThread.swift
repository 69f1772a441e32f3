import Dispatch
import Foundation
import PipeWireGraph

/// Where asynchronous work is begun for callers that wait for it.
///
/// A thread of its own, so that a call returns while the main thread waits for it, and while every thread of Swift's
/// pool waits for something.
final class BridgeThread: TaskExecutor {
    static let shared = BridgeThread()
    private let jobs = Locked<[UnownedJob]>([])
    private let count = DispatchSemaphore(value: 0)

    private init() {
        let thread = Thread { [self] in run() }
        thread.name = "AVAudioSession"
        thread.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        count.signal()
    }

    private func run() -> Never {
        while true {
            count.wait()
            let job = jobs.withLock { $0.removeFirst() }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Begins work that nobody waits for. What is begun first is begun first.
    static func begin(_ work: @escaping @Sendable () async -> Void) {
        Task.detached(executorPreference: shared, operation: work)
    }

    /// Does the work, and returns when it is done.
    static func wait<Value: Sendable>(for work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let answer = Locked<Result<Value, any Error>>(.failure(CancellationError()))
        let done = DispatchSemaphore(value: 0)
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
