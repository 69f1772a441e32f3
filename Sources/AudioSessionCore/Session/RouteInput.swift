/// What the manager tells a follower of a route. It comes on the loop's thread, inside the callback that brought the event.
package enum RouteInput: Sendable, Hashable {
    /// When one of these nodes disappears, the gate closes inside PipeWire's callback.
    case gateTriggers([ObjectID])
    /// The output in use may be lost: close the gate.
    case endangered
    /// The output is not lost after all: a profile was switched, or the session manager restarted.
    case kept
    /// The output in use is lost. Comes after `endangered`, before the `changed` that belongs to it.
    case becameNoisy(PortDescription, at: MonotonicTime)
    case changed(RouteChange)
    /// Answers ``ParticipantRequest/setStreams(_:)``: the route of these streams.
    case routed(RouteDescription)
    /// A stream, of any program, is linked to an output.
    case linked(ObjectID)
    /// The session manager disappeared, and with it all links, or there is one again.
    case sessionManager(isThere: Bool)
    /// What is recorded, or whether it is muted, may be another.
    case inputChanged
    /// Answers ``ParticipantRequest/observeInput(of:former:)``.
    case inputObserved(InputObservation)
    /// The program mutes its input, or no longer does.
    case inputMuted(Bool)
    /// The connection to PipeWire is lost. Streams over it have to be dropped before the call returns.
    case connectionLost
}
