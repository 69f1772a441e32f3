import AudioSessionDesktop
import AudioSessions
import PipeWireGraph

/// A session, and what it means to programs without sessions, as `with`, `duck` and `pause` hold it.
struct SilencingSession: Sendable {
    /// What PipeWire may take for each answer: a script waits meanwhile.
    static let timeout = Duration.seconds(1)

    let session: AudioSession
    private let manager: AudioSessionManager
    private let foreign: ForeignAudio
    private let hosted: HostedProgram?
    private let observations: [EventObservation]

    /// - Parameters:
    ///   - name: what others see this program as.
    ///   - isHost: whether the processes that this one starts follow the session.
    ///   - tell: is called with a line for each event.
    init(
        _ silencing: Silencing, remote: String?, name: String, isHost: Bool = false,
        tell: (@Sendable (JSONValue) -> Void)? = nil
    ) async throws(AudioSessionError) {
        let manager = try await AudioSessionManager.connect(
            .init(remote: remote, applicationName: name, timeout: Self.timeout))
        do throws(AudioSessionError) {
            let session = try AudioSession(manager: manager, configuration: silencing.configuration)
            let foreign = try ForeignAudio(
                session: session, policy: silencing.policy, exceptions: silencing.exceptions)
            hosted = isHost ? try HostedProgram(session: session) : nil
            observations =
                tell.map { tell in
                    [
                        session.observe { tell(RunFormat.event($0)) },
                        foreign.observe { tell(RunFormat.event($0)) },
                    ]
                } ?? []
            (self.session, self.foreign, self.manager) = (session, foreign, manager)
        } catch {
            await manager.close()
            throw error
        }
    }

    /// Calls `body` at the end of each interruption, when the session may be activated again.
    func observeEndOfInterruption(_ body: @escaping @Sendable () -> Void) -> EventObservation {
        session.observe { event in if case .interruptionEnded = event { body() } }
    }

    /// Lets others be heard, and returns when everything is as it was.
    func deactivate() async {
        // It is inactive even if PipeWire does not answer.
        _ = try? await session.deactivate()
        await foreign.waitUntilRestored()
    }

    func close() async {
        await deactivate()
        for observation in observations { observation.cancel() }
        await hosted?.close()
        await foreign.close()
        await manager.close()
    }
}

extension CommandStateMachine.NotActivated {
    init(_ error: AudioSessionError) {
        self =
            switch error.code {
            case .insufficientPriority, .cannotInterruptOthers: .refused
            default: .unavailable
            }
    }
}
