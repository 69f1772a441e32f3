@_spi(Compatibility) package import AudioSessions
import Dispatch
public import Foundation

/// The program's audio session, with the interface of Apple's `AVAudioSession`, for existing code.
///
/// It wraps one `AudioSession` of the library with its own connection to PipeWire. New programs
/// should use `AudioSession`: its calls do not block, its events are typed, and a program may have
/// several.
///
/// Calls block as on iOS, and may be made on any thread, including the main thread. If PipeWire
/// does not answer, they fail with `mediaServicesFailed` after at most a second. In a handler on
/// PipeWire's own thread (`AudioSession.observe`) they fail with `unspecified`.
/// `Docs/ComingFromAVAudioSession.md` states for each symbol whether it works.
public final class AVAudioSession: NSObject, Sendable {
    package typealias Connect =
        @Sendable (_ waitsForPipeWire: Bool) async throws -> AudioSessionManager

    private static let instance = Locked<AVAudioSession?>(nil)
    private let connect: Connect
    private let routeChanges = DispatchQueue(label: "AVAudioSession.routeChange")
    let state = Locked(State())

    struct State {
        var connection = Connection.none
        /// Callbacks of calls that wait until the first connection attempt has ended.
        var waiting: [@Sendable () -> Void] = []
        var configuration = State.initialConfiguration
        var options: CategoryOptions = []
        var inputs: [String] = []
        var wishes = Wishes()
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

    /// The program's session. The first call starts to post notifications.
    public static func sharedInstance() -> AVAudioSession {
        let session = instance.withLock { instance in
            let session =
                instance
                ?? AVAudioSession { waits in
                    try await AudioSessionManager.connect(configuration(waitsForPipeWire: waits))
                }
            instance = session
            return session
        }
        session.start()
        return session
    }

    /// The configuration of a connection. Its timeout is one second, because calls block the main
    /// thread of most programs.
    ///
    /// - Parameters:
    ///   - remote: name or absolute path of the daemon's socket; `nil` uses the environment.
    ///   - waitsForPipeWire: whether the connection waits for PipeWire to start. No call waits for
    ///     it.
    package static func configuration(
        remote: String? = nil, waitsForPipeWire: Bool
    ) -> AudioSessionManager.Configuration {
        var configuration = AudioSessionManager.Configuration(
            remote: remote, timeout: .seconds(1), waitsForPipeWire: waitsForPipeWire)
        configuration.waitsWithoutLimit = waitsForPipeWire
        return configuration
    }

    /// Replaces the shared session, for tests.
    package static func share(_ session: AVAudioSession?) { instance.withLock { $0 = session } }

    package init(connect: @escaping Connect) { self.connect = connect }

    // MARK: Connection

    /// Begins to connect and returns at once.
    package func start() {
        let isFirst = state.withLock { state in
            guard case .none = state.connection else { return false }
            state.connection = .connecting
            return true
        }
        guard isFirst else { return }
        BlockingCalls.begin { [self] in await open() }
    }

    /// Connects to PipeWire. The first failure ends all pending calls, but the session still
    /// connects when PipeWire starts later.
    private func open() async {
        do {
            made(try await connect(false))
        } catch {
            let failure = NSError(error)
            answer { $0.connection = .failed(failure) }
            guard let manager = try? await connect(true) else { return }
            made(manager)
        }
    }

    /// Creates the session. Pending calls end only after the observers are registered.
    private func made(_ manager: AudioSessionManager) {
        answer { state in
            // The stored values have been validated before.
            guard
                let session = try? AudioSession(
                    manager: manager, configuration: state.configuration,
                    preferredSampleRate: state.preferences.sampleRate,
                    preferredIOBufferDuration: state.preferences.ioBufferDuration)
            else { return }
            let observations = [
                session.observe { [weak self] in self?.post($0) }, manager.observe { [weak self] in self?.post($0) },
            ]
            state.connection = .made(Backend(manager: manager, session: session, observations: observations))
            state.inputs = manager.availableInputs.map(\.uid)
        }
    }

    private func answer(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for answer in waiting { answer() }
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

    package func backendWhenKnown() throws -> (AudioSessionManager, AudioSession) {
        let backend = try backend()
        return (backend.manager, backend.session)
    }

    func backend() throws -> Backend {
        let done = DispatchSemaphore(value: 0)
        if wait({ done.signal() }) { done.wait() }
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
            let backend: Backend = try backend()
            guard !backend.manager.isOnOwnThread else {
                throw NSError(
                    .unspecified,
                    "AVAudioSession's calls wait for PipeWire, and this is the thread of PipeWire's loop. "
                        + "Call it on another thread, or use AudioSession, whose calls do not block.")
            }
            return try BlockingCalls.wait { try await work(backend) }
        } catch {
            throw NSError(error)
        }
    }

    // MARK: Notifications

    private func post(_ event: AudioSession.Event) {
        guard let news = News(event, of: self) else { return }
        post(news)
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

    private func post(_ news: News) {
        let queue = news.isForMainThread ? DispatchQueue.main : routeChanges
        queue.async { [self] in
            NotificationCenter.default.post(name: news.name, object: self, userInfo: news.userInfo)
        }
    }
}
