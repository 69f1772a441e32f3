package import AudioSessionCore
import CPipeWireShim

/// A node that exists as long as this object and its connection. Created, used and released on the
/// loop's thread.
package protocol OwnNode: AnyObject {
    /// Sets the node's own mixer, with the same linear volume for all channels. Does nothing if the
    /// node was removed.
    func setVolume(_ volume: Float, isMuted: Bool)
}

/// An event of a node of this process.
package enum OwnNodeEvent: Sendable, Hashable {
    /// The daemon registered the node.
    case bound(ObjectID)
    /// The daemon removed the node.
    case removed
    /// The daemon did not create the node, or refused a later request.
    case failed(String)

    static let shim = cpw_own_object_events(
        bound: { ShimObject<OwnNodeEvent>.deliver($0, .bound(ObjectID($1))) },
        removed: { ShimObject<OwnNodeEvent>.deliver($0, .removed) },
        failed: { ShimObject<OwnNodeEvent>.deliver($0, .failed(String(foreign: $2))) })
}
