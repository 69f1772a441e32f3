/// An input of a route's follower. The manager sends it on the loop's thread, inside the callback
/// of the event.
package enum RouteInput: Sendable, Hashable {
    /// The removal of one of these nodes is to close the gate inside PipeWire's callback.
    case gateTriggers([ObjectID])
    /// The output in use may be lost, so the gate is to be closed.
    case endangered
    /// The output is not lost after all: a profile was switched, or the session manager restarted.
    case kept
    /// The output in use is lost. The event is sent after `endangered`, before the `changed` that
    /// belongs to it.
    case becameNoisy(PortDescription, at: MonotonicTime)
    case changed(RouteChange)
    /// The participant's route, as the answer to ``ParticipantRequest/setStreams(_:)`` and
    /// ``ParticipantRequest/retarget(_:)``.
    case routed(RouteDescription)
    /// A stream of any program was linked to an output.
    case linked(ObjectID)
    /// The session manager disappeared with all links, or has returned.
    case sessionManager(isThere: Bool)
    /// The recorded input, or its mute, may have changed.
    case inputChanged
    /// The observed input, as the answer to ``ParticipantRequest/observeInput(of:former:)``.
    case inputObserved(InputObservation)
    /// The program has muted or unmuted its input.
    case inputMuted(Bool)
}
