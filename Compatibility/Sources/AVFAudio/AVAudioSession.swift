@_spi(Compatibility) package import AudioSessions
import Dispatch
public import Foundation

/// The program's audio session, in the words of iOS: for code that was written for it.
///
/// It is one `AudioSession` of the library, on a connection to PipeWire of its own. New programs had better use that one:
/// its calls do not block, its events are typed, and a program may have several. Calls here block as on iOS, for a second
/// at most while PipeWire does not answer (they fail with `mediaServicesFailed`), and may be
/// made on any thread, the main one included; only in a handler on PipeWire's own thread (`AudioSession.observe`) they fail
/// with `unspecified`. `Docs/ComingFromAVAudioSession.md` says of each symbol whether it works.
public final class AVAudioSession: NSObject, Sendable {
    package typealias Connect =
        @Sendable (_ waitsForPipeWire: Bool) async throws -> AudioSessionManager

    private static let instance = Locked<AVAudioSession?>(nil)
    private let connect: Connect
    private let routeChanges = DispatchQueue(label: "AVAudioSession.routeChange")
    let state = Locked(State())

    struct State {
        var connection = Connection.none
        /// Those who wait until it is known whether there is a PipeWire.
        var waiting: [@Sendable () -> Void] = []
        var configuration = AudioSessionConfiguration()
        var options: CategoryOptions = []
        var inputs: [String] = []
        var wishes = Wishes()
        /// What a session prefers that is made after they were set.
        var preferences = Preferences()
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

    /// The program's session. From the first call on the notifications are posted.
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

    /// Calls block, on the main thread of most programs: for a second at most.
    ///
    /// - Parameter waitsForPipeWire: whether this is the connection that no call waits for.
    package static func configuration(
        remote: String? = nil, waitsForPipeWire: Bool
    ) -> AudioSessionManager.Configuration {
        var configuration = AudioSessionManager.Configuration(
            remote: remote, timeout: .seconds(1), waitsForPipeWire: waitsForPipeWire)
        configuration.waitsWithoutLimit = waitsForPipeWire
        return configuration
    }

    /// For tests: what is shared from now on.
    package static func share(_ session: AVAudioSession?) { instance.withLock { $0 = session } }

    package init(connect: @escaping Connect) { self.connect = connect }

    // MARK: Connection

    /// Begins to connect, without waiting for it.
    package func start() {
        let isFirst = state.withLock { state in
            guard case .none = state.connection else { return false }
            state.connection = .connecting
            return true
        }
        guard isFirst else { return }
        BlockingCalls.begin { [self] in await open() }
    }

    /// Whoever waits is told of the first failure; a PipeWire that comes later is found all the same.
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

    /// Nobody is answered before news are heard of.
    private func made(_ manager: AudioSessionManager) {
        answer { state in
            // What was kept was looked at before it was kept.
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

    /// What is known without waiting.
    private func known() -> Result<Backend, NSError> {
        switch state.withLock(\.connection) {
        case .made(let backend): .success(backend)
        case .failed(let error): .failure(error)
        case .none, .connecting:
            .failure(NSError(.mediaServicesFailed, "PipeWire has not answered yet. Try again."))
        }
    }

    /// - Returns: whether there was anything to wait for; then `answer` is called when that is over.
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

    /// Does what the session asks for, and returns when it is done.
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
