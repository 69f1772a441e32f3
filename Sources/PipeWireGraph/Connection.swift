package import AudioSessionCore
import CPipeWireShim

/// One client's connection to a PipeWire daemon. To be made, used and dropped on the loop's thread.
///
/// Every call of `receive` and `failed` comes on that thread, synchronously from PipeWire's own callback.
package final class Connection {
    package let executor: LoopExecutor
    let handle: OpaquePointer
    private let decoder: GraphDecoder
    private var barriers: [Int32: [Barrier]] = [:]

    package struct Options: Sendable {
        /// Name or absolute path of the daemon's socket; `nil` as the environment says.
        package var remote: String?
        package var applicationName: String?

        package init(remote: String? = nil, applicationName: String? = nil) {
            self.remote = remote
            self.applicationName = applicationName
        }
    }

    package init(
        _ options: Options, on executor: LoopExecutor, receive: @escaping (GraphEvent) -> Void = { _ in },
        failed: @escaping (String) -> Void = { _ in }
    ) throws(PipeWireError) {
        self.executor = executor
        decoder = GraphDecoder(receive: receive, failed: failed)
        var code: Int32 = 0
        let handle = Self.connect(options, on: executor, decoder, &code)
        guard let handle else { throw PipeWireError(code: code, during: .connecting) }
        self.handle = handle
        decoder.done = { [unowned self] in self.done($0) }
    }

    deinit {
        decoder.mute()
        executor.end { [executor, handle, decoder] in
            cpw_connection_destroy(handle)
            withExtendedLifetime((executor, decoder)) {}
        }
    }

    /// Starts telling of the daemon's objects.
    package func watch() throws(PipeWireError) {
        let code = cpw_connection_watch(handle)
        guard code >= 0 else { throw PipeWireError(code: code, during: .watching) }
    }

    /// Known from the first barrier on.
    package var identity: ConnectionIdentity {
        ConnectionIdentity(
            cookie: cpw_connection_cookie(handle), client: ObjectID(cpw_connection_client(handle)))
    }

    package func perform(_ command: GraphCommand) {
        switch command {
        case .bind(let id, let type):
            // An object that went in the meantime cannot be bound; its disappearance is told like any other.
            _ = cpw_connection_bind(handle, id.rawValue, type.shim)
        case .watchMute(let id):
            _ = cpw_connection_watch_mute(handle, id.rawValue)
        case .setSilentMode(let isOn, let settings):
            let (type, value) = (SilentMode.valueType, SilentMode.value(isOn))
            // What the daemon refuses it does not tell, and is found out by that.
            withOptionalCString(value) { value in
                _ = cpw_connection_set_metadata(handle, settings.rawValue, SilentMode.key, type, value)
            }
        case .setRoute(let device, let index, let number):
            // A device that went meanwhile is told like any other, and one that does not obey is seen not to.
            _ = cpw_connection_set_route(
                handle, device.rawValue, Int32(clamping: index), Int32(clamping: number))
        case .setProfile(let device, let index):
            _ = cpw_connection_set_profile(handle, device.rawValue, Int32(clamping: index))
        case .setRouteVolumes(let device, let index, let number, let volumes):
            let (index, number) = (Int32(clamping: index), Int32(clamping: number))
            _ = cpw_connection_set_route_volumes(handle, device.rawValue, index, number, volumes, volumes.count)
        case .setNodeVolumes(let node, let volumes):
            _ = cpw_connection_set_node_volumes(handle, node.rawValue, volumes, volumes.count)
        case .barrier(let barrier):
            barriers[cpw_connection_sync(handle), default: []].append(barrier)
        }
    }

    private func done(_ sequence: Int32) {
        for barrier in barriers.removeValue(forKey: sequence) ?? [] { decoder.receive(.barrier(barrier)) }
    }

    private static func connect(
        _ options: Options, on executor: LoopExecutor, _ decoder: GraphDecoder, _ code: inout Int32
    ) -> OpaquePointer? {
        withOptionalCString(options.remote) { remote in
            withOptionalCString(options.applicationName) { name in
                var raw = cpw_connection_options(remote: remote, application_name: name)
                var events = GraphDecoder.events
                return cpw_connection_create(
                    executor.loop, &raw, &events, Unmanaged.passUnretained(decoder).toOpaque(), &code)
            }
        }
    }
}

extension BindableType {
    fileprivate var shim: cpw_object_type {
        switch self {
        case .node: CPW_OBJECT_NODE
        case .device: CPW_OBJECT_DEVICE
        case .metadata: CPW_OBJECT_METADATA
        }
    }
}

/// Calls `body` with the string as C has it, or with null.
func withOptionalCString<Result>(_ string: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let string else { return body(nil) }
    return string.withCString(body)
}

/// Calls `body` with a property list as the shim wants it, valid during the call.
func withProperties<Result>(
    _ properties: [(String, String)], _ body: (UnsafePointer<cpw_property>?, Int) -> Result
) -> Result {
    let arena = CArena()
    let raw = arena.array(properties.map { cpw_property(key: arena.string($0.0), value: arena.string($0.1)) })
    return withExtendedLifetime(arena) { body(raw, properties.count) }
}
