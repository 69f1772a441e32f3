/// A participant's request to the manager, which answers with a ``RouteInput`` before the call
/// returns.
package enum ParticipantRequest: Sendable, Hashable {
    /// Follow the route of the participant's session.
    case follow
    case unfollow
    /// Apply the session's targets, which may have changed.
    /// - Parameter reason: The reason of the route change that follows; `nil` derives it from the
    ///   routes.
    case retarget(RouteChangeReason?)
    /// Set the nodes of the participant's running streams.
    case setStreams(Set<ObjectID>)
    /// Start or stop sending ``RouteInput/inputChanged`` and ``RouteInput/inputMuted(_:)``. The
    /// current values are sent at the start.
    case followInputs(Bool)
    /// Observe the input of a stream.
    /// - Parameters:
    ///   - stream: The node of the stream; `nil` if it is not known yet.
    ///   - former: The previously observed port.
    case observeInput(of: ObjectID?, former: PortDescription?)
}
