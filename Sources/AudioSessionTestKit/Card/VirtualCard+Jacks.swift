public import AudioSessionCore
import PipeWireGraph

/// Control of the card's jacks, as a user plugs and unplugs them.
extension VirtualCard {
    /// Plugs something into a jack.
    ///
    /// - Parameter port: a ``VirtualCardDescription/Route/port``, or a route's name.
    /// - Returns: the moment just before the message to PipeWire was sent.
    /// - Throws: ``TestKitError`` with code `unknownRoute` if the card has no such route, or the
    ///   error that ended the card.
    @discardableResult
    public func plug(_ port: String) throws(TestKitError) -> MonotonicTime {
        try setAvailability(.yes, of: port)
    }

    /// Unplugs something from a jack.
    ///
    /// - Parameter port: a ``VirtualCardDescription/Route/port``, or a route's name.
    /// - Returns: the moment just before the message to PipeWire was sent.
    /// - Throws: ``TestKitError`` with code `unknownRoute` if the card has no such route, or the
    ///   error that ended the card.
    @discardableResult
    public func unplug(_ port: String) throws(TestKitError) -> MonotonicTime {
        try setAvailability(.no, of: port)
    }

    /// Sets the availability that the card reports for a jack.
    ///
    /// - Parameters:
    ///   - availability: the availability; `unknown` is the value of cards without jack detection.
    ///   - port: a ``VirtualCardDescription/Route/port``, or a route's name.
    /// - Returns: the moment just before the message to PipeWire was sent.
    /// - Throws: ``TestKitError`` with code `unknownRoute` if the card has no such route, or the
    ///   error that ended the card.
    @discardableResult
    public func setAvailability(
        _ availability: VirtualCardDescription.Availability, of port: String
    ) throws(TestKitError) -> MonotonicTime {
        receive(.availability(try route(port), Availability(availability)))
    }

    /// Plugs and unplugs a jack repeatedly, like a worn jack, and returns after the last change.
    ///
    /// - Parameters:
    ///   - port: a ``VirtualCardDescription/Route/port``, or a route's name.
    ///   - times: the number of changes. The first one inverts the current state.
    ///   - interval: the time between two changes.
    /// - Returns: the moment just before the last message to PipeWire was sent.
    /// - Throws: ``TestKitError`` with one of these codes, or the error that ended the card:
    ///   `unknownRoute` if the card has no such route, `invalidDescription` while another jack
    ///   bounces, `cannotStart` without resources for a timer.
    @discardableResult
    public func bounce(
        _ port: String, times: Int, every interval: Duration
    ) async throws(TestKitError) -> MonotonicTime {
        let route = try route(port)
        guard times > 0 else { return .now }
        let outcome: Result<MonotonicTime, TestKitError> = await withCheckedContinuation { continuation in
            guard bouncing == nil else {
                let error = TestKitError(
                    .invalidDescription, "\(port) cannot bounce", why: "another jack is bouncing",
                    remedy: "Wait until that call has returned.")
                return continuation.resume(returning: .failure(error))
            }
            guard let timer = LoopTimer(on: executor, fired: { [weak self] in self?.assumeIsolated { $0.flip() } })
            else { return continuation.resume(returning: .failure(.withoutTimer("\(port) cannot bounce"))) }
            bouncing = Bounce(route: route, rest: times, interval: interval, timer: timer, answer: continuation)
            flip()
        }
        return try outcome.get()
    }

    private func flip() {
        guard let bouncing else { return }
        let isIn = machine.availability(of: bouncing.route) == .yes
        let time = receive(.availability(bouncing.route, isIn ? .no : .yes))
        bouncing.rest -= 1
        if bouncing.rest > 0 {
            bouncing.timer.arm(after: bouncing.interval)
        } else {
            finishBounce(.success(time))
        }
    }

    func finishBounce(_ result: Result<MonotonicTime, TestKitError>) {
        bouncing?.answer.resume(returning: result)
        bouncing = nil
    }

    private func route(_ port: String) throws(TestKitError) -> Int {
        try check()
        if let index = description.routes.firstIndex(where: { $0.port == port || $0.name == port }) { return index }
        throw TestKitError(
            .unknownRoute, "Nothing can be done with \"\(port)\"", why: "the card has no such port",
            remedy: "It has \(description.routes.map(\.port).joined(separator: ", ")).")
    }
}

/// A jack that currently bounces.
final class Bounce {
    let route: Int
    var rest: Int
    let interval: Duration
    let timer: LoopTimer
    let answer: CheckedContinuation<Result<MonotonicTime, TestKitError>, Never>

    init(
        route: Int, rest: Int, interval: Duration, timer: LoopTimer,
        answer: CheckedContinuation<Result<MonotonicTime, TestKitError>, Never>
    ) {
        self.route = route
        self.rest = rest
        self.interval = interval
        self.timer = timer
        self.answer = answer
    }
}
