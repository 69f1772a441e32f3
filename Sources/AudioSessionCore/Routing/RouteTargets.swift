/// The port of one direction that a follower's route has while none of its streams runs.
package enum RouteTarget: Sendable, Hashable {
    /// The category has no sound of this direction.
    case unused
    /// The session manager's default.
    case systemDefault
    /// This port, or the session manager's default while the port is not available.
    case port(PortDescription)

    /// - Parameter isAllowed: whether the session's category has sound of the direction.
    package init(_ selection: PortSelection?, isAllowed: Bool) {
        guard isAllowed else {
            self = .unused
            return
        }
        switch selection?.choice.reason {
        case nil, .systemDefault, .preferredMissing: self = .systemDefault
        default: self = selection?.choice.port.map(Self.port) ?? .systemDefault
        }
    }
}

/// The targets of both directions.
package struct RouteTargets: Sendable, Hashable {
    package var output: RouteTarget
    package var input: RouteTarget

    /// Without arguments: the default of both directions, as in the computer's own route.
    package init(output: RouteTarget = .systemDefault, input: RouteTarget = .systemDefault) {
        (self.output, self.input) = (output, input)
    }

    package subscript(direction: PortDirection) -> RouteTarget { direction == .output ? output : input }
}
