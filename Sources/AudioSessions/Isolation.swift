import PipeWireGraph

// Both are called by PipeWire at every event, and their executor knows best on which thread that is.

extension AudioSessionManager {
    package nonisolated func assumeIsolated<Result: Sendable>(
        _ body: (isolated AudioSessionManager) throws -> Result
    ) rethrows -> Result {
        try environment.executor.assumeIsolated(self, body)
    }
}

extension AudioSession {
    package nonisolated func assumeIsolated<Result: Sendable>(
        _ body: (isolated AudioSession) throws -> Result
    ) rethrows -> Result {
        try manager.environment.executor.assumeIsolated(self, body)
    }
}
