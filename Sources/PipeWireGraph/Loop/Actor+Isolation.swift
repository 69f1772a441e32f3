extension Actor {
    /// Calls `body` isolated to this actor, as `Actor.assumeIsolated` does, but asks only the
    /// executor.
    ///
    /// The runtime's function first checks for the main actor's executor (Swift 6.3), which takes
    /// longer than decoding most events. Traps on another thread than the executor's.
    /// - Parameter executor: The actor's own executor.
    @inlinable
    package nonisolated func assumeIsolated<Result: Sendable>(
        on executor: any SerialExecutor, _ body: (isolated Self) throws -> Result
    ) rethrows -> Result {
        if executor.isIsolatingCurrentContext() != true { executor.checkIsolated() }
        // As in the runtime's function: the language cannot express this conversion.
        return try withoutActuallyEscaping(body) {
            try unsafeBitCast($0, to: ((Self) throws -> Result).self)(self)
        }
    }
}
