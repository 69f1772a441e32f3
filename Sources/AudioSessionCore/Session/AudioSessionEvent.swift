/// An event of a session. Listeners receive events in the order in which they happen.
@nonexhaustive
public enum AudioSessionEvent: Sendable, Hashable {
    /// The session's ``AudioSession/state`` has changed.
    case stateChanged(AudioSessionState, at: MonotonicTime)
    /// Another session interrupted this one, whose players are already silent.
    case interruptionBegan(reason: InterruptionReason, by: AudioSessionPeer, at: MonotonicTime)
    /// The interruption has ended. With `shouldResume`, the session holds its claim for 3 seconds:
    /// call ``AudioSession/activate()`` within that time. Without it, the session is inactive.
    case interruptionEnded(options: InterruptionOptions, at: MonotonicTime)
    /// The gain that the program must apply has changed, with the sessions that duck this one.
    /// Without ducking it is 1; silent mode sets it to 0 without a peer.
    case ducking(gain: Float, by: [AudioSessionPeer], at: MonotonicTime)
    /// ``AudioSession/silenceReasons`` has changed. The event follows the one that caused the
    /// change, if there is one.
    case silenceReasonsChanged([AudioSessionSilenceReason], at: MonotonicTime)
    /// The output in use was lost. The event is sent before ``routeChanged(_:)``, but not to
    /// sessions that mix or to calls, because those continue on another output. Inactive sessions
    /// receive it only while they hold a claim after ``interruptionEnded(options:at:)``.
    ///
    /// A program that renders by itself stops its sound, and calls ``AudioSession/activate()`` when
    /// the user plays again.
    case becameNoisy(PortDescription, at: MonotonicTime)
    /// ``AudioSession/currentRoute`` has changed, or category, mode or options of the active
    /// session did while its ports stayed.
    case routeChanged(RouteChange)
    /// The output whose loss stopped the session is available again, so it may resume. It holds no
    /// claim meanwhile. The event is sent only after
    /// ``AudioSessionConfiguration/resumesOnReplug``.
    case resumeAdvice(reason: ResumeAdviceReason, at: MonotonicTime)
    /// Another program's primary audio began or ended. The event is sent only to active sessions.
    case silenceSecondaryAudioHint(SilenceSecondaryAudioHintType, at: MonotonicTime)
    /// The volume or mute of the current output has changed, because the user set it or the route
    /// changed. Ducking does not change it; see ``ducking(gain:by:at:)``.
    case outputVolumeChanged(previous: OutputVolume, current: OutputVolume, at: MonotonicTime)
    /// The gain of the current input has changed, by this program or another.
    case inputGainChanged(previous: Float, current: Float, at: MonotonicTime)
    // Indirect, because it is rare and three times as large as the largest other event.
    /// Sample rate, I/O buffer, channels or latencies have changed, latencies by a millisecond or
    /// more.
    ///
    /// The event is sent before the ``routeChanged(_:)`` that belongs to it. The library's players
    /// and recorders keep their own format.
    indirect case hardwareFormatChanged(previous: HardwareFormat, current: HardwareFormat, at: MonotonicTime)
    /// The connection to PipeWire was lost. The session keeps its place, its players are silent,
    /// and ``AudioSession/activate()`` fails until ``mediaServicesReset(at:)``.
    case mediaServicesLost(at: MonotonicTime)
    /// PipeWire is connected again. The session has its place and its state again, but its players
    /// do not start by themselves.
    case mediaServicesReset(at: MonotonicTime)
}
