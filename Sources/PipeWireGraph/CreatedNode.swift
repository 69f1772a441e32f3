package import AudioSessionCore
import CPipeWireShim
import Glibc

/// A node that the daemon runs for this process. To be made, used and dropped on the loop's thread.
package final class CreatedNode {
    private let handle: OpaquePointer
    private let context: Unmanaged<Handler>
    // The daemon's node goes with its connection.
    private let connection: Connection

    package enum Event: Sendable, Hashable {
        case bound(ObjectID)
        /// The daemon destroyed the node.
        case removed
        /// The daemon did not make the node, or refused something later.
        case failed(String)
    }

    private final class Handler {
        var receive: (Event) -> Void
        init(_ receive: @escaping (Event) -> Void) { self.receive = receive }

        static func of(_ context: UnsafeMutableRawPointer) -> Handler {
            Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
        }
    }

    private static let events = cpw_node_events(
        bound: { Handler.of($0).receive(.bound(ObjectID($1))) },
        removed: { Handler.of($0).receive(.removed) },
        failed: { Handler.of($0).receive(.failed(String(cString: $2))) })

    /// - Parameter receive: called on the loop's thread. It may drop the node at `removed`, at nothing else.
    package init(
        factory: String = "adapter", properties: [(String, String)], over connection: Connection,
        receive: @escaping (Event) -> Void
    ) throws(PipeWireError) {
        self.connection = connection
        let context = Unmanaged.passRetained(Handler(receive))
        var code: Int32 = 0
        let handle = withProperties(properties) { properties, count -> OpaquePointer? in
            guard let properties else {
                code = -EINVAL  // a factory makes nothing out of nothing
                return nil
            }
            var events = Self.events
            return cpw_node_create(
                connection.handle, factory, properties, count, &events, context.toOpaque(), &code)
        }
        guard let handle else {
            context.release()
            throw PipeWireError(code: code, during: .creatingNode)
        }
        self.handle = handle
        self.context = context
    }

    deinit {
        context.takeUnretainedValue().receive = { _ in }
        connection.executor.end { [handle, context, connection] in
            cpw_node_destroy(handle)
            context.release()
            withExtendedLifetime(connection) {}
        }
    }

    /// Sets the node's own mixer; `volume` is linear. Nothing happens if the node is gone.
    package func setVolume(_ volume: Float, channels: Int, isMuted: Bool) {
        _ = cpw_node_set_volume(handle, volume, UInt32(clamping: channels), isMuted)
    }
}
