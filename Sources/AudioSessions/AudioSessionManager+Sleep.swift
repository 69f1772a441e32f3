import AudioSessionCore
import PipeWireGraph

extension AudioSessionManager {
    /// The limit for the announcement of a sleep's end. Time in which the computer sleeps does not
    /// count.
    private static let sleepLimit = Duration.seconds(30)
    /// The least difference of the two clocks that counts as a sleep.
    private static let minimumSleep = Duration.milliseconds(500)

    /// Whether a sleep of the computer was announced and has not ended.
    package nonisolated var isAsleep: Bool { snapshot.withLock(\.isAsleep) }

    /// Whether any session plays or records.
    package var isSounding: Bool { !soundingSessions.isEmpty }

    /// The limit for the sound that is on its way to the hardware when the gates close.
    private static let pendingSoundLimit = Duration.milliseconds(40)

    /// Silences all streams until ``endSleep()``, because the computer is about to sleep.
    ///
    /// - Returns: How long earlier sound is still heard. Hardware may play the rest of its buffer
    ///   after the sleep.
    @discardableResult
    package func beginSleep() -> Duration {
        guard !isClosed else { return .zero }
        defer { silence() }
        // While one cycle is played, the next one is filled.
        let sounding = liveSessions.filter { soundingSessions.contains($0.id) }
        return min((sounding.map(\.ioBufferDuration).max() ?? .zero) * 2, Self.pendingSoundLimit)
    }

    private func silence() {
        arm(.sleep, after: Self.sleepLimit)
        guard !isAsleep else { return }
        snapshot.withLock { $0.isAsleep = true }
        perform(model.sleep(now: now))
    }

    /// Opens the gates of the streams whose output is still available.
    package func endSleep() {
        disarm(.sleep)
        guard isAsleep else { return }
        snapshot.withLock { $0.isAsleep = false }
        noteSleptTime()
        model.noteWake(now: now)
        perform(model.wake(now: now))
    }

    /// Detects whether the computer slept since the last event, before the current one is
    /// evaluated.
    func noteSleptTime() {
        let time = environment.sleptTime()
        guard let last = sleptTime else {
            sleptTime = time
            return
        }
        guard time - last >= Self.minimumSleep else { return }
        sleptTime = time
        sendToSessions(.slept(time - last))
        model.noteWake(now: now)
    }
}
