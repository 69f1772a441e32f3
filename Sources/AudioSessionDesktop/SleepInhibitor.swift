public import AudioSessions
import DesktopBus
import PipeWireGraph

/// Silences a manager's sessions before the computer sleeps, until it is awake and their output is
/// known.
///
///     let sleep = try SleepInhibitor(manager: manager)
///
/// Keep the object for as long as the manager. It runs on a thread of its own.
///
/// While a session plays or records, the object holds a delay inhibitor of logind, which
/// `systemd-inhibit --list` shows. When logind announces a sleep, the gates of all players close.
/// The inhibitor is released after the last sound was played, about 40 ms later. It never prevents
/// a sleep.
///
/// After the computer wakes up, a player whose output is still available is audible again after
/// 300 ms, without an event. If the output was lost during the sleep, the session receives
/// `becameNoisy` and one route change with the reason `wakeFromSleep`. Nothing is then heard on
/// another output.
///
/// Without this object a loss is detected as well, with the same events. But an output that changed
/// during the sleep may be heard for a moment. The same applies without a system bus or without
/// logind, and ``unavailability`` gives the reason.
///
/// iOS does the same for every app.
public actor SleepInhibitor {
    /// The manager whose sessions are silenced.
    public nonisolated let manager: AudioSessionManager
    private let executor: LoopExecutor
    private nonisolated let snapshot = Locked(Snapshot())
    private nonisolated let signals: AsyncStream<Bool>
    private let continuation: AsyncStream<Bool>.Continuation
    private var tasks: [Task<Void, Never>] = []
    private var bus: DesktopBus?
    private var inhibitor: OpenFile?
    private var isAsking = false
    private var isSounding = false
    private var isSleeping = false
    /// Whether the manager has begun the announced sleep, which it may end by itself.
    private var hasBegunSleep = false
    /// Delays the release of the inhibitor until sound in transit was played.
    private var timer: LoopTimer?
    private var isClosed = false

    private struct Snapshot: Sendable {
        var unavailability: String?
        var isHeld = false
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Begins to connect to the system bus.
    ///
    /// - Parameter manager: The manager whose sessions are silenced. The inhibitor ends with it.
    /// - Throws: `resourcesExhausted` if the system has no thread or file left.
    // It is hidden from the optimizer for the reason given at AudioSession.
    @_semantics("optimize.no.crossmodule")
    public init(manager: AudioSessionManager) throws(AudioSessionError) {
        try self.init(manager) { try DesktopBus.systemAddress() }
    }

    @_semantics("optimize.no.crossmodule")
    package init(
        _ manager: AudioSessionManager, at address: @escaping @Sendable () throws -> String
    ) throws(AudioSessionError) {
        executor = try LoopExecutor.make(for: "A sleep inhibitor")
        self.manager = manager
        (signals, continuation) = AsyncStream.makeStream(of: Bool.self)
        Task { [weak self] in await self?.start(at: address) }
    }

    isolated deinit { shutDown() }

    /// The reason why sleeps are detected only after waking; `nil` if they are detected before.
    public nonisolated var unavailability: String? { snapshot.withLock(\.unavailability) }

    /// Whether a sleep that is announced now is delayed until the sessions are silent.
    public nonisolated var isHeld: Bool { snapshot.withLock(\.isHeld) }

    /// Releases the inhibitor and ends. Later sleeps are detected only after waking.
    public func close() { shutDown() }

    // MARK: The bus

    private func start(at address: @Sendable () throws -> String) {
        guard !isClosed else { return }
        do {
            let continuation = continuation
            let bus = try DesktopBus(
                address: try address(), on: executor,
                receive: { if case .sleepChanged(let begins) = $0 { continuation.yield(begins) } },
                failed: { [weak self] error in self?.assumeIsolated { $0.fail("\(error)") } })
            bus.watchSleep()
            self.bus = bus
        } catch {
            return fail("\(error)")
        }
        let (signals, sounding) = (signals, manager.soundingChanges.events(bufferingNewest: 1))
        tasks = [
            // Signals are handled one after the other, because the handler suspends.
            Task { [weak self] in
                for await begins in signals { await self?.sleepChanged(begins) }
            },
            Task { [weak self] in
                await self?.soundingChanged()
                for await _ in sounding { await self?.soundingChanged() }
                await self?.close()
            },
        ]
    }

    private func fail(_ reason: String) {
        snapshot.withLock { $0.unavailability = reason }
        shutDown()
    }

    private func shutDown() {
        guard !isClosed else { return }
        isClosed = true
        continuation.finish()
        for task in tasks { task.cancel() }
        bus = nil
        timer = nil
        hold(nil)
        // The end of the sleep would not be detected any more.
        if isSleeping { Task { [manager] in await manager.endSleep() } }
    }

    // MARK: Sleep

    private func sleepChanged(_ begins: Bool) async {
        guard !isClosed else { return }
        isSleeping = begins
        hasBegunSleep = false
        guard begins else {
            await manager.endSleep()
            return update()
        }
        let rest = await manager.beginSleep()
        hasBegunSleep = true
        guard rest > .zero, inhibitor != nil else { return update() }
        if timer == nil {
            timer = LoopTimer(on: executor) { [weak self] in self?.assumeIsolated { $0.update() } }
        }
        timer?.arm(after: rest)
    }

    private func soundingChanged() async {
        isSounding = await manager.isSounding
        // The manager ends a sleep whose end logind does not announce in time.
        if hasBegunSleep, !manager.isAsleep { (isSleeping, hasBegunSleep) = (false, false) }
        update()
    }

    private var isNeeded: Bool { isSounding && !isSleeping && !isClosed }

    private func update() {
        guard isNeeded else { return hold(nil) }
        guard inhibitor == nil, !isAsking, let bus else { return }
        isAsking = true
        bus.inhibitSleep(
            who: Self.programName(manager.configuration), why: "Sound is silenced before the computer sleeps"
        ) {
            [weak self] result in
            self?.assumeIsolated { $0.answered(result) }
        }
    }

    private static func programName(_ configuration: AudioSessionManager.Configuration) -> String {
        let path = CommandLine.arguments.first ?? ""
        return configuration.applicationName ?? path.split(separator: "/").last.map(String.init) ?? "AudioSessions"
    }

    private func answered(_ result: Result<OpenFile, DesktopBusError>) {
        isAsking = false
        switch result {
        case .success(let file):
            snapshot.withLock { $0.unavailability = nil }
            if isNeeded { hold(file) }
        case .failure(let error): snapshot.withLock { $0.unavailability = "\(error)" }
        }
    }

    private func hold(_ file: OpenFile?) {
        inhibitor = file
        snapshot.withLock { $0.isHeld = file != nil }
    }
}
