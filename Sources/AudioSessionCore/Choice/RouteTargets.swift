/// The port of one direction that a follower's route has while none of its streams runs.
package enum RouteTarget: Sendable, Hashable {
    /// The category does not use this direction.
    case unused
    /// The session manager's default.
    case systemDefault
    /// This port, or the session manager's default while the port is not available.
    case port(PortDescription)

    /// Makes the target of a selection.
    /// - Parameter isAllowed: Whether the session's category uses the direction.
    package init(_ selection: PortSelection?, isAllowed: Bool) {
        guard isAllowed else {
            self = .unused
            return
        }
        switch selection?.choice.reason {
        case nil, .preferredMissing: self = .systemDefault
        // A session that allows no Bluetooth requests the default by name, and stays there.
        case .systemDefault where selection?.target == nil: self = .systemDefault
        default: self = selection?.choice.port.map(Self.port) ?? .systemDefault
        }
    }

    /// The port that the program chose; `nil` for the default.
    var chosen: PortDescription? { if case .port(let port) = self { port } else { nil } }
}

/// The targets of both directions.
package struct RouteTargets: Sendable, Hashable {
    package var output: RouteTarget
    package var input: RouteTarget

    /// Makes targets. Without arguments both directions have the default.
    package init(output: RouteTarget = .systemDefault, input: RouteTarget = .systemDefault) {
        (self.output, self.input) = (output, input)
    }

    package subscript(direction: PortDirection) -> RouteTarget { direction == .output ? output : input }
}
