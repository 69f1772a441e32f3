package import AudioSessionCore
import CPipeWireShim

/// One client's connection to a PipeWire daemon. To be made, used and dropped on the loop's thread.
///
/// Every call of `receive` and `failed` comes on that thread, synchronously from PipeWire's own callback.
package final class Connection {
    package let executor: LoopExecutor
    let handle: OpaquePointer
    private let decoder: GraphDecoder
    private let options: Options
    private let interests: InterestList
    /// The oldest first, which pass first.
    private var barriers: [OpenBarrier] = []
    /// Of the session manager's metadata.
    private var reader: (id: ObjectID, reader: MetadataReader)?
    /// Ends the wait for the reader.
    private var waitLimit: LoopTimer?

    /// A barrier that has still to pass this connection, or that of the reader.
    private final class OpenBarrier {
        let barrier: Barrier
        let sequence: Int32
        var isAnswered = false
        var awaitsReader: Bool

        init(_ barrier: Barrier, sequence: Int32, awaitsReader: Bool) {
            (self.barrier, self.sequence, self.awaitsReader) = (barrier, sequence, awaitsReader)
        }
    }

    /// How long anything waits for the session manager, which may be stopped.
    private static let longestWait = Duration.milliseconds(300)

    package struct Options: Sendable {
        /// Name or absolute path of the daemon's socket; `nil` as the environment says.
        package var remote: String?
        package var applicationName: String?
        /// What is told of; empty: everything.
        package var interests: [RegistryInterest]

        package init(
            remote: String? = nil, applicationName: String? = nil, interests: [RegistryInterest] = []
        ) {
            self.remote = remote
            self.applicationName = applicationName
            self.interests = interests
        }
    }

    package init(
        _ options: Options, on executor: LoopExecutor, receive: @escaping (GraphEvent) -> Void = { _ in },
        failed: @escaping (String) -> Void = { _ in }
    ) throws(PipeWireError) {
        self.executor = executor
        self.options = options
        interests = InterestList(options.interests)
        decoder = GraphDecoder(receive: receive, failed: failed)
        var code: Int32 = 0
        let handle = Self.connect(options, on: executor, decoder, &code)
        guard let handle else { throw PipeWireError(code: code, during: .connecting) }
        self.handle = handle
        decoder.done = { [unowned self] in self.done($0) }
        decoder.objectRemoved = { [unowned self] in self.objectRemoved($0) }
        decoder.runWaitingJobs = { [unowned executor] in executor.runJobs() }
    }

    /// Nothing is told any more, whoever still holds this.
    package func close() {
        decoder.silence()
        // They live on this connection's context, so they end first.
        reader = nil
        waitLimit = nil
    }

    deinit {
        close()
        executor.end { [executor, handle, decoder, interests] in
            cpw_connection_destroy(handle)
            withExtendedLifetime((executor, decoder, interests)) {}
        }
    }

    /// Starts telling of the daemon's objects.
    package func watch() throws(PipeWireError) {
        let code = cpw_connection_watch_registry(handle, interests.pointer, interests.count)
        guard code >= 0 else { throw PipeWireError(code: code, during: .watching) }
    }

    /// Known from the first barrier on.
    package var identity: ConnectionIdentity {
        ConnectionIdentity(
            cookie: cpw_connection_cookie(handle), client: ObjectID(cpw_connection_client(handle)))
    }

    /// How many entries of devices' lists were left out, because there were too many.
    package var refusedCount: UInt64 { decoder.refusedCount }

    /// Whether a device has said that it has news, and not yet which.
    package var isEnumerating: Bool { cpw_connection_is_enumerating(handle) }

    package func perform(_ command: GraphCommand) {
        switch command {
        case .readDefaults(let id): read(id)
        case .readSettings(let id):
            decoder.readSettings(of: id)
            _ = cpw_connection_bind(handle, id.rawValue, ObjectType.metadata.shim)
        case .bind(let id, let type):
            // An object that went in the meantime cannot be bound; its disappearance is told like any other.
            _ = cpw_connection_bind(handle, id.rawValue, type.shim)
        case .watchMute(let id):
            _ = cpw_connection_subscribe_props(handle, id.rawValue)
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
        case .setSoftVolumes(let node, let volumes, let isMuted):
            _ = cpw_connection_set_soft_volumes(handle, node.rawValue, volumes, volumes.count, isMuted)
        case .barrier(let barrier): send(barrier)
        }
    }

    private static func connect(
        _ options: Options, on executor: LoopExecutor, _ decoder: GraphDecoder, _ code: inout Int32
    ) -> OpaquePointer? {
        options.withShim { options in
            var events = GraphDecoder.events
            return cpw_connection_create(
                executor.loop, &options, &events, Unmanaged.passUnretained(decoder).toOpaque(), &code)
        }
    }
}

