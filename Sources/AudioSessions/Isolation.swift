import PipeWireGraph

// Both are called by PipeWire at every event, and their executor knows best on which thread that is.

extension AudioSessionManager {
    package nonisolated func assumeIsolated<Result: Sendable>(
        _ body: (isolated AudioSessionManager) throws -> Result
    ) rethrows -> Result {
        try assumeIsolated(on: environment.executor, body)
    }
}

extension AudioSession {
    package nonisolated func assumeIsolated<Result: Sendable>(
        _ body: (isolated AudioSession) throws -> Result
    ) rethrows -> Result {
        try assumeIsolated(on: manager.environment.executor, body)
    }
}
