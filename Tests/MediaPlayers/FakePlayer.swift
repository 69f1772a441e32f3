package import DesktopBus
package import PipeWireGraph

/// A media player of another program that behaves like a browser's: it answers first, and pauses a
/// moment later.
package actor FakePlayer {
    private let executor: LoopExecutor
    private var bus: DesktopBus?
    private var object: PlayerObject?
    private var state: PlayerObject.State
    private nonisolated let orders: AsyncStream<PlayerObject.Command>
    private let continuation: AsyncStream<PlayerObject.Command>.Continuation
    private nonisolated let seen = Locked<[PlayerObject.Command]>([])
    private let delay: Duration
    private let executes: Bool
    private var hanging: Semaphore?

    package struct NameIsTaken: Error {}

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Starts the player, and returns when it is on the bus.
    ///
    /// - Parameters:
    ///   - delay: how long it takes to execute a command.
    ///   - executes: whether it executes commands at all, or only answers.
    package init(
        _ name: String, _ status: String, on address: String, prefix: String = DesktopBus.playerPrefix,
        delay: Duration = .zero, executes: Bool = true
    ) async throws {
        executor = try LoopExecutor()
        self.delay = delay
        self.executes = executes
        state = PlayerObject.State(identity: name)
        state.status = status
        (state.canPlay, state.canPause) = (true, true)
        (orders, continuation) = AsyncStream.makeStream(of: PlayerObject.Command.self)
        try await show(prefix + name, at: address)
    }

    isolated deinit {
        object = nil
        bus = nil
    }

    private func show(_ name: String, at address: String) async throws {
        let bus = try DesktopBus(address: address, on: executor, receive: { _ in }, failed: { _ in })
        self.bus = bus
        object = try PlayerObject(on: bus, state, position: { 0 }) { [weak self] command, _ in
            self?.assumeIsolated { $0.execute(command) }
        }
        try await own(name)
    }

    /// Requests another name on the bus as well.
    package func own(_ name: String) async throws {
        let isOwner = await withCheckedContinuation { continuation in
            guard let bus else { return continuation.resume(returning: false) }
            bus.request(name: name) { continuation.resume(returning: $0) }
        }
        guard isOwner else { throw NameIsTaken() }
    }

    /// Releases a name. Returns when the bus has notified all clients.
    package func release(_ name: String) async {
        guard let bus else { return }
        bus.release(name: name)
        await withCheckedContinuation { continuation in
            bus.owner(of: name) { _ in continuation.resume() }
        }
    }

    /// Requests many names as well.
    package func own(_ names: [String]) async throws {
        for name in names.dropLast() { bus?.request(name: name) }
        if let last = names.last { try await own(last) }
    }

    /// Hangs at its first command, like a stopped program, until `end` is signaled. The command is
    /// answered afterwards.
    package func hang(until end: Semaphore) { hanging = end }

    /// The status of another player; `nil` if it has none, or does not answer in time.
    package func status(of owner: String) async -> String? {
        guard let bus else { return nil }
        return await withCheckedContinuation { continuation in
            bus.status(ofPlayer: owner) { continuation.resume(returning: $0) }
        }
    }

    /// Sends a command to another player, and returns when the bus has delivered it.
    package func send(_ command: String, to owner: String) async {
        guard let bus else { return }
        bus.command(command, toPlayer: owner)
        // The bus handles the messages of a client in their order.
        await withCheckedContinuation { continuation in bus.owner(of: owner) { _ in continuation.resume() } }
    }

    /// The player's address on the bus.
    package var owner: String { bus?.name ?? "" }

    /// All commands that the player received so far.
    package nonisolated var commands: [PlayerObject.Command] { seen.withLock(\.self) }

    /// The next command that was not returned before, when it is executed.
    package func command() async -> PlayerObject.Command? {
        for await command in orders { return command }
        return nil
    }

    /// Changes the status as its user would.
    package func set(_ status: String) {
        state.status = status
        object?.update(state)
    }

    private func execute(_ command: PlayerObject.Command) {
        hanging?.wait()
        hanging = nil
        seen.withLock { $0.append(command) }
        Task { [weak self] in await self?.follow(command) }
    }

    private func follow(_ command: PlayerObject.Command) async {
        if delay > .zero { try? await Task.sleep(for: delay) }
        switch command {
        case .play where executes: set("Playing")
        case .pause where executes: set("Paused")
        default: break
        }
        continuation.yield(command)
    }
}