/// What is read over a connection of its own, and what has to wait for it.
extension Connection {
    private func read(_ id: ObjectID) {
        decoder.readDefaults(of: id)
        let loaded = { [weak self] in self.map { $0.decoder.metadataLoaded(id) } ?? () }
        // One that reads it already goes on where there can be no other.
        guard let new = MetadataReader(id, options, beside: handle, decoder, on: executor, loaded) else { return }
        // The one before may end a barrier, for which the reader is looked at.
        let former = reader
        reader = (id, new)
        withExtendedLifetime(former) {}
    }

    private func objectRemoved(_ id: ObjectID) {
        guard let former = reader, former.id == id else { return }
        reader = nil
        former.reader.cancel()
    }

    private func send(_ barrier: Barrier) {
        let reader = reader.flatMap { barrier.waits(for: $0.reader) ? $0.reader : nil }
        let open = OpenBarrier(barrier, sequence: cpw_connection_sync(handle), awaitsReader: reader != nil)
        barriers.append(open)
        guard let reader else { return }
        if barriers.count(where: \.awaitsReader) == 1 { armWaitLimit() }
        reader.sync { [weak self, weak reader] in
            reader?.isLate = false
            self?.readerAnswered(open)
        }
    }

    private func armWaitLimit() {
        if waitLimit == nil { waitLimit = LoopTimer(on: executor) { [unowned self] in self.stopWaiting() } }
        waitLimit?.arm(after: Self.longestWait)
    }

    /// Everything goes on without what the session manager may still say.
    private func stopWaiting() {
        reader?.reader.isLate = true
        for open in barriers { open.awaitsReader = false }
        passBarriers()
    }

    private func readerAnswered(_ open: OpenBarrier) {
        open.awaitsReader = false
        passBarriers()
    }

    private func done(_ sequence: Int32) {
        for open in barriers where open.sequence == sequence { open.isAnswered = true }
        passBarriers()
    }

    private func passBarriers() {
        while let place = barriers.firstIndex(where: { $0.isAnswered && !$0.awaitsReader }) {
            let open = barriers.remove(at: place)
            if !barriers.contains(where: \.awaitsReader) { waitLimit?.disarm() }
            decoder.receive(.barrier(open.barrier))
        }
    }
}

extension Barrier {
    /// The initial sync is to know the defaults. Later nothing waits for a session manager that may be waiting itself.
    fileprivate func waits(for reader: MetadataReader) -> Bool {
        guard !reader.isLate else { return false }
        return switch self {
        case .initial: true
        case .routes: reader.isLoaded
        case .device, .token, .question: false
        }
    }
}

extension Connection.Options {
    /// Calls `body` with the options as the shim wants them, valid during the call.
    func withShim<Result>(_ body: (inout cpw_connection_options) -> Result) -> Result {
        withOptionalCString(remote) { remote in
            withOptionalCString(applicationName) { name in
                var raw = cpw_connection_options(remote: remote, application_name: name)
                return body(&raw)
            }
        }
    }
}
