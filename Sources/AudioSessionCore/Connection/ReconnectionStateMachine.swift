/// When to try to reach PipeWire again, after it went or before it came.
///
/// At every sign of life, and besides at growing intervals: sockets also come back unseen, as when a service manager
/// listens in the daemon's place. The intervals of different programs differ, lest all of them come at once.
package struct ReconnectionStateMachine: Sendable {
    private var interval = Limits.first
    /// The first connection is made by whoever makes this.
    private var state = State.connecting

    private enum State: Sendable {
        /// Connected, or not to be.
        case idle
        case waiting
        /// A connection is made, but not everything on the machine is known.
        case connecting
    }

    package enum Input: Sendable {
        /// There is no PipeWire, and there is to be one.
        case lost
        /// Something was made where the socket is to be.
        case stirred
        /// The time that was asked for has passed.
        case due
        case failed
        case connected
        case closed
    }

    package enum Action: Sendable, Hashable {
        case connect
        case wait(Duration)
        case rest
    }

    private enum Limits {
        /// From the making of a socket until somebody listens to it.
        static let first = Duration.milliseconds(10)
        static let longest = Duration.seconds(2)
    }

    package init() {}

    /// - Parameter chance: any number from 0 to 1.
    package mutating func receive(_ input: Input, chance: Double) -> Action? {
        switch (input, state) {
        case (.lost, _):
            interval = Limits.first
            return wait(chance)
        case (.stirred, .waiting):
            interval = Limits.first
            return connect()
        case (.due, .waiting): return connect()
        case (.failed, .connecting): return wait(chance)
        case (.connected, _), (.closed, _):
            state = .idle
            return .rest
        case (.stirred, .idle), (.stirred, .connecting), (.due, .idle), (.due, .connecting), (.failed, .idle),
            (.failed, .waiting):
            return nil
        }
    }

    private mutating func connect() -> Action {
        state = .connecting
        return .connect
    }

    private mutating func wait(_ chance: Double) -> Action {
        state = .waiting
        defer { interval = min(interval * 2, Limits.longest) }
        let spread = chance.isNaN ? 0.5 : min(max(chance, 0), 1)
        return .wait(interval * (0.75 + 0.5 * spread))
    }
}
