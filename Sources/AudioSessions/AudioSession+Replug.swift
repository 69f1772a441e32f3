import AudioSessionCore
import PipeWireGraph

/// What becomes of a session whose output went, when that output is back.
extension AudioSession {
    /// The limit of ``setResumesOnReplug(_:within:)`` unless another is set.
    public static let usualReplugLimit = Duration.seconds(300)

    /// Whether the session is advised to go on when the output is back whose loss stopped it: off unless set here.
    ///
    /// The advice is ``AudioSessionEvent/resumeAdvice(reason:at:)``. It is given once, when sound goes to the very port again (its
    /// `uid` is the same) within the limit. Players follow it by themselves unless they were told to follow none
    /// (`AudioPlayer.Configuration.resumesAfterInterruption`). It is not given if meanwhile
    ///
    /// - somebody played, paused or stopped the session's sound, or it was activated anew or deactivated;
    /// - another program interrupted it and left without notice; during an interruption the advice waits for its end;
    /// - another loss stopped it: then that one counts;
    /// - an interruption has made it inactive, and by now another program has the sound;
    /// - PipeWire went away.
    ///
    /// Sessions that the loss does not stop (those that mix, calls) get none. Of a session without a player the library
    /// only knows that it was active: its program ignores the advice if it did not stop, or plays again.
    ///
    /// It is no part of the configuration: setting it activates nothing. Turned on, it counts from the next loss on;
    /// turned off, at once. Apple has no counterpart; there nothing goes on after a loss.
    /// - Parameters:
    ///   - resumes: whether the return is told at all.
    ///   - limit: how long after the loss the output may return; the computer's sleep counts. What is below zero is zero.
    public func setResumesOnReplug(_ resumes: Bool, within limit: Duration = AudioSession.usualReplugLimit) {
        let limit = max(limit, .zero)
        snapshot.withLock { snapshot in
            snapshot.resumesOnReplug = resumes
            snapshot.replugLimit = limit
        }
        receive(.resumesOnReplug(within: resumes ? limit : nil))
    }

    /// Set by ``setResumesOnReplug(_:within:)``.
    public nonisolated var resumesOnReplug: Bool { snapshot.withLock(\.resumesOnReplug) }

    /// How long after the loss of its output the output may return. Set by ``setResumesOnReplug(_:within:)``.
    public nonisolated var replugLimit: Duration { snapshot.withLock(\.replugLimit) }
}
