/// Decides when the watchdog receives the streams that it restores.
///
/// An order with different streams is sent at once, because the writes to them follow. One that
/// only has different volumes waits, because a program can change its volumes at any rate, and an
/// order has all streams.
package struct WatchdogOrders: Sendable {
    package typealias Charges = [UnmanagedStreams.Charge]

    /// The time for which an order that only has different volumes waits.
    package static let delay = Duration.milliseconds(20)

    package enum Event: Sendable {
        case changed(Charges)
        /// The time of ``Action/wait`` has passed.
        case timer
    }

    package enum Action: Sendable, Hashable {
        case send(Charges)
        /// Report ``Event/timer`` after ``WatchdogOrders/delay``.
        case wait
    }

    /// The streams of the last order, by their serials.
    private var serials: [ObjectID: String] = [:]
    /// The order that is not sent yet.
    private var delayed: Charges?
    private var isWaiting = false

    package init() {}

    package mutating func receive(_ event: Event) -> [Action] {
        switch event {
        case .changed(let charges):
            guard serials == Self.serials(of: charges) else { return send(charges) }
            delayed = charges
            defer { isWaiting = true }
            return isWaiting ? [] : [.wait]
        case .timer:
            isWaiting = false
            guard let delayed else { return [] }
            return send(delayed)
        }
    }

    private mutating func send(_ charges: Charges) -> [Action] {
        (serials, delayed) = (Self.serials(of: charges), nil)
        return [.send(charges)]
    }

    private static func serials(of charges: Charges) -> [ObjectID: String] {
        Dictionary(charges.map { ($0.id, $0.serial) }) { $1 }
    }
}
