package import DesktopBus
import PipeWireGraph

/// A media player of another program, as a browser shows one: it answers first, and pauses a moment later.
package actor FakePlayer {
    private let executor: LoopExecutor
    private var bus: DesktopBus?
    private var object: PlayerObject?
    private var state: PlayerObject.State
    private nonisolated let orders: AsyncStream<PlayerObject.Command>
    private let continuation: AsyncStream<PlayerObject.Command>.Continuation
    private nonisolated let seen = Locked<[PlayerObject.Command]>([])
    private let delay: Duration

    package struct NameIsTaken: Error {}

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// On the bus when this returns.
    /// - Parameter delay: how long it takes to do what it was told.
    package init(
        _ name: String, _ status: String, on address: String, prefix: String = DesktopBus.playerPrefix,
        delay: Duration = .zero
    ) async throws {
        executor = try LoopExecutor()
        self.delay = delay
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
        object = try PlayerObject(on: bus, state, position: { 0 }) { [weak self] command in
            self?.assumeIsolated { $0.obey(command) }
        }
        let isOwner = await withCheckedContinuation { continuation in
            bus.request(name: name) { continuation.resume(returning: $0) }
        }
        guard isOwner else { throw NameIsTaken() }
    }

    /// Its address on the bus.
    package var owner: String { bus?.name ?? "" }

    /// Everything that it was told so far.
    package nonisolated var commands: [PlayerObject.Command] { seen.withLock(\.self) }

    /// The next command that has not been asked for, when it is carried out.
    package func command() async -> PlayerObject.Command? {
        for await command in orders { return command }
        return nil
    }

    /// What its user does.
    package func set(_ status: String) {
        state.status = status
        object?.update(state)
    }

    private func obey(_ command: PlayerObject.Command) {
        seen.withLock { $0.append(command) }
        Task { [weak self] in await self?.follow(command) }
    }

    private func follow(_ command: PlayerObject.Command) async {
        if delay > .zero { try? await Task.sleep(for: delay) }
        switch command {
        case .play: set("Playing")
        case .pause: set("Paused")
        default: break
        }
        continuation.yield(command)
    }
}
