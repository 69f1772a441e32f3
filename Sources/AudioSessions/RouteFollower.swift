package import AudioSessionCore

/// A part of this process that plays or records, and is told by the manager what becomes of its route.
///
/// The manager calls it on the PipeWire loop, synchronously from the callback that brought the news, so that sound
/// stops before anything else happens. An implementation does its work at once and never blocks.
package protocol RouteFollower: AnyObject, Sendable {
    /// When one of these nodes goes, nothing more is to be heard, from the very callback on that brings the news.
    func guardNodes(_ nodes: [ObjectID])
    /// The output in use may be gone: let nothing more be heard.
    func closeGate()
    /// It is not gone after all (a profile was switched, the session manager restarted): go on.
    func openGate()
    /// The output in use is gone. Comes after `closeGate`, before the `routeChanged` that belongs to it.
    func becameNoisy(_ lost: PortDescription, at time: MonotonicTime)
    func routeChanged(_ change: RouteChange)
    /// A stream is linked to an output, anybody's.
    func streamLinked(_ node: ObjectID)
    /// The session manager is gone, or there is one again. All links were its own.
    func sessionManagerChanged(isThere: Bool)
    /// The connection to PipeWire is dead; streams over it have to be dropped before this returns.
    func connectionLost()
}
