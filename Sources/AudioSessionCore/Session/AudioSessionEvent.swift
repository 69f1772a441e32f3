/// An event of a session. Listeners receive events in the order in which they happen.
public enum AudioSessionEvent: Sendable, Hashable {
    /// The session's ``AudioSession/state`` has changed.
    case stateChanged(AudioSessionState)
    /// Another session interrupted this one, whose players are already silent.
    case interruptionBegan(reason: InterruptionReason, by: AudioSessionCause, at: MonotonicTime)
    /// The interruption has ended. With `shouldResume`, the session keeps its claim for 3 seconds,
    /// until ``AudioSession/activate(_:)``.
    case interruptionEnded(options: InterruptionOptions, at: MonotonicTime)
    /// The gain that the program must apply has changed, with the sessions that duck this one.
    /// Without ducking it is 1; silent mode sets it to 0 without a cause.
    case ducking(gain: Float, by: [AudioSessionCause])
    /// The output in use was lost. The event is sent before ``routeChanged(_:)``, but not to
    /// sessions that mix or to calls, because those continue on another output.
    case becameNoisy(PortDescription, at: MonotonicTime)
    /// ``AudioSession/currentRoute`` has changed, or category, mode or options of the active
    /// session did while its ports stayed.
    case routeChanged(RouteChange)
    /// The output whose loss stopped the session is available again, so it may resume. It holds no
    /// claim meanwhile. The event is sent only after
    /// ``AudioSession/setResumesOnReplug(_:within:)``.
    case resumeAdvice(reason: ResumeAdviceReason, at: MonotonicTime)
    /// Another program's primary audio began or ended. The event is sent only to active sessions.
    case silenceSecondaryAudioHint(SilenceSecondaryAudioHintType)
    /// The volume or mute of the current output has changed, because the user set it or the route
    /// changed. Ducking does not change it; see ``ducking(gain:by:)``.
    case outputVolumeChanged(previous: OutputVolume, current: OutputVolume)
    /// The gain of the current input has changed, by this program or another.
    case inputGainChanged(previous: Float, current: Float)
    /// Sample rate, I/O buffer, channels or latencies have changed, latencies by a millisecond or
    /// more.
    ///
    /// The event is sent before the ``routeChanged(_:)`` that belongs to it. The library's players
    /// and recorders keep their own format.
    case hardwareFormatChanged(previous: HardwareFormat, current: HardwareFormat)
    /// The connection to PipeWire was lost. The session keeps its place, its players are silent,
    /// and ``AudioSession/activate(_:)`` fails until ``mediaServicesReset``.
    case mediaServicesLost
    /// PipeWire is connected again. The session has its place and its state again, but its players
    /// do not start by themselves.
    case mediaServicesReset
}
