import CPipeWireShim

/// A node that the daemon runs for this process.
package final class CreatedNode: OwnNode {
    private let object: ShimObject<OwnNodeEvent>
    private let channels: UInt32

    /// Creates the node in the daemon.
    ///
    /// - Parameters:
    ///   - channels: The number of channels of the node's mixer.
    ///   - receive: Called on the loop's thread. It may release the node at `removed` only.
    package init(
        properties: [(String, String)], channels: Int, over connection: Connection,
        receive: @escaping (OwnNodeEvent) -> Void
    ) throws(PipeWireError) {
        self.channels = UInt32(clamping: channels)
        object = try ShimObject(
            over: connection, during: .creatingNode, receive: receive, destroy: { cpw_node_destroy($0) }
        ) { user, code in
            withProperties(properties) { properties, count in
                var events = OwnNodeEvent.shim
                return cpw_node_create(connection.handle, "adapter", properties, count, &events, user, &code)
            }
        }
    }

    package func setVolume(_ volume: Float, isMuted: Bool) {
        _ = cpw_node_set_volume(object.handle, volume, channels, isMuted)
    }
}
