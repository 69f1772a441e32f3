package import AudioSessionCore
import CPipeWireShim

/// A `Session` object of this process, which PipeWire publishes with its properties. It is created,
/// used and released on the loop's thread.
package final class ExportedSessionObject {
    private let object: ShimObject<Void>

    private static let events = cpw_session_object_events(failed: { user, _, _ in ShimObject<Void>.deliver(user, ()) }
    )

    /// Exports a session object with its properties.
    ///
    /// - Parameter failed: Called on the loop's thread if the daemon does not register the object.
    package init(
        _ properties: Properties, over connection: Connection, failed: @escaping () -> Void
    ) throws(PipeWireError) {
        object = try ShimObject(
            over: connection, during: .exportingSessionObject, receive: failed,
            destroy: { cpw_session_object_destroy($0) }
        ) { user, code in
            withProperties(properties.pairs) { properties, count in
                var events = Self.events
                return cpw_session_object_create(connection.handle, properties, count, &events, user, &code)
            }
        }
    }
}

extension Connection {
    /// The kind of object that announcements use on this connection, known from the first barrier
    /// on.
    package var carrier: Announcement.Carrier { cpw_connection_has_session_objects(handle) ? .session : .device }
}
