/// Whether a session manager runs, and since when.
enum SessionManagerPresence: Sendable, Hashable {
    /// No session manager was seen yet.
    case never
    /// A session manager runs.
    /// - Parameter returned: The time of its return; see ``returnTime``.
    case running(returned: MonotonicTime?)
    case lost(MonotonicTime)

    init(in graph: AudioGraph) { self = graph.sessionManager == nil ? .never : .running(returned: nil) }

    /// Updates the presence from the graph.
    /// - Returns: Whether a session manager has started or stopped.
    mutating func update(_ graph: AudioGraph, _ now: MonotonicTime) -> Bool {
        guard isRunning != (graph.sessionManager != nil) else { return false }
        self = isRunning ? .lost(now) : .running(returned: now)
        return true
    }

    private var isRunning: Bool { if case .running = self { true } else { false } }

    /// The time at which the session manager started, if it was missing before.
    var returnTime: MonotonicTime? { if case .running(let time) = self { time } else { nil } }

    /// Whether the session manager runs and has not just returned, when it restores one object
    /// after the other.
    func isSettled(at now: MonotonicTime) -> Bool {
        isRunning && returnTime.map { $0 + RouteLimits.restart <= now } ?? true
    }

    /// The time at which the session manager stopped; `nil` if it runs, or was never seen.
    var lossTime: MonotonicTime? { if case .lost(let time) = self { time } else { nil } }
}
