/// What a session notifies its listeners of, in the order in which it happens.
public enum AudioSessionEvent: Sendable, Hashable {
    /// The session's ``AudioSession/state`` is another one.
    case stateChanged(AudioSessionState)
    /// Another session took over. The session's players are silent already.
    case interruptionBegan(reason: InterruptionReason, by: AudioSessionCause, at: MonotonicTime)
    /// No other session interrupts this one any more. With `shouldResume` the turn is kept for 3 seconds for ``AudioSession/activate(_:)``.
    case interruptionEnded(options: InterruptionOptions, at: MonotonicTime)
    /// Others lower this session's sound to `gain`, or no longer do (`gain` 1). Silent mode lowers it to 0, without a
    /// cause.
    case ducking(gain: Float, by: [AudioSessionCause])
    /// The output that the sound went to is gone. Comes before ``routeChanged(_:)``, and not to sessions that mix nor
    /// to calls, which go on elsewhere.
    case becameNoisy(PortDescription, at: MonotonicTime)
    /// ``AudioSession/currentRoute`` is another one: the session's sound goes, or comes from, elsewhere. Or category, mode or
    /// options changed while the session was active, and the ports are the same.
    case routeChanged(RouteChange)
    /// Something that silenced the session is over, and it may be heard again; its turn is not kept for it. Only if
    /// it was asked for: see ``AudioSession/setResumesOnReplug(_:within:)``.
    case resumeAdvice(reason: ResumeAdviceReason, at: MonotonicTime)
    /// Only while the session is active.
    case silenceSecondaryAudioHint(SilenceSecondaryAudioHintType)
    /// The volume of the output in use, or its mute: the user moved it, or sound goes to another output. Never told for
    /// what a session does; what others lower it to is ``ducking(gain:by:)``.
    case outputVolumeChanged(previous: OutputVolume, current: OutputVolume)
    /// The gain of the input in use changed, by this program or another.
    case inputGainChanged(previous: Float, current: Float)
    /// Sample rate, I/O buffer, latencies or channels are others than before; a latency by a millisecond at least.
    /// Comes before the ``routeChanged(_:)`` that it belongs to. The library's players and recorders go on in the
    /// format that they have.
    case hardwareFormatChanged(previous: HardwareFormat, current: HardwareFormat)
    /// PipeWire is gone. The session keeps its place, its players are silent, and ``AudioSession/activate(_:)`` fails
    /// until it is back.
    case mediaServicesLost
    /// PipeWire is back: the session has its place again, and is what it was. Its players start nothing by themselves.
    case mediaServicesReset
}
