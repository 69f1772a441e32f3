import CPipeWireShim

/// A PipeWire loop on a thread of its own, as the executor of actors.
///
/// An actor on it is called by PipeWire's callbacks without a hop, and its isolation is the loop's lock: no call
/// into PipeWire needs another one. Nothing on it may block or compute for long.
package final class LoopExecutor: SerialExecutor {
    // Never another one; the shim says of each function which thread may call it.
    nonisolated(unsafe) package let loop: OpaquePointer
    private let jobs: JobQueue

    /// - Parameters:
    ///   - isUrgent: whether what is done here must not wait for PipeWire's session manager. The thread then has the
    ///     priority that PipeWire's own processes have (nice -11), if the system permits it and the program is an
    ///     ordinary one (`SCHED_OTHER`, nice 0). Otherwise it has the program's.
    ///   - connects: whether a ``Connection`` is going to be made here: what it needs is made ready at once.
    /// - Throws: `PipeWireError` if the system has no thread or no file left.
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
        jobs.attach(to: asUnownedSerialExecutor())
    }

    deinit { cpw_loop_release(loop) }

    /// In a forked child there is no loop: the caller does the job, which finds that out and fails.
    package func enqueue(_ job: consuming ExecutorJob) {
        guard !PipeWireLibrary.isForked else { return job.runSynchronously(on: asUnownedSerialExecutor()) }
        enqueue(job, preferring: nil)
    }

    /// The job may be the one that ends the last actor here, and with it this executor and its loop, before this
    /// returns. So nothing of `self` is touched afterwards, and the loop is held until it was woken.
    ///
    /// - Parameter taskExecutor: which its task prefers; `nil` for the job of an actor.
    func enqueue(_ job: consuming ExecutorJob, preferring taskExecutor: UnownedTaskExecutor?) {
        let (loop, jobs) = (loop, Unmanaged.passRetained(jobs))
        cpw_loop_ref(loop)
        jobs.takeUnretainedValue().push(LoopJob(job: UnownedJob(job), taskExecutor: taskExecutor), waking: loop)
        cpw_loop_unref(loop)
        jobs.release()
    }

    /// Ends something of PipeWire's, on the loop's thread: at once, or, from within one of PipeWire's own callbacks, when
    /// that has returned. Its caller may be the very thing that ends, and its code may be unloaded with a connection.
    func end(_ body: @escaping () -> Void) {
        checkIsolated()
        jobs.end(body, waking: loop)
    }

    /// From within one of PipeWire's callbacks: lets the tasks go on that prefer this thread and have just been told something, as
    /// handlers are, before all is done that the news sets off. The jobs of actors wait, which may end what has called.
    package func runTasks() {
        checkIsolated()
        jobs.runTasks()
    }

    /// From within one of PipeWire's callbacks, before it is handled: runs all jobs that wait. PipeWire calls back for as long
    /// as the daemon sends, and a program would otherwise wait until another one stops making objects.
    func runJobs() {
        checkIsolated()
        jobs.runWithinCallback()
    }

    package func checkIsolated() {
        precondition(cpw_loop_is_current(loop) || PipeWireLibrary.isForked, "not on the PipeWire loop's thread")
    }

    package func isIsolatingCurrentContext() -> Bool? { cpw_loop_is_current(loop) || PipeWireLibrary.isForked }
}

/// A part of a task that is to run on a loop's thread.
private struct LoopJob {
    let job: UnownedJob
    /// `nil`: it is an actor's.
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

/// The jobs that wait for a loop. The loop's thread holds it, never the executor, which may be dying elsewhere
/// while a late wake arrives.
private final class JobQueue: Sendable {
    private struct State {
        var waiting: [LoopJob] = []
        var endings: [() -> Void] = []
        /// Whether the loop is here, and so in no callback of anything else.
        var isRunning = false
        /// Whether tasks or jobs go on within such a callback.
        var isRunningTasks = false
        var executor: UnownedSerialExecutor?
    }

    private let state = Locked(State())

    static func of(_ context: UnsafeMutableRawPointer) -> JobQueue {
        Unmanaged<JobQueue>.fromOpaque(context).takeUnretainedValue()
    }

    func attach(to executor: UnownedSerialExecutor) { state.withLock { $0.executor = executor } }

    /// The loop is not woken while it still has jobs to fetch, nor while the lock is held: its thread would take the processor
    /// from this one at once, and wait for the lock.
    func push(_ job: LoopJob, waking loop: OpaquePointer) {
        let isFirst = state.withLock { state in
            state.waiting.append(job)
            return state.waiting.count == 1
        }
        if isFirst { cpw_loop_wake(loop) }
    }

    func end(_ body: @escaping () -> Void, waking loop: OpaquePointer) {
        let isFree = state.withLock { state in
            if state.isRunning { return true }
            state.endings.append(body)
            if state.endings.count == 1 { cpw_loop_wake(loop) }
            return false
        }
        if isFree { body() }
    }

    /// Runs what waits now. What these jobs add waits for the loop's next turn, or a task that yields again and again
    /// until PipeWire tells something would keep PipeWire from telling it.
    func run() {
        var endings: [() -> Void] = []
        let (jobs, executor) = state.withLock { state in
            defer { state.waiting.removeAll(keepingCapacity: false) }
            swap(&endings, &state.endings)
            state.isRunning = true
            return (state.waiting, state.executor)
        }
        for end in endings { end() }
        // What they held goes here too, be it the executor itself.
        endings = []
        if let executor { for job in jobs { job.run(on: executor) } }
        state.withLock { $0.isRunning = false }
    }

    /// What these jobs end goes on until the callback has returned, like all that ends in a callback.
    func runWithinCallback() {
        let (jobs, executor): ([LoopJob], UnownedSerialExecutor?) = state.withLock { state in
            guard !state.isRunning, !state.isRunningTasks, !state.waiting.isEmpty else { return ([], nil) }
            defer { state.waiting.removeAll(keepingCapacity: false) }
            state.isRunningTasks = true
            return (state.waiting, state.executor)
        }
        guard let executor else { return }
        for job in jobs { job.run(on: executor) }
        state.withLock { $0.isRunningTasks = false }
    }

    /// Not from within a job: the runtime runs one after the other.
    func runTasks() {
        let tasks: (jobs: [LoopJob], executor: UnownedSerialExecutor)? = state.withLock { state in
            guard !state.isRunning, !state.isRunningTasks, let executor = state.executor else { return nil }
            let tasks = state.waiting.filter(\.isOfTask)
            guard !tasks.isEmpty else { return nil }
            state.waiting.removeAll(where: \.isOfTask)
            state.isRunningTasks = true
            return (tasks, executor)
        }
        guard let tasks else { return }
        for job in tasks.jobs { job.run(on: tasks.executor) }
        state.withLock { $0.isRunningTasks = false }
    }
}
