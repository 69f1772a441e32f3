import CPipeWireShim

/// A PipeWire loop with its thread, as the executor of actors.
///
/// PipeWire's callbacks run isolated to its actors, so neither an actor hop nor a lock is needed
/// for calls into PipeWire. A job must neither block nor compute for long.
package final class LoopExecutor: SerialExecutor {
    // Constant. The shim documents which thread may call each function.
    nonisolated(unsafe) package let loop: OpaquePointer
    private let jobs: JobQueue

    /// Makes a loop and starts its thread.
    ///
    /// - Parameters:
    ///   - isUrgent: Whether jobs must not wait for the session manager. The thread then has the
    ///     priority of PipeWire's own processes (nice -11), if the system permits it and the
    ///     program is an ordinary one (`SCHED_OTHER`, nice 0). Otherwise it has the program's
    ///     priority.
    ///   - connects: Whether a ``Connection`` will be made, so that its context is prepared at
    ///     once.
    /// - Throws: `PipeWireError` if threads, files or memory are exhausted.
    package init(isUrgent: Bool = false, connects: Bool = false) throws(PipeWireError) {
        let jobs = JobQueue()
        let context = Unmanaged.passRetained(jobs)
        var code: Int32 = 0
        let loop = cpw_loop_create(
            isUrgent, connects, { JobQueue.of($0).run() }, { Unmanaged<JobQueue>.fromOpaque($0).release() },
            context.toOpaque(), &code)
        guard let loop else {
            context.release()
            throw PipeWireError(code: code, during: .startingLoop)
        }
        self.loop = loop
        self.jobs = jobs
        jobs.attach(to: self)
    }

    deinit { cpw_loop_release(loop) }

    /// Runs the job later on the loop's thread.
    package func enqueue(_ job: consuming ExecutorJob) {
        enqueue(job, preferring: nil)
    }

    /// Enqueues the job of an actor, or of a task that prefers this thread.
    ///
    /// The job may release the last actor, and with it this executor and its loop, before this
    /// function returns. So `self` is not used afterwards, and the loop is retained until it was
    /// woken.
    ///
    /// A forked child has no such thread, so the caller runs the job, which detects that and fails.
    ///
    /// - Parameter taskExecutor: The executor that the task prefers; `nil` for the job of an actor.
    func enqueue(_ job: consuming ExecutorJob, preferring taskExecutor: UnownedTaskExecutor?) {
        let job = LoopJob(job: UnownedJob(job), taskExecutor: taskExecutor)
        guard !PipeWireLibrary.isForked else { return job.run(on: asUnownedSerialExecutor()) }
        let (loop, jobs) = (loop, Unmanaged.passRetained(jobs))
        cpw_loop_ref(loop)
        jobs.takeUnretainedValue().push(job, waking: loop)
        cpw_loop_unref(loop)
        jobs.release()
    }

    /// Calls `body`, which destroys an object of PipeWire, after the current callback of PipeWire
    /// has returned, or at once outside of callbacks. The callback may be that of the same object,
    /// and its code may be unloaded together with the connection. Bodies are called in the order of
    /// these calls. To be called on the loop's thread.
    ///
    /// - Parameter ofStream: Whether `body` destroys nothing but a stream. Then a later callback of
    ///   the connection may call it, because events of other programs would otherwise delay the end
    ///   of the stream for as long as they follow each other.
    package func end(ofStream: Bool = false, _ body: @escaping () -> Void) {
        checkIsolated()
        jobs.end(Ending(isOfStream: ofStream, body: body), waking: loop)
    }

    /// Runs waiting tasks that prefer this thread, from within a callback of PipeWire: listeners
    /// that were just notified continue before the event is handled completely. Jobs of actors keep
    /// waiting, because they may release the caller.
    package func runTasks() {
        checkIsolated()
        jobs.runTasks()
    }

    /// Fires timers that are due, ends streams and runs all waiting jobs, from within a callback of
    /// a connection and before it is handled. The loop sends callbacks as long as the daemon sends
    /// events, and none of these must wait for that.
    func runJobs() {
        checkIsolated()
        cpw_loop_run_waiting(
            loop, { JobQueue.of($0).runWithinCallback() }, Unmanaged.passUnretained(jobs).toOpaque())
    }

    /// Whether the current thread is that of any loop, for which a call that waits would wait.
    package static var isLoopThread: Bool { cpw_loop_runs_current_thread() }

    package func checkIsolated() {
        precondition(cpw_loop_is_current(loop) || PipeWireLibrary.isForked, "not on the PipeWire loop's thread")
    }

    package func isIsolatingCurrentContext() -> Bool? { cpw_loop_is_current(loop) || PipeWireLibrary.isForked }
}

