/// Decides when the watchdog receives the streams that it restores.
///
/// Orders for other streams are sent at once, because the writes to them follow. Orders that only
/// have other volumes wait, because a program can change its volumes at any rate, and each message
/// has the orders of all streams.
package struct WatchdogOrders: Sendable {
    package typealias Orders = [UnmanagedStreams.RestoreOrder]

    /// The time for which orders that only have other volumes wait.
    package static let delay = Duration.milliseconds(20)

    package enum Event: Sendable {
        case changed(Orders)
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
        case .changed(let orders):
            guard serials == Self.serials(of: orders) else { return send(orders) }
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
