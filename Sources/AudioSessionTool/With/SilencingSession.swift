import AudioSessionDesktop
import AudioSessions
import PipeWireGraph

/// A session of `with`, `duck` or `pause`, with its effect on programs without sessions.
struct SilencingSession: Sendable {
    /// The time limit of each answer of PipeWire. It is short because a script waits meanwhile.
    static let timeout = Duration.seconds(1)

    let session: AudioSession
    private let manager: AudioSessionManager
    private let unmanaged: UnmanagedAudio
    private let hosted: HostedProgram?
    private let observations: [EventObservation]

    /// Connects to PipeWire and makes an inactive session.
    ///
    /// - Parameters:
    ///   - silencing: The configuration and its effect on other programs.
    ///   - remote: The daemon's socket; `nil` for the one that the environment names.
    ///   - name: The name by which other programs see this one.
    ///   - isHost: Whether the processes that this one starts follow the session.
    ///   - onEvent: Called with a line for each event.
    /// - Throws: The error of the connection or of the session.
    init(
        _ silencing: Silencing, remote: String?, name: String, isHost: Bool = false,
        onEvent: (@Sendable (JSONValue) -> Void)? = nil
    ) async throws(AudioSessionError) {
        let manager = try await AudioSessionManager.connect(
            .init(remote: remote, applicationName: name, timeout: Self.timeout))
        do throws(AudioSessionError) {
            let session = try AudioSession(manager: manager, configuration: silencing.configuration)
            let unmanaged = try UnmanagedAudio(session: session, exceptions: silencing.exceptions)
            hosted = isHost ? try HostedProgram(session: session) : nil
            let lines =
                onEvent.map { onEvent in
                    [
                        session.observe { onEvent(RunFormat.event($0)) },
                        unmanaged.observe { onEvent(RunFormat.event($0)) },
                    ]
                } ?? []
            // The session has no sound that a lost output could stop.
            let losses = session.observe { [weak session] event in
                if case .becameNoisy = event { session?.ignoreLossOfOwnSound() }
            }
            observations = lines + [losses]
            (self.session, self.unmanaged, self.manager) = (session, unmanaged, manager)
        } catch {
            await manager.close()
            throw error
        }
    }

    /// Calls `body` at the end of each interruption, when the session may be activated again.
    func observeEndOfInterruption(_ body: @escaping @Sendable () -> Void) -> EventObservation {
        session.observe { event in if case .interruptionEnded = event { body() } }
    }

    /// Deactivates the session, and returns when other programs are restored, without waiting for a
    /// headset.
    func deactivate() async {
        // The session is inactive even if PipeWire does not answer.
        _ = try? await session.deactivate()
        await unmanaged.waitUntilRestored(awaitingHeadset: false)
    }

    /// Deactivates the session, and returns when other programs are restored. The cancellation of
    /// the task ends only the wait for a headset, which leaves the players to the watchdog.
    func restore() async {
        await deactivate()
        await unmanaged.waitForHeadset()
    }

    /// Pauses or mutes the processes that this one started, until the session is active.
    func silenceHosted() async { await hosted?.activationRefused() }

    func close() async {
        await deactivate()
        await leave()
    }

    /// Ends, and leaves what is not restored yet to the watchdog.
    func leave() async {
        for observation in observations { observation.cancel() }
        await hosted?.close()
        await unmanaged.close()
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
