/// The state machine that decides when a session receives advice to resume because a lost output
/// has returned. Each session has one.
///
/// A loss that stops the session arms it, and the return of the same output within the limit is
/// advised once. An output, identified by its ``PortDescription/outputID``, has returned when it is
/// in the route again, because otherwise the session would be heard on another one. Whatever shows
/// another intention disarms it, and so does an interruption that ends without notice. An
/// interruption that ends with notice does not; an output that returned during it is advised at its
/// end.
package struct ReplugStateMachine: Sendable {
    /// The time after the loss within which the output may return; `nil` without advice.
    package private(set) var limit: Duration?
    private var loss: Loss?
    private var isInterrupted = false

    private struct Loss: Sendable {
        var output: String
        var time: MonotonicTime
        /// The time that the computer has slept since the loss.
        var sleep = Duration.zero
        /// Whether the output returned in time, but during an interruption.
        var isUndone = false
    }

    package enum Event: Sendable, Hashable {
        /// The limit for advice was set, which applies from the next loss on; `nil` turns advice
        /// off.
        case asked(within: Duration?)
        /// The loss of this output stopped the session.
        case stopped(byLossOf: String, at: MonotonicTime)
        /// The route has these outputs from now on.
        case moved(to: Set<String>, at: MonotonicTime)
        case interrupted
        /// The interruption has ended without an action of the session.
        case ended(withNotice: Bool)
        /// The session was activated, which may have ended an interruption, or deactivated.
        case activationChanged
        /// The user or the program played, paused or stopped the session, or PipeWire was lost.
        case overruled
        /// The computer has slept, which the times do not count.
        case slept(Duration)
    }

    package init() {}

    /// Receives an event of the session.
    /// - Returns: Whether to send the advice now.
    package mutating func receive(_ event: Event) -> Bool {
        switch event {
        case .asked(let limit):
            self.limit = limit
            if limit == nil { loss = nil }
        case .stopped(let output, let time): loss = limit == nil ? nil : Loss(output: output, time: time)
        case .moved(let outputs, let time): return moved(to: outputs, time)
        case .interrupted: isInterrupted = true
        case .ended(let withNotice):
            isInterrupted = false
            if !withNotice { loss = nil }
            return advise()
        case .activationChanged:
            isInterrupted = false
            loss = nil
        case .overruled: loss = nil
        case .slept(let duration): loss?.sleep += duration
        }
        return false
    }

    private mutating func moved(to outputs: Set<String>, _ time: MonotonicTime) -> Bool {
        guard let loss, let limit else { return false }
        guard outputs.contains(loss.output) else {
            self.loss?.isUndone = false
            return false
        }
        guard loss.isUndone || time.since(loss.time) + loss.sleep <= limit else {
            self.loss = nil
            return false
        }
        self.loss?.isUndone = true
        return advise()
    }

    private mutating func advise() -> Bool {
        guard !isInterrupted, loss?.isUndone == true else { return false }
        loss = nil
        return true
    }
}
