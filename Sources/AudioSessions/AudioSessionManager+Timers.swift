import AudioSessionCore
import PipeWireGraph

extension AudioSessionManager {
    /// The timers of a manager.
    enum TimerID: Sendable, CaseIterable {
        /// A deadline of the route state machine.
        case routes
        /// The deadline for the first answer of a daemon to which the manager has connected.
        case connecting
        /// The next attempt to connect to PipeWire.
        case retry
        /// The deadline of ``connect(_:)`` for a daemon that does not run yet.
        case opening
        /// A deadline of arbitration.
        case arbitration
        /// The end of the period in which streams of a program that left do not count.
        case departure
        case questions
        /// The next reading of the numbers of running streams.
        case sound
        /// The deadline of a session manager that restores numbers.
        case restoring
        /// The deadline for the end of an announced sleep.
        case sleep
        case cards
    }

    /// Makes a timer if there is none yet.
    /// - Returns: Whether the system granted the timer.
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

    /// Arms a timer; `nil` disarms it.
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
        case .arbitration: send(.deadline)
        case .departure: updateOtherAudio()
        case .questions: send(questions: .deadline)
        case .sound: soundUpdateDue()
        case .restoring: releaseNumbers()
        case .sleep:
            endSleep()
            // The sleep inhibitor reads the end of the sleep on this event.
            soundingChanges.send(isSounding)
        case .cards: reviewCards()
        }
    }
}
