/// The identity of a follower of a route.
package struct FollowerID: Hashable, Sendable, Comparable {
    /// The kinds in ascending order. Players are evaluated first, because nothing may delay the
    /// closing of a gate.
    package enum Kind: UInt8, Sendable {
        /// The route of the default ports.
        case computer
        case session
        /// A player or another part of the program that plays.
        case player
    }

    private let kind: Kind
    private let number: UInt64

    package init(_ number: UInt64, _ kind: Kind = .player) { (self.number, self.kind) = (number, kind) }

    package static let computer = FollowerID(0, .computer)

    package static func < (left: Self, right: Self) -> Bool {
        (left.kind.rawValue, left.number) < (right.kind.rawValue, right.number)
    }
}

/// An action after a change of routes. Actions are executed in order.
package enum RouteAction: Sendable, Hashable {
    /// Close the gate at once when one of these nodes is removed. Each action replaces the former
    /// nodes.
    case setGateTriggers(FollowerID, [ObjectID])
    /// Close the gate, because the output in use may be lost.
    case closeGate(FollowerID)
    /// Open the gate, because the output is not lost after all.
    case openGate(FollowerID)
    case becameNoisy(FollowerID, PortDescription, MonotonicTime)
    case routeChanged(FollowerID, RouteChange)
    /// The lost output is in use again before any other was. The event is sent after `becameNoisy`,
    /// in place of a change.
    case routeRegained(FollowerID)
    case availablePortsChanged
    /// Call ``RouteStateMachine/evaluate(graph:now:)`` after the preceding actions.
    ///
    /// Only the notification of available ports precedes it, because that need not wait for the
    /// evaluation of routes. It is always the last action.
    case evaluate
    /// Start this barrier, ``Barrier/routes`` or ``Barrier/ports``.
    case barrier(Barrier)
    /// Query the session manager's defaults again.
    case readDefaults
    /// Call ``RouteStateMachine/deadlinePassed(graph:now:)`` at ``RouteStateMachine/wakeTime``, and
    /// at no other time. The time is read when this action is executed, because earlier actions may
    /// change it.
    case wake
}

/// The actions of one evaluation, which are sorted so that gates precede events.
struct RouteActions {
    private var gates: [RouteAction] = []
    private var others: [RouteAction] = []
    var needsBarrier = false
    private var readsDefaults = false

    mutating func append(_ action: RouteAction) {
        switch action {
        case .closeGate: gates.append(action)
        case .readDefaults: readsDefaults = true
        default: others.append(action)
        }
    }

    /// Returns the actions in order.
    /// - Parameters:
    ///   - barrier: The barrier to start now.
    ///   - isWaking: Whether the deadline has changed.
    func inOrder(starting barrier: Barrier?, isWaking: Bool) -> [RouteAction] {
        var result = gates.isEmpty ? others : gates + others
        if let barrier { result.append(.barrier(barrier)) }
        if isWaking { result.append(.wake) }
        // The query may cause events synchronously.
        if readsDefaults { result.append(.readDefaults) }
        return result
    }
}
