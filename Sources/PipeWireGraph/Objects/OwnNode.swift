package import AudioSessionCore
import CPipeWireShim

/// A node that is there for as long as somebody holds this and the connection lives. To be made, used and dropped on the
/// loop's thread.
package protocol OwnNode: AnyObject {
    /// Sets the node's own mixer, all channels alike; `volume` is linear. Nothing happens if the node is gone.
    func setVolume(_ volume: Float, isMuted: Bool)
}

package enum OwnNodeEvent: Sendable, Hashable {
    case bound(ObjectID)
    /// The daemon destroyed the node.
    case removed
    /// The daemon did not make the node, or refused something later.
    case failed(String)

    static let shim = cpw_node_events(
        bound: { ShimObject<OwnNodeEvent>.deliver($0, .bound(ObjectID($1))) },
        removed: { ShimObject<OwnNodeEvent>.deliver($0, .removed) },
        failed: { ShimObject<OwnNodeEvent>.deliver($0, .failed(String(cString: $2))) })
}
