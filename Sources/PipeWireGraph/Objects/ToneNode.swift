import CPipeWireShim

/// A source of this process that plays a tone of 440 Hz at full scale, the same on every channel.
package final class ToneNode: OwnNode {
    private let object: ShimObject<OwnNodeEvent>

    /// Creates a source with these properties.
    ///
    /// - Parameters:
    ///   - channels: 1 to 8, with the channel positions of cards.
    ///   - receive: Called on the loop's thread. It may release the node.
    package init(
        properties: [(String, String)], channels: Int, over connection: Connection,
        receive: @escaping (OwnNodeEvent) -> Void
    ) throws(PipeWireError) {
        object = try ShimObject(
            over: connection, during: .creatingNode, receive: receive, destroy: { cpw_tone_destroy($0) }
        ) { user, code in
            withProperties(properties) { properties, count in
                var events = OwnNodeEvent.shim
                return cpw_tone_create(
                    connection.handle, properties, count, UInt32(clamping: channels), &events, user, &code)
            }
        }
    }

    package func setVolume(_ volume: Float, isMuted: Bool) { _ = cpw_tone_set_volume(object.handle, volume, isMuted) }
}
