/// Decides when the watchdog receives the streams that it restores.
///
/// Other streams are sent at once, because the writes to them follow. Other volumes of the same
/// streams wait, because a program can change its volumes at any rate, and an order has all
/// streams. An order that the watchdog has no room for is sent again.
package struct WatchdogOrders: Sendable {
    package typealias Charges = [UnmanagedStreams.Charge]

    /// The time until an order is sent that is not sent at once.
    package static let delay = Duration.milliseconds(20)
    /// The limit of attempts to send one order. The watchdog may be stopped.
    static let attempts = 50

    package enum Event: Sendable {
        case changed(Charges)
        /// The answer to ``Action/send(_:)``.
        case sent(Bool)
        /// The time of ``Action/wait`` has passed.
        case timer
    }

    package enum Action: Sendable, Hashable {
        case send(Charges)
        /// Report ``Event/timer`` after ``WatchdogOrders/delay``.
        case wait
    }

    /// The streams of the last order that was sent, by their serials.
    private var serials: [ObjectID: String] = [:]
    /// The order that is not sent yet.
    private var pending: Charges?
    private var failures = 0
    private var isWaiting = false

    package init() {}

    package mutating func receive(_ event: Event) -> [Action] {
        switch event {
        case .changed(let charges):
            (pending, failures) = (charges, 0)
            return serials == Self.serials(of: charges) ? wait() : [.send(charges)]
        case .sent(true):
            if let pending { serials = Self.serials(of: pending) }
            pending = nil
            return []
        case .sent(false):
            failures += 1
            return failures < Self.attempts ? wait() : []
        case .timer:
            isWaiting = false
            guard let pending else { return [] }
            return [.send(pending)]
        }
    }

    private mutating func wait() -> [Action] {
        defer { isWaiting = true }
        return isWaiting ? [] : [.wait]
    }

    private static func serials(of charges: Charges) -> [ObjectID: String] {
        Dictionary(charges.map { ($0.id, $0.serial) }) { $1 }
    }
}
