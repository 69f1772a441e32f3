import CPipeWireShim

/// The owner of an object of the shim that sends events: a stream, a node or a device of this
/// process. It is created, used and released on the loop's thread.
final class ShimObject<Event> {
    let handle: OpaquePointer
    private let handler: Unmanaged<Handler>
    private let destroy: (OpaquePointer) -> Void
    private let isStream: Bool
    // The daemon removes the object with its connection.
    private let connection: Connection

    private final class Handler {
        var receive: (Event) -> Void
        init(_ receive: @escaping (Event) -> Void) { self.receive = receive }
    }

    /// Creates the object, and passes its events to `receive` until this owner is released.
    /// - Parameters:
    ///   - isStream: Whether it is a stream, which callbacks of the connection may destroy.
    ///   - create: Creates the object for the shim's `user`, and stores an error in `code`.
    init(
        over connection: Connection, during operation: PipeWireError.Operation, isStream: Bool = false,
        receive: @escaping (Event) -> Void, destroy: @escaping (OpaquePointer) -> Void,
        create: (_ user: UnsafeMutableRawPointer, _ code: inout Int32) -> OpaquePointer?
    ) throws(PipeWireError) {
        let handler = Unmanaged.passRetained(Handler(receive))
        var code: Int32 = 0
        guard let handle = create(handler.toOpaque(), &code) else {
            handler.release()
            throw PipeWireError(code: code, during: operation)
        }
        self.handle = handle
        self.handler = handler
        self.destroy = destroy
        self.isStream = isStream
        self.connection = connection
    }

    /// The object is destroyed after the current callback, which may be its own.
    deinit {
        handler.takeUnretainedValue().receive = { _ in }
        connection.executor.end(ofStream: isStream) { [handle, handler, destroy, connection] in
            destroy(handle)
            handler.release()
            withExtendedLifetime(connection) {}
        }
    }

    /// Delivers an event from a callback of the shim, which has the object's `user`.
    static func deliver(_ user: UnsafeMutableRawPointer, _ event: Event) {
        Unmanaged<Handler>.fromOpaque(user).takeUnretainedValue().receive(event)
    }
}
