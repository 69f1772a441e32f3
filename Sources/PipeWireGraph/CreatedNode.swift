package import AudioSessionCore
import CPipeWireShim
import Glibc

/// A node that the daemon runs for this process. To be made, used and dropped on the loop's thread.
package final class CreatedNode {
    private let object: ShimObject<Event>

    package enum Event: Sendable, Hashable {
        case bound(ObjectID)
        /// The daemon destroyed the node.
        case removed
        /// The daemon did not make the node, or refused something later.
        case failed(String)
    }

    private static let events = cpw_node_events(
        bound: { ShimObject<Event>.tell($0, .bound(ObjectID($1))) },
        removed: { ShimObject<Event>.tell($0, .removed) },
        failed: { ShimObject<Event>.tell($0, .failed(String(cString: $2))) })

    /// - Parameter receive: called on the loop's thread. It may drop the node at `removed`, at nothing else.
    package init(
        factory: String = "adapter", properties: [(String, String)], over connection: Connection,
        receive: @escaping (Event) -> Void
    ) throws(PipeWireError) {
        object = try ShimObject(
            over: connection, during: .creatingNode, receive: receive, destroy: { cpw_node_destroy($0) }
        ) { user, code in
            withProperties(properties) { properties, count -> OpaquePointer? in
                guard let properties else {
                    code = -EINVAL  // a factory makes nothing out of nothing
                    return nil
                }
                var events = Self.events
                return cpw_node_create(connection.handle, factory, properties, count, &events, user, &code)
            }
        }
    }

    /// Sets the node's own mixer; `volume` is linear. Nothing happens if the node is gone.
    package func setVolume(_ volume: Float, channels: Int, isMuted: Bool) {
        _ = cpw_node_set_volume(object.handle, volume, UInt32(clamping: channels), isMuted)
    }
}
