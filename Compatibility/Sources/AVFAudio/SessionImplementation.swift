@_spi(Compatibility) import AudioSessions
import Dispatch
import Foundation

/// The implementation of `AVAudioSession`, apart from the class that programs may subclass.
///
/// It connects to PipeWire, has one `AudioSession` of the library, and converts events to
/// notifications.
final class SessionImplementation: Sendable {
    typealias Connect = @Sendable (_ waitsForPipeWire: Bool) async throws -> AudioSessionManager
    typealias Category = AVAudioSession.Category
    typealias Mode = AVAudioSession.Mode
    typealias CategoryOptions = AVAudioSession.CategoryOptions
    typealias RouteSharingPolicy = AVAudioSession.RouteSharingPolicy

    private let connect: Connect
    private let routeChanges = DispatchQueue(label: "AVAudioSession.routeChange")
    /// Held while the configuration changes, from its reading until it is stored.
    private let configuring = NSLock()
    /// The object of the notifications.
    private let owner = Locked(Owner())
    let state = Locked(State())
    /// What the session and its players report of the program's playback.
    let playback = ProgramPlayback()

    private struct Owner { weak var session: AVAudioSession? }

    struct State {
        var connection = Connection.none
        /// Callbacks of calls that wait until the first connection attempt has ended.
        var waiting: [@Sendable () -> Void] = []
        var configuration = State.initialConfiguration
        var options: CategoryOptions = []
        var isActive = false
        /// The queued `began` of the present interruption.
        var interruption: DispatchWorkItem?
        var inputs: [String] = []
        var storedValues = AVAudioSession.StoredValues()
        /// The preferences for a session that is created later.
        var preferences = Preferences()

        /// The initial configuration. As with Apple's players, none resumes by itself.
        private static var initialConfiguration: AudioSessionConfiguration {
            var configuration = AudioSessionConfiguration()
            configuration.resumesAfterInterruption = false
            return configuration
        }
    }

    enum Connection {
        case none, connecting
        case failed(NSError)
        case made(Backend)
    }

    struct Backend: Sendable {
        let manager: AudioSessionManager
        let session: AudioSession
        let observations: [EventObservation]
    }

    init(connect: @escaping Connect) { self.connect = connect }

    /// Posts notifications in the name of a session from now on.
    func post(for session: AVAudioSession) { owner.withLock { $0.session = session } }

    // MARK: Connection

    /// Begins to connect and returns at once.
    func start() {
        let isFirst = state.withLock { state in
            guard case .none = state.connection else { return false }
            state.connection = .connecting
            return true
        }
        guard isFirst else { return }
        BlockingCalls.begin { [self] in await open() }
    }

    /// Connects to PipeWire. The first failure ends all pending calls, but the session still
    /// connects when PipeWire starts later, and notifies the program of that.
    private func open() async {
        do {
            await made(try await connect(false))
        } catch {
            let failure = NSError(error)
            answer { $0.connection = .failed(failure) }
            guard let manager = try? await connect(true) else { return }
            await made(manager)
            // Calls have failed with `mediaServicesFailed`, after which programs wait for this.
            if (try? known().get()) != nil { post(.reset) }
        }
    }

    /// Creates the session. Pending calls end only after the observers are registered, and the
    /// session knows the present state.
    private func made(_ manager: AudioSessionManager) async {
        var session: AudioSession?
        let waiting = change { state in
            do {
                let made = try AudioSession(
                    manager: manager, configuration: state.configuration,
                    preferredSampleRate: state.preferences.sampleRate,
                    preferredIOBufferDuration: state.preferences.ioBufferDuration)
                session = made
                let observations = [
                    made.observe { [weak self] in self?.post($0) },
                    manager.observe { [weak self] in self?.post($0) },
                ]
                state.connection = .made(Backend(manager: manager, session: made, observations: observations))
                state.inputs = manager.availableInputs.map(\.uid)
            } catch {
                // The stored values have been validated before, but not the environment's group.
                state.connection = .failed(NSError(error))
            }
        }
        await session?.readState()
        for answer in waiting { answer() }
    }

    private func answer(_ change: (inout State) -> Void) {
        for answer in self.change(change) { answer() }
    }

