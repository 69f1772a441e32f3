/// A route change that a follower has requested.
struct RouteExpectation: Sendable {
    var reason: RouteChangeReason
    /// The uids of the requested ports.
    var ports: Set<String>
    var until: MonotonicTime

    /// Whether a change with another apparent reason is the requested one.
    func explains(
        _ other: RouteChangeReason, _ previous: RouteDescription, _ current: RouteDescription, _ now: MonotonicTime
    ) -> Bool {
        guard now < until, !previous.isSame(as: current) else { return false }
        switch other {
        case .override, .routeConfigurationChange, .unknown: return true
        case .noSuitableRouteForCategory: return false
        default: return current.ports(notIn: previous).contains { ports.contains($0.uid) }
        }
    }
}
