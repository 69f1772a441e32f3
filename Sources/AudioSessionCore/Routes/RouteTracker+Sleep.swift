/// This extension handles the computer's sleep.
extension RouteTracker {
    var isAsleep: Bool { if case .asleep = phase { true } else { false } }

    /// Closes the gate, and decides nothing until ``wake(_:_:_:)``.
    mutating func sleep(_ actions: inout RouteActions) {
        guard !isAsleep else { return }
        closeGate(&actions)
        switch phase {
        case .settling(let lost, _, _): phase = .asleep(lost: lost, isSwitching: false)
        case .switching: phase = .asleep(lost: nil, isSwitching: true)
        case .settled, .suspecting, .asleep: phase = .asleep(lost: nil, isSwitching: false)
        }
    }

    /// Evaluates the route after the computer woke up. The gate opens when the session manager has
    /// had time to respond to the changes, and a card to switch its profile for the target.
    mutating func wake(_ graph: AudioGraph, _ context: RouteContext, _ actions: inout RouteActions) {
        guard case .asleep(let lost, let isSwitching) = phase else { return }
        actions.needsBarrier = true
        // Its card may have answered nothing since, so the limit begins again.
        guard !isSwitching || isTargetThere(.output, context) else {
            phase = .switching(until: context.now + RouteLimits.profile)
            return
        }
        opensWhenSettled = lost == nil
        let until = context.now + RouteLimits.change
        phase = .settling(lost: lost, quietUntil: lost == nil ? until : nil, until: until)
        if lost == nil { noteDeparture(graph, context, &actions) }
    }

    /// Whether this is the first change soon after the computer woke up.
    mutating func isFoundAfterSleep(_ context: RouteContext) -> Bool {
        guard let wakeUntil else { return false }
        self.wakeUntil = nil
        return context.now < wakeUntil
    }
}
