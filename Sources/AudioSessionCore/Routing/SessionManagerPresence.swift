/// Whether a session manager runs, and since when it has, or has not.
enum SessionManagerPresence: Sendable, Hashable {
    /// Nobody has seen one yet.
    case never
    /// - Parameter returned: see ``returnTime``.
    case running(returned: MonotonicTime?)
    case lost(MonotonicTime)

    init(in graph: AudioGraph) { self = graph.sessionManager == nil ? .never : .running(returned: nil) }

    /// - Returns: whether it has come or gone.
    mutating func update(_ graph: AudioGraph, _ now: MonotonicTime) -> Bool {
        guard isRunning != (graph.sessionManager != nil) else { return false }
        self = isRunning ? .lost(now) : .running(returned: now)
        return true
    }

    private var isRunning: Bool { if case .running = self { true } else { false } }

    /// When it came, if it was missing before.
    var returnTime: MonotonicTime? { if case .running(let time) = self { time } else { nil } }

    /// Whether it is there, and has not just come back: then it puts one thing after the other in order.
    func isSettled(at now: MonotonicTime) -> Bool {
        isRunning && returnTime.map { $0 + RouteLimits.restart <= now } ?? true
    }

    /// When it went; `nil`: it is there, or there never was one.
    var lossTime: MonotonicTime? { if case .lost(let time) = self { time } else { nil } }
}
