public import AudioSessionCore
import PipeWireGraph

/// The card's jacks, as a hand uses them.
extension VirtualCard {
    /// Puts something into a jack.
    ///
    /// - Parameter port: a ``VirtualCardDescription/Route/port``, or a route's name.
    /// - Returns: the moment just before PipeWire was told.
    @discardableResult
    public func plug(_ port: String) throws(TestKitError) -> MonotonicTime {
        try setAvailability(.yes, of: port)
    }

    /// Takes it out again.
    @discardableResult
    public func unplug(_ port: String) throws(TestKitError) -> MonotonicTime {
        try setAvailability(.no, of: port)
    }

    /// Has the card say whether something is in a jack; `unknown` as cards do that sense nothing.
    ///
    /// - Returns: the moment just before PipeWire was told.
    @discardableResult
    public func setAvailability(
        _ availability: VirtualCardDescription.Availability, of port: String
    ) throws(TestKitError) -> MonotonicTime {
        receive(.availability(try route(port), Availability(availability)))
    }

    /// Plugs and unplugs `times` times in all, beginning with the opposite of what is, as a worn jack does.
    ///
    /// - Returns: after the last of them, with the moment just before it was sent.
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
            let bounce = Bounce(route: route, rest: times, interval: interval, answer: continuation)
            bouncing = bounce
            bounce.timer = LoopTimer(on: executor) { [weak self] in self?.assumeIsolated { $0.flip() } }
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
            bouncing.timer?.arm(after: bouncing.interval)
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

/// A jack that is being bounced.
final class Bounce {
    let route: Int
    var rest: Int
    let interval: Duration
    let answer: CheckedContinuation<Result<MonotonicTime, TestKitError>, Never>
    var timer: LoopTimer?

    init(
        route: Int, rest: Int, interval: Duration,
        answer: CheckedContinuation<Result<MonotonicTime, TestKitError>, Never>
    ) {
        self.route = route
        self.rest = rest
        self.interval = interval
        self.answer = answer
    }
}
