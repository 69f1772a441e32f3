import AudioSessionCore
import CPipeWireShim

/// Reads a metadata object of another program, over a connection that has no other purpose.
///
/// After a client binds such an object, the daemon reads nothing from it until the other program
/// has answered, or forever if that program never answers. A session manager that waits for one of
/// our streams answers nothing, and our streams cannot answer over a connection that is not read.
/// With one connection for both, the two programs would wait for each other forever (PipeWire
/// 0.3.65 and 1.4).
final class MetadataReader {
    private let handle: OpaquePointer
    private let handler: Handler
    private let executor: LoopExecutor
    /// Whether a wait for the reader timed out. Barriers do not wait for it again until it has
    /// answered.
    var isLate = false

    private final class Handler {
        let decoder: GraphDecoder
        var isLoaded = false
        var isOver = false
        /// Called when the connection was lost.
        var lost: () -> Void = {}
        private var waiting: [(sequence: Int32, passed: () -> Void)] = []

        init(_ decoder: GraphDecoder) { self.decoder = decoder }

        static func of(_ context: UnsafeMutableRawPointer) -> Handler {
            Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
        }

        func wait(for sequence: Int32, _ passed: @escaping () -> Void) { waiting.append((sequence, passed)) }

        func done(_ sequence: Int32) {
            guard let index = waiting.firstIndex(where: { $0.sequence == sequence }) else { return }
            waiting.remove(at: index).passed()
        }

        func cancel() {
            isOver = true
            let waiting = waiting
            self.waiting = []
            for entry in waiting { entry.passed() }
        }
    }

    private static let events = cpw_connection_events(
        global: { _, _, _, _, _ in },
        global_removed: { _, _ in },
        properties: { _, _, _, _, _ in },
        node_state: { _, _, _ in },
        node_mute: { _, _, _ in },
        node_volumes: { _, _, _, _ in },
        params_begin: { _, _, _ in },
        profile: { _, _, _, _ in },
        route: { _, _, _, _ in },
        params_end: { _, _, _ in },
        metadata: { context, id, subject, key, _, value in
            let handler = Handler.of(context)
            handler.decoder.countEvent()
            if !handler.isOver { handler.decoder.metadataChanged(ObjectID(id), subject: subject, key, value) }
        },
        done: { Handler.of($0).done($1) },
        failed: { context, _, _ in
            let handler = Handler.of(context)
            handler.cancel()
            handler.lost()
        })

    /// Connects and binds the object.
    ///
    /// - Parameters:
    ///   - other: The connection that reported the object.
    ///   - decoder: Receives the object's properties.
    ///   - loaded: Called when the object has sent all properties that are set.
    ///   - lost: Called when the connection was lost, which then reads nothing more.
    /// - Returns: `nil` if no further connection can be made. The properties stay unknown then.
    init?(
        _ id: ObjectID, _ options: Connection.Options, beside other: OpaquePointer, _ decoder: GraphDecoder,
        on executor: LoopExecutor, loaded: @escaping () -> Void, lost: @escaping () -> Void
    ) {
        let handler = Handler(decoder)
        handler.lost = lost
        var code: Int32 = 0
        let handle = options.withShim { options in
            var events = Self.events
            return cpw_connection_create_sibling(
                other, &options, &events, Unmanaged.passUnretained(handler).toOpaque(), &code)
        }
        guard let handle else { return nil }
        (self.handle, self.handler, self.executor) = (handle, handler, executor)
        _ = cpw_connection_bind_only(handle, id.rawValue, CPW_OBJECT_METADATA)
        sync { [handler] in
            guard !handler.isOver else { return }
            handler.isLoaded = true
            loaded()
        }
    }

    deinit {
        handler.cancel()
        handler.lost = {}
        executor.end { [executor, handle, handler] in
            cpw_connection_destroy(handle)
            withExtendedLifetime((executor, handler)) {}
        }
    }

    /// Whether the object has sent all its properties.
    var isLoaded: Bool { handler.isLoaded && !handler.isOver }

    /// Calls `passed` when all properties that are set by now have been received, or cannot be any
    /// more.
    func sync(_ passed: @escaping () -> Void) {
        if handler.isOver { return passed() }
        handler.wait(for: cpw_connection_sync(handle), passed)
    }

    /// Ends all events, and passes all waiting syncs.
    func cancel() { handler.cancel() }
}
