import AudioSessionCore
import PipeWireGraph

extension AudioSessionManager {
    /// What the manager waits for.
    enum TimerID: Sendable {
        /// A deadline of the routes.
        case routes
        /// The answer of a PipeWire that was reached.
        case connecting
        /// The next attempt to reach PipeWire.
        case retry
        /// A PipeWire that runs, for the caller of ``connect(_:)``.
        case opening
        /// A deadline of arbitration.
        case board
        /// The end of the time in which streams of a program that left do not count.
        case departure
        case questions
        /// Numbers of running streams.
        case sound
        /// The session manager, while it restores numbers.
        case restoring
        /// The end of a sleep that was announced.
        case sleep
        case cards
    }

    /// - Returns: whether the system has a timer for it.
    func makeTimer(_ id: TimerID) -> Bool {
        guard !isClosed else { return false }
        if timers[id] == nil {
            timers[id] = environment.makeTimer { [weak self] in self?.assumeIsolated { $0.fired(id) } }
        }
        return timers[id] != nil
    }

    @discardableResult
    func arm(_ id: TimerID, after duration: Duration) -> Bool {
        guard makeTimer(id) else { return false }
        timers[id]?.arm(after: max(.zero, duration))
        return true
    }

    /// - Parameter time: `nil` disarms the timer.
    func arm(_ id: TimerID, at time: MonotonicTime?) {
        guard let time else { return disarm(id) }
        arm(id, after: time.since(environment.now()))
    }

    func disarm(_ id: TimerID) { timers[id]?.disarm() }

    private func fired(_ id: TimerID) {
        switch id {
        case .routes: deadlinePassed()
        case .connecting: connectingTimedOut()
        case .retry: reconnect(.due)
        case .opening: openingTimedOut()
        case .board: tell(.deadline)
        case .departure: updateStreaming()
        case .questions: tell(questions: .deadline)
        case .sound: lookAtSoundAgain()
        case .restoring: releaseNumbers()
        case .sleep: endSleep()
        case .cards: reviewCards()
        }
    }
}
