extension SerialExecutor {
    /// `Actor.assumeIsolated`, for actors of an executor that knows by itself whether it is asked on its own thread. The runtime
    /// finds out first whether that is the main actor's executor, and takes longer for it than most events take to be read.
    /// - Parameter actor: one of this executor's, which is not looked at again.
    @inlinable
    package func assumeIsolated<Isolated: Actor, Result: Sendable>(
        _ actor: Isolated, _ body: (isolated Isolated) throws -> Result
    ) rethrows -> Result {
        if isIsolatingCurrentContext() != true { checkIsolated() }
        // The language has no other word for it; the runtime's own does the same.
        return try withoutActuallyEscaping(body) {
            try unsafeBitCast($0, to: ((Isolated) throws -> Result).self)(actor)
        }
    }
}