/// A job that waits for a loop's thread.
private struct LoopJob {
    let job: UnownedJob
    /// The executor that the job's task prefers; `nil` for the job of an actor.
    let taskExecutor: UnownedTaskExecutor?

    var isOfTask: Bool { taskExecutor != nil }

    func run(on executor: UnownedSerialExecutor) {
        if let taskExecutor {
            job.runSynchronously(on: taskExecutor)
        } else {
            job.runSynchronously(on: executor)
        }
    }
}

/// The end of an object, which waits until no callback of that object is under way.
private struct Ending {
    /// Whether callbacks of connections may call `body`.
    let isOfStream: Bool
    let body: () -> Void
}

/// The jobs that wait for a loop. The loop's thread retains it instead of the executor, because
/// that may be released on another thread while a wake-up arrives.
private final class JobQueue: Sendable {
    private struct State {
        var waiting: [LoopJob] = []
        var endings: [Ending] = []
        /// Whether the loop runs jobs, and so no callback of another object.
        var isRunning = false
        /// Whether tasks or jobs run within such a callback.
        var isRunningTasks = false
        /// Retained while jobs run: a job may resume a task on another executor that runs it on
        /// this thread and there releases the last actor of this one, which the runtime still
        /// reads.
        weak var executor: LoopExecutor?
    }

    private let state = Locked(State())

    static func of(_ context: UnsafeMutableRawPointer) -> JobQueue {
        Unmanaged<JobQueue>.fromOpaque(context).takeUnretainedValue()
    }

    func attach(to executor: LoopExecutor) { state.withLock { $0.executor = executor } }

    /// Adds a job, and wakes the loop if it has no other. Wakes it without the lock, because its
    /// thread would otherwise preempt this one and then wait for the lock.
    func push(_ job: LoopJob, waking loop: OpaquePointer) {
        let isFirst = state.withLock { state in
            state.waiting.append(job)
            return state.waiting.count == 1
        }
        if isFirst { cpw_loop_wake(loop) }
    }

    func end(_ ending: Ending, waking loop: OpaquePointer) {
        let isFree = state.withLock { state in
            if state.isRunning { return true }
            state.endings.append(ending)
            if state.endings.count == 1 { cpw_loop_wake(loop) }
            return false
        }
        if isFree { ending.body() }
    }

    /// Runs the jobs that wait now. Jobs that they add wait for the loop's next iteration, because
    /// a task that yields until an event arrives would otherwise prevent that event.
    func run() {
        var endings: [Ending] = []
        let (jobs, executor) = state.withLock { state in
            defer { state.waiting.removeAll(keepingCapacity: false) }
            swap(&endings, &state.endings)
            state.isRunning = true
            return (state.waiting, state.executor)
        }
        for ending in endings { ending.body() }
        // Releases what the closures retain, which may be the executor itself.
        endings = []
        run(jobs, on: executor)
        state.withLock { $0.isRunning = false }
    }

    /// Ends streams and runs waiting jobs in a callback of a connection. Objects that the jobs end
    /// are destroyed after the callback, as usual.
    func runWithinCallback() {
        var endings: [Ending] = []
        let (jobs, executor): ([LoopJob], LoopExecutor?) = state.withLock { state in
            guard !state.isRunning, !state.isRunningTasks, let executor = state.executor else { return ([], nil) }
            endings = state.endings.filter(\.isOfStream)
            guard !state.waiting.isEmpty || !endings.isEmpty else { return ([], nil) }
            state.endings.removeAll(where: \.isOfStream)
            defer { state.waiting.removeAll(keepingCapacity: false) }
            state.isRunningTasks = true
            return (state.waiting, executor)
        }
        guard let executor else { return }
        for ending in endings { ending.body() }
        endings = []
        run(jobs, on: executor)
        state.withLock { $0.isRunningTasks = false }
    }

    /// Runs waiting tasks in a callback. Does nothing within a job, because jobs do not nest.
    func runTasks() {
        let tasks: (jobs: [LoopJob], executor: LoopExecutor)? = state.withLock { state in
            guard !state.isRunning, !state.isRunningTasks, let executor = state.executor else { return nil }
            let tasks = state.waiting.filter(\.isOfTask)
            guard !tasks.isEmpty else { return nil }
            state.waiting.removeAll(where: \.isOfTask)
            state.isRunningTasks = true
            return (tasks, executor)
        }
        guard let tasks else { return }
        run(tasks.jobs, on: tasks.executor)
        state.withLock { $0.isRunningTasks = false }
    }

    /// Runs jobs, of which there is none without an executor: each retains its actor or its task.
    private func run(_ jobs: [LoopJob], on executor: LoopExecutor?) {
        guard let executor else { return }
        withExtendedLifetime(executor) {
            for job in jobs { job.run(on: executor.asUnownedSerialExecutor()) }
        }
    }
}
