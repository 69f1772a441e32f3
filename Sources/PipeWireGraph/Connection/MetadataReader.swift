import AudioSessionCore
import CPipeWireShim

/// Reads a metadata object that another program keeps, over a connection that serves nothing else.
///
/// The daemon does not listen to whoever binds such an object before that other program has answered; never again, if it
/// goes without an answer. A session manager that waits for one of our streams answers nothing, and our streams answer
/// nothing over a connection that is not listened to: over one and the same, both would wait for ever, and with them
/// everybody who asks the session manager for anything. (Seen with PipeWire 0.3.65; 1.4 does the same.)
final class MetadataReader {
    private let handle: OpaquePointer
    private let handler: Handler
    private let executor: LoopExecutor
    /// Whether something waited for it in vain. Nothing waits again before it has answered.
    var isLate = false

    private final class Handler {
        let decoder: GraphDecoder
        var isLoaded = false
        var isOver = false
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
            if !handler.isOver { handler.decoder.metadataChanged(id, subject: subject, key: key, value: value) }
        },
        done: { Handler.of($0).done($1) },
        failed: { context, _, _ in Handler.of(context).cancel() })

    /// - Parameters:
    ///   - other: the connection that told of the object.
    ///   - decoder: is told what the object says.
    ///   - loaded: called when the object has reported all that it sets.
    /// - Returns: `nil` if there can be no further connection; then nobody knows what the object says.
    init?(
        _ id: ObjectID, _ options: Connection.Options, beside other: OpaquePointer, _ decoder: GraphDecoder,
        on executor: LoopExecutor, _ loaded: @escaping () -> Void
    ) {
        let handler = Handler(decoder)
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
        executor.end { [executor, handle, handler] in
            cpw_connection_destroy(handle)
            withExtendedLifetime((executor, handler)) {}
        }
    }

    /// Whether the other program has answered.
    var isLoaded: Bool { handler.isLoaded && !handler.isOver }

    /// Calls `passed` when everything has been told that the daemon had to tell of the object by now, or will not be.
    func sync(_ passed: @escaping () -> Void) {
        if handler.isOver { return passed() }
        handler.wait(for: cpw_connection_sync(handle), passed)
    }

    /// Nothing more is told; who waits need not wait any longer.
    func cancel() { handler.cancel() }
}
