/// What a follower's sound of one direction is to be heard on, or recorded from, while none of its streams runs.
package enum RouteTarget: Sendable, Hashable {
    /// It has no sound of that direction.
    case none
    /// What the session manager chooses.
    case systemDefault
    /// This port; what the session manager chooses while it cannot be used.
    case port(PortDescription)

    /// - Parameter isAllowed: whether the session's category has sound of the direction.
    package init(_ selection: PortSelection?, isAllowed: Bool) {
        guard isAllowed else {
            self = .none
            return
        }
        switch selection?.choice.reason {
        case nil, .systemDefault, .preferredMissing: self = .systemDefault
        default: self = selection?.choice.port.map(Self.port) ?? .systemDefault
        }
    }
}

/// What a follower asks for.
package struct RouteTargets: Sendable, Hashable {
    package var output: RouteTarget
    package var input: RouteTarget

    /// As the machine's own route.
    package init(output: RouteTarget = .systemDefault, input: RouteTarget = .systemDefault) {
        (self.output, self.input) = (output, input)
    }

    package subscript(direction: PortDirection) -> RouteTarget { direction == .output ? output : input }
}
