import AudioSessionCore

/// The manager's state of the computer's sleep.
struct SleepPart {
    /// Whether a sleep was announced and its end was not.
    var isAsleep = false
    /// As last read; `nil` before the first event.
    var sleptTime: Duration?
}

extension AudioSessionManager {
    /// Limit for the announcement of a sleep's end. Time in which the computer sleeps does not count.
    private static let sleepLimit = Duration.seconds(30)
    /// Two readings of two clocks differ by less.
    private static let leastSleep = Duration.milliseconds(500)

    /// Whether any session plays or records.
    package var isSounding: Bool { !soundingSessions.isEmpty }

    /// Whether a sleep was announced and its end was not.
    package var isAsleep: Bool { sleep.isAsleep }

    /// Limit for the sound that is on its way to the hardware when the gates close.
    private static let longestRest = Duration.milliseconds(40)

    /// Silences all streams, because the computer is about to sleep, until ``endSleep()``.
    ///
    /// - Returns: how long what was played before is still heard. Hardware may play what it holds after the sleep.
    @discardableResult
    package func beginSleep() -> Duration {
        guard !isClosed else { return .zero }
        defer { silence() }
        // One cycle is played while the next one is filled.
        let sounding = liveSessions.filter { soundingSessions.contains($0.token) }
        return min((sounding.map(\.ioBufferDuration).max() ?? .zero) * 2, Self.longestRest)
    }

    private func silence() {
        arm(.sleep, after: Self.sleepLimit)
        guard !sleep.isAsleep else { return }
        sleep.isAsleep = true
        perform(machine.sleep(now: environment.now()))
    }

    /// Lets the streams whose output is still there be heard again.
    package func endSleep() {
        disarm(.sleep)
        guard sleep.isAsleep else { return }
        sleep.isAsleep = false
        noteSleptTime()
        machine.noteWake(now: environment.now())
        perform(machine.wake(now: environment.now()))
    }

    /// Finds out whether the computer slept since the last event, before the present one is evaluated.
    func noteSleptTime() {
        let time = environment.sleptTime()
        guard let last = sleep.sleptTime else {
            sleep.sleptTime = time
            return
        }
        guard time - last >= Self.leastSleep else { return }
        sleep.sleptTime = time
        tellSessions(.slept(time - last))
        machine.noteWake(now: environment.now())
    }
}
