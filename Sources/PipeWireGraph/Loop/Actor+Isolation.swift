extension Actor {
    /// `Actor.assumeIsolated`, for actors of an executor that knows by itself whether it is asked on its own thread. The runtime
    /// finds out first whether that is the main actor's executor, and takes longer for it than most events take to be read.
    /// - Parameter executor: the actor's own, which is not looked at again.
    @inlinable
    package nonisolated func assumeIsolated<Result: Sendable>(
        on executor: any SerialExecutor, _ body: (isolated Self) throws -> Result
    ) rethrows -> Result {
        if executor.isIsolatingCurrentContext() != true { executor.checkIsolated() }
        // The language has no other word for it; the runtime's own does the same.
        return try withoutActuallyEscaping(body) {
            try unsafeBitCast($0, to: ((Self) throws -> Result).self)(self)
        }
    }
}
