import AudioSessionCore
import PipeWireGraph

/// A client on a loop of its own that keeps all it hears, and waits for what a test names.
actor GraphClient {
    nonisolated let executor: LoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private var connection: Connection?
    private var closed: Connection?
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0
    private(set) var registry = RegistryStateMachine()
    private(set) var events: [GraphEvent] = []
    /// Those that changed the graph.
    private(set) var changes: [GraphEvent] = []
    private(set) var failures: [String] = []
    /// At the first of these it asks for a barrier.
    private var asksAt: (GraphEvent) -> Bool = { _ in false }
    private var handler: (GraphEvent) -> Void = { _ in }
    /// Whether it asks for more about the objects that it hears of, as the manager does.
    private let binds: Bool

    private struct Waiter {
        let isTrue: @Sendable (isolated GraphClient) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
        let deadline: LoopTimer?
    }

    /// What a test waited for did not happen.
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

    /// Connects and watches; with `binds`, returns when the graph is whole.
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

    func watch() throws { try connection?.watch() }

    func disconnect() { connection = nil }

    /// As when a stream holds it that has not heard of the end yet.
    func closeAndKeep() {
        connection?.close()
        closed = connection
        connection = nil
    }

    func forget() { (events, changes) = ([], []) }

    func askForBarrier(at isMeant: @escaping @Sendable (GraphEvent) -> Bool) { asksAt = isMeant }

    /// Calls a handler on the loop's thread, for what has to happen soon: a test's own task may wait for its turn.
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
            // Where everything is told of, nothing is bound by itself.
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

    /// Waits until `isTrue`. The deadline only ends a test that fails: it is far longer than anything takes.
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

    /// Returns when the daemon has told everything that happened before.
    func settle() async throws {
        let seen = passedBarriers + 1
        perform(.barrier(.routes))
        try await wait(for: "a barrier") { $0.passedBarriers >= seen }
    }

    /// The same, and has answered what was asked about that: news that come while the first barrier is under way are asked
    /// about in front of the second.
    func settleWithAnswers() async throws {
        try await settle()
        try await settle()
    }

    var isEnumerating: Bool { connection?.isEnumerating ?? false }

    var passedBarriers: Int { events.count { $0 == .barrier(.routes) } }

    /// The events that `pick` gives something for.
    func all<Value: Sendable>(_ pick: @Sendable (GraphEvent) -> Value?) -> [Value] { events.compactMap(pick) }

    func node(named name: String) -> Node? { registry.graph.nodes.values.first { $0.name == name } }
}
