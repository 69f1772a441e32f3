import CPipeWireShim
import Glibc

/// A thread that runs one job after the other, until ``end()``. It blocks all signals except those
/// of faults, because the program's signal handlers must not run on it.
package final class WorkerThread: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var thread: pthread_t?
    }

    private let state = Locked(State())
    private let count = Semaphore()

    package init() {}

    package var isCurrent: Bool { state.withLock(\.thread).map { pthread_equal($0, pthread_self()) != 0 } ?? false }

    /// Starts the thread if it does not run.
    /// - Returns: Whether it runs. A later call may succeed if the system has no thread left now.
    package func start() -> Bool {
        state.withLock { state in
            if state.thread == nil { state.thread = make() }
            return state.thread != nil
        }
    }

    /// Adds a job, and starts the thread if necessary.
    /// - Returns: Whether the job will run, which it does not without a thread.
    @discardableResult
    package func post(_ job: @escaping @Sendable () -> Void) -> Bool {
        guard start() else { return false }
        state.withLock { $0.jobs.append(job) }
        count.signal()
        return true
    }

    /// Ends the thread after the jobs that were posted before. The last call of an instance.
    package func end() {
        if state.withLock({ $0.thread.take() }) != nil { count.signal() }
    }

    private func make() -> pthread_t? {
        cpw_handle_forks()
        var thread = pthread_t()
        var (all, old) = (sigset_t(), sigset_t())
        sigfillset(&all)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS] { sigdelset(&all, fault) }
        pthread_sigmask(SIG_SETMASK, &all, &old)
        defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<WorkerThread>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return nil
        }
        pthread_detach(thread)
        return thread
    }

    private func run() {
        while true {
            count.wait()
            // There is one signal for each job, so only the signal of `end` finds no job.
            guard let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) else { return }
            job()
        }
    }
}
