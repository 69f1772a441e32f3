/// What a participant asks of the manager, which sends its answer as a ``RouteInput`` before the call returns.
package enum ParticipantRequest: Sendable, Hashable {
    /// Follow the route of the participant's session.
    case follow
    case unfollow
    /// The session may have other targets.
    /// - Parameter reason: of the route change that follows; `nil`: the one that the routes show.
    case retarget(RouteChangeReason?)
    /// Set the nodes of the participant's running streams.
    case setStreams(Set<ObjectID>)
    /// Send ``RouteInput/inputChanged`` and ``RouteInput/inputMuted(_:)``, now and at every change; or no longer.
    case followInputs(Bool)
    /// Find out what a stream records from.
    /// - Parameters:
    ///   - stream: the node that records; `nil` while it is not known.
    ///   - former: what it recorded from until now.
    case observeInput(of: ObjectID?, former: PortDescription?)
}
