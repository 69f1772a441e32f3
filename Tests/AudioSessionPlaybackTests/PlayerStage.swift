import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import Testing

/// A player on a fake computer, with an output that reads at the test's request.
final class PlayerStage: Sendable {
    enum Call: Sendable, Hashable {
        case opened(node: UInt32)
        case active(Bool)
        case gate(closed: Bool)
        case volume(Float)
        case duck(Float)
        case name(String?)
    }

    let system: FakeAudioSystem
    let manager: AudioSessionManager
    let session: AudioSession
    let player: AudioPlayer
    let executor: InlineExecutor
    /// Whether the system has timers for this process.
    let hasTimers = Locked(true)
    private let outputs: FakeOutputs

    /// The commands to the output, in order.
    var calls: [Call] { outputs.calls.withLock(\.self) }
    var ring: FrameRing? { outputs.ring.withLock(\.self) }
    /// The nodes whose removal closes the gate of the output that was opened last.
    var gateTriggers: [ObjectID] { outputs.gateTriggers.withLock(\.self) }

    /// Connects a manager and makes a player whose output reads at the test's request.
    /// - Parameter now: The manager's clock, instead of the fake computer's.
    init(
        _ configuration: AudioPlayer.Configuration = .init(), now: (@Sendable () -> MonotonicTime)? = nil
    ) async throws {
        let system = try FakeLaptop.system(with: .headphones)
        let executor = try #require(system.environment.executor as? InlineExecutor)
        let outputs = FakeOutputs(executor)
        self.system = system
        self.executor = executor
        self.outputs = outputs
        var environment = system.environment
        if let now { environment.now = now }
        environment.makeTimer = { [hasTimers, makeTimer = environment.makeTimer] fired in
            hasTimers.withLock(\.self) ? makeTimer(fired) : nil
        }
        manager = try await AudioSessionManager.connect(.init(applicationName: "Stage"), in: environment)
        session = AudioSession(for: .output, on: manager)
        player = AudioPlayer(
            session, ownsSession: true, configuration,
            in: PlayerEnvironment(
                isReady: { _ in outputs.isReady.withLock(\.self) },
                open: { (_, request, receive) throws(AudioSessionError) in try outputs.open(request, receive) }))
    }

    /// The state of the output's stream.
    var node: ObjectID? { outputs.node.withLock { ObjectID($0) } }

    func setReady(_ isReady: Bool) { outputs.isReady.withLock { $0 = isReady } }

    /// Makes the opening of the next output fail.
    func refuseOutput(_ error: AudioSessionError) { outputs.refusal.withLock { $0 = error } }

    func properties() -> [String: String] { outputs.properties.withLock(\.self) }

    func sound(at time: MonotonicTime) { outputs.lastSoundTime.withLock { $0 = time } }

    /// Gives the graph another clock from its next cycle on.
    func setTiming(quantum: Int, rate: Int, delay: Duration) {
        outputs.timing.withLock { $0 = (quantum, rate, delay) }
    }

    /// The real-time thread's next cycles: as many frames as the ring has, up to `frames`.
    func runCycles(_ frames: Int) -> [Float] {
        outputs.cycles.withLock { $0 += 3 }
        guard let ring, !outputs.isGateClosed.withLock(\.self) else { return [] }
        var buffer = [Float](repeating: 0, count: frames * ring.channels)
        var span = buffer.mutableSpan
        let count = ring.take(into: &span)
        return Array(buffer.prefix(count * ring.channels))
    }

    /// Sends a status of PipeWire about the current output.
    func notify(_ status: PlaybackStream.Status) {
        outputs.notify(status)
    }

    /// Loads, plays and returns when the output runs.
    func start(_ paths: [String]) async throws {
        try await player.load(paths)
        try await player.play()
        try await untilActive()
    }

    /// Waits for the decoder, which has a thread of its own.
    func untilActive() async throws {
        await until { self.calls.last { if case .active = $0 { true } else { false } } == .active(true) }
        let node = ObjectID(outputs.node.withLock(\.self))
        system.send(
            .linkAppeared(Link(id: ObjectID(node.rawValue + 1000), outputNode: node, inputNode: ObjectID(41))))
        notify(.init(state: .streaming, node: node))
    }

    func until(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

    func pullHeadphones() { system.setAvailable(false, route: FakeLaptop.headphones) }
    func plugHeadphones() { system.setAvailable(true, route: FakeLaptop.headphones) }
}
