/// The watchdog of the cards that this process switches, and the commands that wait for it.
///
/// A watchdog takes some time to start. A card is switched only once the watchdog can switch it
/// back, because the program may be killed at any time. After a failed start, which takes some
/// seconds, commands do not wait for the next one.
package struct CardProtection: Sendable {
    package enum Action: Sendable, Hashable {
        /// Start a watchdog, and call ``started(_:isSwitching:)``.
        case start
        /// Replace the watchdog's orders.
        case restoreAtExit([CardRestoreOrder])
        /// Release the watchdog, which has nothing to do.
        case end
        case perform([GraphCommand])
    }

    private enum Watchdog {
        case none
        case starting(waiting: [GraphCommand])
        case running
    }

    private var watchdog = Watchdog.none
    /// Whether the last start has failed.
    private var hasFailed = false
    /// The orders of the watchdog.
    package private(set) var orders: [CardRestoreOrder] = []

    package init() {}

    /// Whether there is neither an order nor a watchdog.
    package var isIdle: Bool {
        guard case .none = watchdog else { return false }
        return orders.isEmpty
    }

    /// Sets the watchdog's orders, and then sends the commands that they undo.
    package mutating func set(_ new: [CardRestoreOrder], before commands: [GraphCommand]) -> [Action] {
        let hasChanged = new != orders
        orders = new
        switch watchdog {
        case .starting(let waiting):
            guard !hasFailed else { return [.perform(commands)] }
            watchdog = .starting(waiting: waiting + commands)
            return []
        case .none:
            guard hasChanged, !new.isEmpty else { return [.perform(commands)] }
            watchdog = .starting(waiting: hasFailed ? [] : commands)
            return hasFailed ? [.start, .perform(commands)] : [.start]
        case .running:
            if new.isEmpty { watchdog = .none }
            return (hasChanged ? [.restoreAtExit(new)] : []) + (new.isEmpty ? [.end] : []) + [.perform(commands)]
        }
    }

    /// Handles the end of a start.
    /// - Parameters:
    ///   - isRunning: Whether there is a watchdog. Cards are switched without one too.
    ///   - isSwitching: Whether any session still needs a switched card. Otherwise the waiting
    ///     commands cancel one another out.
    package mutating func started(_ isRunning: Bool, isSwitching: Bool) -> [Action] {
        guard case .starting(let waiting) = watchdog else { return [] }
        hasFailed = !isRunning
        watchdog = isRunning && !orders.isEmpty ? .running : .none
        let order: Action = orders.isEmpty ? .end : .restoreAtExit(orders)
        return isSwitching ? [order, .perform(waiting)] : [order]
    }
}
