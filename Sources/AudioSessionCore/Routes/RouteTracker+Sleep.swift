/// This extension handles the computer's sleep.
extension RouteTracker {
    var isAsleep: Bool { if case .asleep = phase { true } else { false } }

    /// Closes the gate, and decides nothing until ``wake(_:_:_:)``.
    mutating func sleep(_ actions: inout RouteActions) {
        guard !isAsleep else { return }
        closeGate(&actions)
        if case .settling(let lost?, _, _) = phase { phase = .asleep(lost: lost) } else { phase = .asleep(lost: nil) }
    }

    /// Begins a follower while the computer sleeps. The caller closes its gate.
    mutating func beginAsleep() {
        phase = .asleep(lost: nil)
        isGateClosed = true
    }

    /// Evaluates the route after the computer woke up. The gate opens when the session manager has
    /// had time to respond to the changes.
    mutating func wake(_ graph: AudioGraph, _ context: RouteContext, _ actions: inout RouteActions) {
        guard case .asleep(let lost) = phase else { return }
        opensWhenSettled = lost == nil
        let until = context.now + RouteLimits.change
        phase = .settling(lost: lost, quietUntil: lost == nil ? until : nil, until: until)
        if lost == nil { noteDeparture(graph, context, &actions) }
        actions.needsBarrier = true
    }

    /// Whether this is the first change soon after the computer woke up.
    mutating func isFoundAfterSleep(_ context: RouteContext) -> Bool {
        guard let wakeUntil else { return false }
        self.wakeUntil = nil
        return context.now < wakeUntil
    }
}
