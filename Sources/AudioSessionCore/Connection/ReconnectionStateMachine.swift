/// The state machine that decides when to connect to PipeWire again, after a loss or before
/// PipeWire runs.
///
/// It connects when the socket is created, and also at growing intervals. A socket can return
/// unnoticed, for example if a service manager listens in the daemon's place. The intervals of
/// different programs differ, so that they do not connect at the same time.
package struct ReconnectionStateMachine: Sendable {
    private var interval = Limits.first
    /// The owner makes the first connection itself.
    private var state = State.connecting

    private enum State: Sendable {
        /// Connected, or closed permanently.
        case idle
        case waiting
        /// A connection exists, but not all of its objects are known.
        case connecting
    }

    package enum Input: Sendable {
        /// The connection was lost and is to be made again.
        case lost
        /// A file was created at the socket's path.
        case socketAppeared
        /// The interval of the last action has passed.
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
        /// The delay between the creation of a socket and a process that listens on it.
        static let first = Duration.milliseconds(10)
        static let longest = Duration.seconds(2)
    }

    package init() {}

    /// Receives an input, and returns the action that follows.
    /// - Parameter chance: A random number from 0 to 1, which varies the interval.
    package mutating func receive(_ input: Input, chance: Double) -> Action? {
        switch (input, state) {
        case (.lost, _):
            interval = Limits.first
            return wait(chance)
        case (.socketAppeared, .waiting):
            interval = Limits.first
            return connect()
        case (.due, .waiting): return connect()
        case (.failed, .connecting): return wait(chance)
        case (.connected, _), (.closed, _):
            state = .idle
            return .rest
        case (.socketAppeared, .idle), (.socketAppeared, .connecting), (.due, .idle), (.due, .connecting),
            (.failed, .idle), (.failed, .waiting):
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
