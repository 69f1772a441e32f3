/// Decides when a session that was stopped by the loss of its output is advised to go on, because that very output is
/// back. There is one for each session, and it advises only if it was asked to.
///
/// The loss arms it, and the return of the same port within the limit is advised once. A port is back when sound goes to
/// it again: one that is there, but not chosen, would let the session be heard elsewhere. Whatever shows another wish
/// meanwhile disarms it, as does an interruption whose author leaves without notice. An interruption that ends with
/// notice does not; a port that returned during it is advised at its end.
package struct ReplugStateMachine: Sendable {
    /// How long after the loss the port may return; `nil` if nobody asked for advice.
    package private(set) var limit: Duration?
    private var loss: Loss?
    private var isInterrupted = false

    private struct Loss: Sendable {
        var uid: String
        var time: MonotonicTime
        /// Time in which the computer slept since then.
        var sleep = Duration.zero
        /// In time, but while the session was interrupted.
        var isUndone = false
    }

    package enum Event: Sendable, Hashable {
        /// Whether to advise, from the next loss on, or not at all.
        case asked(within: Duration?)
        /// The loss of this port stopped the session.
        case stopped(byLossOf: String, at: MonotonicTime)
        /// Sound goes to these ports from now on.
        case moved(to: Set<String>, at: MonotonicTime)
        case interrupted
        /// The interruption is over, by no doing of the session's own.
        case freed(withNotice: Bool)
        /// The session was activated, which may have ended an interruption, or deactivated.
        case turned
        /// Somebody played, paused or stopped it, or PipeWire went.
        case overruled
        /// The computer slept, which times do not count.
        case slept(Duration)
    }

    package init() {}

    /// - Returns: whether to advise now.
    package mutating func receive(_ event: Event) -> Bool {
        switch event {
        case .asked(let limit):
            self.limit = limit
            if limit == nil { loss = nil }
        case .stopped(let uid, let time): loss = limit == nil ? nil : Loss(uid: uid, time: time)
        case .moved(let outputs, let time): return moved(to: outputs, time)
        case .interrupted: isInterrupted = true
        case .freed(let withNotice):
            isInterrupted = false
            if !withNotice { loss = nil }
            return advise()
        case .turned:
            isInterrupted = false
            loss = nil
        case .overruled: loss = nil
        case .slept(let duration): loss?.sleep += duration
        }
        return false
    }

    private mutating func moved(to outputs: Set<String>, _ time: MonotonicTime) -> Bool {
        guard let loss, let limit else { return false }
        guard outputs.contains(loss.uid) else {
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
