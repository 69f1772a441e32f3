import CPipeWireShim

/// Something of the shim's that calls back for as long as it has an owner: a stream, a node or a device of our own.
/// To be made, used and dropped on the loop's thread.
final class ShimObject<Event> {
    let handle: OpaquePointer
    private let handler: Unmanaged<Handler>
    private let destroy: (OpaquePointer) -> Void
    // The daemon's part of it goes with its connection.
    private let connection: Connection

    private final class Handler {
        var receive: (Event) -> Void
        init(_ receive: @escaping (Event) -> Void) { self.receive = receive }
    }

    /// - Parameter create: given the shim's `user`, and where to put what went wrong.
    init(
        over connection: Connection, during operation: PipeWireError.Operation,
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
        self.connection = connection
    }

    /// Whoever calls back may be the very object that goes.
    deinit {
        handler.takeUnretainedValue().receive = { _ in }
        connection.executor.end { [handle, handler, destroy, connection] in
            destroy(handle)
            handler.release()
            withExtendedLifetime(connection) {}
        }
    }

    /// For the shim's callbacks, which have its `user`.
    static func deliver(_ user: UnsafeMutableRawPointer, _ event: Event) {
        Unmanaged<Handler>.fromOpaque(user).takeUnretainedValue().receive(event)
    }
}
