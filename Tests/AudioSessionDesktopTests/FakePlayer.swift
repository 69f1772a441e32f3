import DesktopBus
import PipeWireGraph
import Testing

/// A media player of another program, as a browser shows one: it answers first, and pauses then.
actor FakePlayer {
    private let executor: LoopExecutor
    private var bus: DesktopBus?
    private var object: PlayerObject?
    private var state: PlayerObject.State
    private nonisolated let orders: AsyncStream<PlayerObject.Command>
    private let continuation: AsyncStream<PlayerObject.Command>.Continuation
    private nonisolated let seen = Locked<[PlayerObject.Command]>([])

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// On the bus when this returns.
    init(
        _ name: String, _ status: String, on address: String, prefix: String = DesktopBus.playerPrefix
    ) async throws {
        executor = try LoopExecutor()
        state = PlayerObject.State(identity: name)
        state.status = status
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
        object = try PlayerObject(on: bus, state, position: { 0 }) { [weak self] command in
            self?.assumeIsolated { $0.obey(command) }
        }
        let isOwner = await withCheckedContinuation { continuation in
            bus.request(name: name) { continuation.resume(returning: $0) }
        }
        try #require(isOwner)
    }

    /// Its address on the bus.
    var owner: String { bus?.name ?? "" }

    /// Everything that it was told so far.
    nonisolated var commands: [PlayerObject.Command] { seen.withLock(\.self) }

    /// The next command that has not been asked for, when it is carried out.
    func command() async -> PlayerObject.Command? {
        for await command in orders { return command }
        return nil
    }

    /// What its user does.
    func set(_ status: String) {
        state.status = status
        object?.update(state)
    }

    private func obey(_ command: PlayerObject.Command) {
        seen.withLock { $0.append(command) }
        Task { [weak self] in await self?.follow(command) }
    }

    private func follow(_ command: PlayerObject.Command) {
        switch command {
        case .play: set("Playing")
        case .pause: set("Paused")
        default: break
        }
        continuation.yield(command)
    }
}
