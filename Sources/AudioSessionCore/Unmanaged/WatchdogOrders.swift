/// Decides when the watchdog receives the streams that it restores.
///
/// Orders for other streams than before are sent at once, because the writes to them follow. Orders
/// that differ only in volumes are delayed, because a program can change its volumes at any rate,
/// and each message has the orders of all streams. Urgent orders are delayed as well, because the
/// watchdog has to be started first, and the writes would wait for that.
package struct WatchdogOrders: Sendable {
    package typealias Orders = [UnmanagedStreams.RestoreOrder]

    /// The delay of orders that are urgent, or differ only in volumes.
    package static let delay = Duration.milliseconds(20)

    package enum Event: Sendable {
        /// The orders have changed. `isUrgent`: their writes must not wait for the watchdog's
        /// start.
        case changed(Orders, isUrgent: Bool = false)
        /// The time of ``Action/wait`` has passed.
        case timer
    }

    package enum Action: Sendable, Hashable {
        case send(Orders)
        /// Report ``Event/timer`` after ``WatchdogOrders/delay``.
        case wait
    }

    /// The streams of the last orders, with their serials.
    private var serials: [ObjectID: String] = [:]
    /// The orders that are not sent yet.
    private var delayed: Orders?
    private var isWaiting = false

    package init() {}

    package mutating func receive(_ event: Event) -> [Action] {
        switch event {
        case .changed(let orders, let isUrgent):
            guard isUrgent || serials == Self.serials(of: orders) else { return send(orders) }
            delayed = orders
            defer { isWaiting = true }
            return isWaiting ? [] : [.wait]
        case .timer:
            isWaiting = false
            guard let delayed else { return [] }
            return send(delayed)
        }
    }

    private mutating func send(_ orders: Orders) -> [Action] {
        (serials, delayed) = (Self.serials(of: orders), nil)
        return [.send(orders)]
    }

    private static func serials(of orders: Orders) -> [ObjectID: String] {
        Dictionary(orders.map { ($0.id, $0.serial) }) { $1 }
    }
}