    /// Changes the stored state under the lock.
    /// - Returns: The calls that waited for it.
    private func change(_ change: (inout State) -> Void) -> [@Sendable () -> Void] {
        state.withLock { state in
            change(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// The result of the connection attempt so far, without waiting.
    private func known() -> Result<Backend, NSError> {
        switch state.withLock(\.connection) {
        case .made(let backend): .success(backend)
        case .failed(let error): .failure(error)
        case .none, .connecting:
            .failure(NSError(.mediaServicesFailed, "PipeWire has not answered yet. Try again."))
        }
    }

    /// The manager; `nil` as long as the session is not connected.
    var connectedManager: AudioSessionManager? { (try? known().get())?.manager }

    /// Registers a callback for the end of a connection attempt in progress.
    ///
    /// - Parameter answer: called when the attempt has ended.
    /// - Returns: whether an attempt is in progress; otherwise `answer` is never called.
    private func wait(_ answer: @escaping @Sendable () -> Void) -> Bool {
        start()
        return state.withLock { state in
            guard case .connecting = state.connection else { return false }
            state.waiting.append(answer)
            return true
        }
    }

    func backend() throws -> Backend {
        let done = DispatchSemaphore(value: 0)
        if BlockingCalls.isOnOwnThread {
            // The attempt to connect needs this thread.
            start()
        } else if wait({ done.signal() }) {
            done.wait()
        }
        return try known().get()
    }

    func backend() async throws -> Backend {
        await withCheckedContinuation { continuation in
            if !wait({ continuation.resume() }) { continuation.resume() }
        }
        return try known().get()
    }

    /// Performs a request and returns after it is done.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (Backend) async throws -> Value
    ) throws -> Value {
        do {
            try checkMayWait()
            let backend: Backend = try backend()
            return try BlockingCalls.wait { try await work(backend) }
        } catch {
            throw NSError(error)
        }
    }

    /// Changes the configuration while no other thread does.
    ///
    /// - Throws: `unspecified` on a thread that may not wait; `mediaServicesFailed` if the change
    ///   of another thread does not end within a second; what the change throws.
    func configure(_ change: () throws -> Void) throws {
        // A handler that PipeWire's thread calls meanwhile would wait for the holder of the lock,
        // which waits for that thread.
        try checkMayWait()
        guard configuring.lock(before: Date() + 1) else {
            throw NSError(
                .mediaServicesFailed, "Another thread's change of the configuration has not ended yet. Try again.")
        }
        defer { configuring.unlock() }
        try change()
    }

    /// Checks that blocking calls do not need the caller's thread.
    ///
    /// - Throws: `unspecified` on PipeWire's thread, and on the one that does the work of such
    ///   calls.
    private func checkMayWait() throws {
        let isOnLoop = (try? known().get())?.manager.isOnOwnThread ?? false
        guard !isOnLoop, !BlockingCalls.isOnOwnThread else {
            throw NSError(
                .unspecified,
                "AVAudioSession's calls wait for PipeWire, and this is a thread that ends their wait. "
                    + "Call it on another thread, or use functions that do not block.")
        }
    }

    // MARK: Notifications

    private func post(_ event: AudioSession.Event) {
        if case .stateChanged(let new, _) = event { post(new) }
        let notification = PostedNotification(event, of: self).map { post($0) }
        switch event {
        case .interruptionBegan: state.withLock { $0.interruption = notification }
        // The end is queued as well, so the program receives both.
        case .interruptionEnded(let options, _):
            state.withLock { $0.interruption = nil }
            post(.recommendation(options.contains(.shouldResume)))
        // The program has activated or deactivated the session, so no end follows. A `began` that a
        // busy main thread has not received yet would leave the program interrupted.
        case .stateChanged(let new, _) where new != .interrupted:
            state.withLock(\.interruption)?.cancel()
        default: break
        }
    }

    /// Posts the notifications of iOS 27, which state whether the session is active.
    private func post(_ new: AudioSession.State) {
        let isActive = new == .active
        let isNew = state.withLock { state in
            defer { state.isActive = isActive }
            return state.isActive != isActive
        }
        guard isNew else { return }
        playback.setActive(isActive)
        post(isActive ? .active : .inactive(bySystem: new == .interrupted))
    }

    private func post(_ event: AudioSessionManager.Event) {
        guard case .availablePortsChanged = event, let backend = try? known().get() else { return }
        let inputs = backend.manager.availableInputs.map(\.uid)
        let isNew = state.withLock { state in
            defer { state.inputs = inputs }
            return state.inputs != inputs
        }
        if isNew { post(.inputs) }
    }

    /// Queues a notification for its observers.
    ///
    /// - Returns: the queued work, which can be cancelled.
    @discardableResult
    private func post(_ notification: PostedNotification) -> DispatchWorkItem {
        // Weak, because the state holds the work.
        let work = DispatchWorkItem { [weak self] in
            guard let session = self?.owner.withLock(\.session) else { return }
            NotificationCenter.default.post(name: notification.name, object: session, userInfo: notification.userInfo)
        }
        let queue = notification.isForMainThread ? DispatchQueue.main : routeChanges
        queue.async(execute: work)
        return work
    }
}
