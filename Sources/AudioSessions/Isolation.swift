import PipeWireGraph

// PipeWire calls both on every event. Their executor, not the runtime, checks the thread.

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
