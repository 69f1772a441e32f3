/// The gate triggers: the nodes of outputs used by running streams, whose removal closes a gate.
struct GateTriggers: Sendable {
    private var entries: [Entry] = []
    /// The triggers that are armed, so that PipeWire's callback may act on them without an
    /// evaluation.
    private var armed: [FollowerID: [ObjectID]] = [:]

    private struct Entry: Sendable {
        var node: ObjectID
        var id: FollowerID
        /// The time before which a bouncing contact may have removed the node.
        var armedFrom: MonotonicTime
    }

    mutating func forget(_ id: FollowerID) {
        entries.removeAll { $0.id == id }
        armed[id] = nil
    }

    /// Updates the triggers of all followers.
    /// - Parameter actions: Receives a `setGateTriggers` for each follower whose triggers have
    ///   changed.
    mutating func update(_ trackers: [RouteTracker], _ context: RouteContext, _ actions: inout RouteActions) {
        entries = trackers.filter { !$0.streams.isEmpty }.flatMap { tracker in
            tracker.endsInUse.flatMap { end in
                let armedFrom = context.available.arrival(of: end.port.uid).map { $0 + RouteLimits.bounce }
                return end.nodes.map {
                    Entry(node: $0, id: tracker.id, armedFrom: armedFrom ?? MonotonicTime(nanoseconds: 0))
                }
            }
        }
        if entries.isEmpty, armed.isEmpty { return }
        let old = armed
        armed = [:]
        for entry in entries where entry.armedFrom <= context.now { armed[entry.id, default: []].append(entry.node) }
        let changed = Set(old.keys).union(armed.keys).filter { old[$0] != armed[$0] }
        for id in changed.sorted() { actions.append(.setGateTriggers(id, armed[id] ?? [])) }
    }

    /// Returns the next time at which a contact has settled, so that a trigger can be armed.
    func nextArming(after now: MonotonicTime) -> MonotonicTime? {
        entries.lazy.map(\.armedFrom).filter { $0 > now }.min()
    }
}
