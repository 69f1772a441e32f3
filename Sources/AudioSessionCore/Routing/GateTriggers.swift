/// The sinks in use by running streams: what the trackers know, in the form in which it is found fastest.
struct GateTriggers: Sendable {
    private var entries: [Entry] = []
    /// Of those, the ones that can be acted upon without thinking.
    private var armed: [FollowerID: [ObjectID]] = [:]

    private struct Entry: Sendable {
        var node: ObjectID
        var id: FollowerID
        /// Before this its going may be a contact that bounces.
        var calmFrom: MonotonicTime
    }

    mutating func forget(_ id: FollowerID) {
        entries.removeAll { $0.id == id }
        armed[id] = nil
    }

    /// - Parameter actions: receives a `setGateTriggers` for each stream whose triggers changed.
    mutating func update(_ trackers: [RouteTracker], _ world: RouteWorld, _ actions: inout RouteActions) {
        entries = trackers.filter { !$0.streams.isEmpty }.flatMap { tracker in
            tracker.endsInUse.flatMap { end in
                let calm = world.available.arrival(of: end.port.uid).map { $0 + RouteLimits.bounce }
                return end.nodes.map {
                    Entry(node: $0, id: tracker.id, calmFrom: calm ?? MonotonicTime(nanoseconds: 0))
                }
            }
        }
        if entries.isEmpty, armed.isEmpty { return }
        let old = armed
        armed = [:]
        for entry in entries where entry.calmFrom <= world.now { armed[entry.id, default: []].append(entry.node) }
        let changed = Set(old.keys).union(armed.keys).filter { old[$0] != armed[$0] }
        for id in changed.sorted() { actions.append(.setGateTriggers(id, armed[id] ?? [])) }
    }

    /// When a contact has come to rest, and more can be acted upon without thinking.
    func nextCalm(after now: MonotonicTime) -> MonotonicTime? {
        entries.lazy.map(\.calmFrom).filter { $0 > now }.min()
    }
}
