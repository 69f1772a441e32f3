/// Names what a route is followed for.
package struct FollowerID: Hashable, Sendable, Comparable {
    /// In ascending order: parts that play are thought about first, for nothing may delay the closing of a gate.
    package enum Kind: UInt8, Sendable {
        /// Where sound goes that asks for nothing special.
        case machine
        case session
        /// A part of the program that plays.
        case player
    }

    private let kind: Kind
    private let number: UInt64

    package init(_ number: UInt64, _ kind: Kind = .player) { (self.number, self.kind) = (number, kind) }

    package static let machine = FollowerID(0, .machine)

    package static func < (left: Self, right: Self) -> Bool {
        (left.kind.rawValue, left.number) < (right.kind.rawValue, right.number)
    }
}

/// What is to be done about a change of routes, in this order.
package enum RouteAction: Sendable, Hashable {
    /// Should one of these nodes go, close the gate at once, without asking; until the next such action.
    case setGateTriggers(FollowerID, [ObjectID])
    /// The output in use may be gone: let nothing more be heard.
    case closeGate(FollowerID)
    /// It is not gone after all.
    case openGate(FollowerID)
    case becameNoisy(FollowerID, PortDescription, MonotonicTime)
    case routeChanged(FollowerID, RouteChange)
    /// After `becameNoisy`, in place of a change: what was lost is in use again before anything else was.
    case routeRegained(FollowerID)
    case availablePortsChanged
    /// Call ``RouteStateMachine/look(graph:now:)`` when what stands before it is done: the list of ports, and nothing else, which
    /// need not wait until somebody has thought about routes. Always the last.
    case look
    /// Ask PipeWire for ``Barrier/routes``.
    case barrier
    /// Ask the session manager once more what sounds by default.
    case readDefaults
    /// Call ``RouteStateMachine/deadlinePassed(graph:now:)`` at ``RouteStateMachine/wakeTime``, and at no other time. It is looked up
    /// when this is done, for what was done before it may have asked for another.
    case wake
}

/// What is to be done, put in order as it is found out: gates before events.
struct RouteActions {
    private var gates: [RouteAction] = []
    private var others: [RouteAction] = []
    private(set) var needsBarrier = false
    private var readsDefaults = false

    mutating func append(_ action: RouteAction) {
        switch action {
        case .closeGate: gates.append(action)
        case .barrier: needsBarrier = true
        case .readDefaults: readsDefaults = true
        default: others.append(action)
        }
    }

    /// - Parameters:
    ///   - isAsking: whether to ask for the barrier now.
    ///   - isWaking: whether to wait until another time than before.
    func inOrder(isAsking: Bool, isWaking: Bool) -> [RouteAction] {
        var result = gates.isEmpty ? others : gates + others
        if isAsking { result.append(.barrier) }
        if isWaking { result.append(.wake) }
        // It may bring news at once.
        if readsDefaults { result.append(.readDefaults) }
        return result
    }
}
