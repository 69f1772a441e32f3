import AudioSessionCore
import PipeWireGraph

/// Advice to resume when a lost output becomes available again.
extension AudioSession {
    /// The default limit of ``setResumesOnReplug(_:within:)``.
    public static let usualReplugLimit = Duration.seconds(300)

    /// Sets whether the session receives ``AudioSessionEvent/resumeAdvice(reason:at:)`` when the
    /// output whose loss stopped it becomes available again. It is off by default.
    ///
    /// The advice is sent once, when the route has the same port again (the same `uid`) within the
    /// limit. Players follow it unless `AudioPlayer.Configuration.resumesAfterInterruption` is
    /// false. The event is not sent if any of these happened since the loss:
    ///
    /// - The user or the program played, paused or stopped the session's sound, or activated or
    ///   deactivated the session.
    /// - Another program interrupted the session and left without notifying others. During an
    ///   interruption the advice waits for its end.
    /// - Another loss stopped the session. The later loss then counts.
    /// - An interruption made the session inactive, and another program is active now.
    /// - PipeWire was lost.
    ///
    /// Sessions that a loss does not stop (mixing sessions and calls) receive no advice. For a
    /// session without a player, the library only knows that it was active. Its program ignores the
    /// advice if it did not stop, or has started to play again.
    ///
    /// This setting is not part of the configuration and activates nothing. Turning it on applies
    /// from the next loss; turning it off applies at once. Apple has no counterpart: there, no
    /// sound resumes after a loss.
    /// - Parameters:
    ///   - resumes: Whether to send the advice.
    ///   - limit: The maximum time between the loss and the return of the output, including time in
    ///     which the computer sleeps. Negative values count as zero.
    public func setResumesOnReplug(_ resumes: Bool, within limit: Duration = AudioSession.usualReplugLimit) {
        let limit = max(limit, .zero)
        snapshot.withLock { snapshot in
            snapshot.resumesOnReplug = resumes
            snapshot.replugLimit = limit
        }
        receive(.resumesOnReplug(within: resumes ? limit : nil))
    }

    /// Whether the session receives advice to resume when a lost output returns. It is set by
    /// ``setResumesOnReplug(_:within:)``.
    public nonisolated var resumesOnReplug: Bool { snapshot.withLock(\.resumesOnReplug) }

    /// The time after the loss of an output within which its return leads to advice. It is set by
    /// ``setResumesOnReplug(_:within:)``.
    public nonisolated var replugLimit: Duration { snapshot.withLock(\.replugLimit) }
}
