package import AudioSessionCore
import CPipeWireShim

/// A client's connection to a PipeWire daemon. Created, used and released on the loop's thread.
///
/// `receive` and `failed` are called on that thread, synchronously from PipeWire's callbacks.
package final class Connection {
    package let executor: LoopExecutor
    let handle: OpaquePointer
    private let decoder: GraphDecoder
    private let options: Options
    private let interests: InterestList
    /// The moment at which the daemon has answered all requests, and the connection is destroyed.
    package let end = ConnectionEnd()
    /// The open barriers in the order in which they were sent.
    private var barriers: [OpenBarrier] = []
    /// Reads the session manager's metadata.
    private var reader: (id: ObjectID, reader: MetadataReader)?
    /// The metadata for which a reader is made again, because the former one was lost.
    private var unread: ObjectID?
    /// The timer for the next reader, made early, because the process may have no file left later.
    private var retryTimer: LoopTimer?
    /// Ends the wait for the reader.
    private var waitLimit: LoopTimer?

    /// A barrier that this connection or that of the reader has not answered yet.
    private final class OpenBarrier {
        let barrier: Barrier
        let sequence: Int32
        var isAnswered = false
        var awaitsReader: Bool

        init(_ barrier: Barrier, sequence: Int32, awaitsReader: Bool) {
            (self.barrier, self.sequence, self.awaitsReader) = (barrier, sequence, awaitsReader)
        }
    }

    /// The longest wait for the session manager, which may be stopped.
    private static let longestWait = Duration.milliseconds(300)

    package struct Options: Sendable {
        /// Name or absolute path of the daemon's socket. `nil`: by the environment.
        package var remote: String?
        package var applicationName: String?
        /// The objects that are reported. Empty: all objects.
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
        retryTimer = LoopTimer(on: executor) { [weak self] in self?.readAgain() }
    }

    /// Ends all events, even if references to this connection remain.
    package func close() {
        decoder.silence()
        // They use this connection's context, so they end before it.
        reader = nil
        retryTimer = nil
        waitLimit = nil
    }

    deinit {
        close()
        let dependencies = Dependencies(executor: executor, decoder: decoder, interests: interests, end: end)
        executor.end { [handle] in
            cpw_connection_end(
                handle, { Unmanaged<Dependencies>.fromOpaque($0).takeRetainedValue().end.pass() },
                Unmanaged.passRetained(dependencies).toOpaque())
        }
    }

    /// What the shim's connection uses until it is destroyed.
    private final class Dependencies {
        let executor: LoopExecutor
        let decoder: GraphDecoder
        let interests: InterestList
        let end: ConnectionEnd

        init(executor: LoopExecutor, decoder: GraphDecoder, interests: InterestList, end: ConnectionEnd) {
            (self.executor, self.decoder, self.interests, self.end) = (executor, decoder, interests, end)
        }
    }

    /// Starts reporting the daemon's objects.
    package func watch() throws(PipeWireError) {
        let code = cpw_connection_watch_registry(handle, interests.pointer, interests.count)
        guard code >= 0 else { throw PipeWireError(code: code, during: .watching) }
    }

    /// The daemon's cookie and this client's ID, known from the first barrier on.
    package var identity: ConnectionIdentity {
        ConnectionIdentity(
            cookie: cpw_connection_cookie(handle), client: ObjectID(cpw_connection_client(handle)))
    }

    /// The number of entries of devices' lists that were ignored because of the limits.
    package var refusedCount: UInt64 { decoder.refusedCount }

    /// Whether a device announced a change of a parameter that it has not sent yet.
    package var isEnumerating: Bool { cpw_connection_is_enumerating(handle) }

    package func perform(_ command: GraphCommand) {
        switch command {
        case .readDefaults(let id): read(id)
        case .readSettings(let id):
            decoder.metadata.readSettings(of: id)
            _ = cpw_connection_bind(handle, id.rawValue, ObjectType.metadata.shim)
        case .bind(let id, let type):
            // An object that was removed meanwhile cannot be bound. Its removal is reported as
            // usual.
            _ = cpw_connection_bind(handle, id.rawValue, type.shim)
        case .watchMute(let id):
            _ = cpw_connection_subscribe_props(handle, id.rawValue)
        case .setSilentMode(let isOn, let settings):
            let (type, value) = (SilentMode.valueType, SilentMode.value(isOn))
            // The daemon does not report a refusal. It shows because no event follows.
            withOptionalCString(value) { value in
                _ = cpw_connection_set_metadata(handle, settings.rawValue, SilentMode.key, type, value)
            }
        case .setRoute(let device, let index, let number):
            // Whether the device was removed or does not obey shows in later events.
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

/// Reading metadata over a connection of its own, and barriers that wait for it.
extension Connection {
    private func read(_ id: ObjectID) {
        decoder.metadata.readDefaults(of: id)
        let new = MetadataReader(
            id, options, beside: handle, decoder, on: executor,
            loaded: { [weak self] in self.map { $0.decoder.metadataLoaded(id) } ?? () },
            lost: { [weak self] in self?.readLater(id) })
        guard let new else { return readLater(id) }
        unread = nil
        // The deinitializer of the former reader may pass a barrier, which accesses `reader`.
        let former = reader
        reader = (id, new)
        withExtendedLifetime(former) {}
    }

    /// Tries again after a second, which limits the cost. Another client may have ended the
    /// reader's connection, or the process may have had no file left.
    private func readLater(_ id: ObjectID) {
        unread = id
        retryTimer?.arm(after: .seconds(1))
    }

    private func readAgain() { if let id = unread { read(id) } }

    private func objectRemoved(_ id: ObjectID) {
        if unread == id { unread = nil }
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
        // Where the process has no file left for a timer, nothing is waited for.
        guard let waitLimit else { return stopWaiting() }
        waitLimit.arm(after: Self.longestWait)
    }

    /// Passes all barriers without waiting for the session manager any longer.
    private func stopWaiting() {
        reader?.reader.isLate = true
        for open in barriers { open.awaitsReader = false }
        passBarriers()
    }

    private func readerAnswered(_ open: OpenBarrier) {
        open.awaitsReader = false
        if !barriers.contains(where: \.awaitsReader) { waitLimit?.disarm() }
        passBarriers()
    }

    private func done(_ sequence: Int32) {
        for open in barriers where open.sequence == sequence { open.isAnswered = true }
        passBarriers()
    }

    private func passBarriers() {
        while let index = barriers.firstIndex(where: { $0.isAnswered && !$0.awaitsReader }) {
            let open = barriers.remove(at: index)
            decoder.receive(.barrier(open.barrier))
        }
    }
}

extension Barrier {
    /// Whether this barrier waits for the session manager's metadata. The initial one does, so that
    /// the defaults are known after it. Later ones could wait for a session manager that waits
    /// itself.
    fileprivate func waits(for reader: MetadataReader) -> Bool {
        guard !reader.isLate else { return false }
        return switch self {
        case .initial: true
        case .routes: reader.isLoaded
        case .device, .ports, .token, .question: false
        }
    }
}

extension Connection.Options {
    /// Calls `body` with the shim's form of the options, which is valid during the call.
    func withShim<Result>(_ body: (inout cpw_connection_options) -> Result) -> Result {
        withOptionalCString(remote) { remote in
            withOptionalCString(applicationName) { name in
                var raw = cpw_connection_options(remote: remote, application_name: name)
                return body(&raw)
            }
        }
    }
}
