import AudioSessionCore
import PipeWireGraph

/// A client on its own loop that keeps all its events, and waits for a condition that a test names.
actor GraphClient {
    nonisolated let executor: LoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private var connection: Connection?
    private var closed: Connection?
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0
    private(set) var registry = RegistryStateMachine()
    private(set) var events: [GraphEvent] = []
    /// The events that changed the graph.
    private(set) var changes: [GraphEvent] = []
    private(set) var failures: [String] = []
    /// The client requests a barrier at the first event that satisfies this.
    private var asksAt: (GraphEvent) -> Bool = { _ in false }
    private var handler: (GraphEvent) -> Void = { _ in }
    /// Whether it queries the objects that appear, as the manager does.
    private let binds: Bool

    private struct Waiter {
        let isTrue: @Sendable (isolated GraphClient) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
        let deadline: LoopTimer?
    }

    /// The error of a condition that did not become true.
    struct DeadlineMissed: Error, CustomStringConvertible {
        let what: String
        let last: [GraphEvent]
        var description: String { "waited in vain for \(what); last heard: \(last)" }
    }

    init(binds: Bool = true) throws {
        executor = try LoopExecutor()
        self.binds = binds
    }

    isolated deinit { disconnect() }

    /// Connects and watches; with `binds`, returns when the graph is complete.
    @discardableResult
    static func connected(to server: TestServer, binds: Bool = true) async throws -> GraphClient {
        let client = try GraphClient(binds: binds)
        try await client.connect(to: server.path, name: "graph-client")
        if binds { try await client.wait(for: "the initial sync") { $0.registry.isSynchronized } }
        return client
    }

    func connect(
        to path: String, name: String? = nil, watch: Bool = true, interests: [RegistryInterest] = []
    ) throws {
        connection = try Connection(
            Connection.Options(remote: path, applicationName: name, interests: interests), on: executor,
            receive: { [weak self] event in self?.assumeIsolated { $0.receive(event) } },
            failed: { [weak self] message in self?.assumeIsolated { $0.failed(message) } })
        guard watch else { return }
        try connection?.watch()
        if binds { for command in registry.start() { connection?.perform(command) } }
    }

    func perform(_ commands: GraphCommand...) { for command in commands { connection?.perform(command) } }

    var client: ObjectID? { connection?.identity.client }

    func watch() throws { try connection?.watch() }

    func disconnect() { connection = nil }

    /// Releases the connection to the daemon.
    /// - Returns: The time at which the connection has ended; `nil` until then.
    func disconnectAndWatch() -> Locked<ContinuousClock.Instant?> {
        let time = Locked<ContinuousClock.Instant?>(nil)
        connection?.end.wait { [weak self] in
            time.withLock { $0 = .now }
            self?.assumeIsolated { $0.wake() }
        }
        connection = nil
        return time
    }

    func performAndDisconnect(_ command: GraphCommand) {
        perform(command)
        disconnect()
    }

    /// Closes the connection and keeps it, as a stream does that has not received the end yet.
    func closeAndKeep() {
        connection?.close()
        closed = connection
        connection = nil
    }

    func clearEvents() { (events, changes) = ([], []) }

    func askForBarrier(at isMeant: @escaping @Sendable (GraphEvent) -> Bool) { asksAt = isMeant }

    /// Calls a handler on the loop's thread, because a test's own task may run later.
    func observe(_ handler: @escaping @Sendable (GraphEvent) -> Void) { self.handler = handler }

    private func receive(_ event: GraphEvent) {
        events.append(event)
        handler(event)
        if asksAt(event) {
            asksAt = { _ in false }
            perform(.barrier(.routes))
        }
        if binds {
            if let change = registry.apply(event) {
                changes.append(event)
                for command in change.commands { connection?.perform(command) }
            }
            // A client that receives every event binds nothing by itself.
            if case .nodeAppeared(let node) = event { perform(.bind(node.id, .node)) }
        }
        wake()
    }

    private func failed(_ message: String) {
        failures.append(message)
        wake()
    }

    private func wake() {
        for (id, waiter) in waiters where waiter.isTrue(self) { end(id, happened: true) }
    }

    private func end(_ id: Int, happened: Bool) {
        waiters.removeValue(forKey: id)?.continuation.resume(returning: happened)
    }

    /// Waits until `isTrue`. The deadline only ends a failed test: it is far longer than any step
    /// takes.
    func wait(for what: String, _ isTrue: @escaping @Sendable (isolated GraphClient) -> Bool) async throws {
        guard !isTrue(self) else { return }
        lastWaiter += 1
        let id = lastWaiter
        let happened = await withCheckedContinuation { continuation in
            let deadline = LoopTimer(on: executor) { [weak self] in
                self?.assumeIsolated { $0.end(id, happened: false) }
            }
            deadline?.arm(after: .seconds(60))
            waiters[id] = Waiter(isTrue: isTrue, continuation: continuation, deadline: deadline)
        }
        if !happened { throw DeadlineMissed(what: what, last: events.suffix(5)) }
    }

    /// Returns when the daemon has sent everything that happened before.
    func settle() async throws {
        let seen = passedBarriers + 1
        perform(.barrier(.routes))
        try await wait(for: "a barrier") { $0.passedBarriers >= seen }
    }

    /// Does the same, and waits for the answers to the queries: events during the first barrier are
    /// queried before the second.
    func settleWithAnswers() async throws {
        try await settle()
        try await settle()
    }

    var isEnumerating: Bool { connection?.isEnumerating ?? false }

    var passedBarriers: Int { events.count { $0 == .barrier(.routes) } }

    /// The values that `pick` returns for the events.
    func all<Value: Sendable>(_ pick: @Sendable (GraphEvent) -> Value?) -> [Value] { events.compactMap(pick) }

    func node(named name: String) -> Node? { registry.graph.nodes.values.first { $0.name == name } }
}
