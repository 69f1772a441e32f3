import AudioSessionDesktop
import AudioSessions
import PipeWireGraph

/// Applies the session's state to programs without sessions.
///
/// It needs a thread and a connection to the session bus, which are made when a policy is set.
final class RunUnmanaged: Sendable {
    private let session: AudioSession
    private let onEvent: @Sendable (UnmanagedAudio.Event) -> Void
    private let made = Locked<Made?>(nil)

    private struct Made: Sendable {
        let audio: UnmanagedAudio
        let observation: EventObservation
    }

    init(session: AudioSession, onEvent: @escaping @Sendable (UnmanagedAudio.Event) -> Void) {
        self.session = session
        self.onEvent = onEvent
    }

    /// Applies the policy in the session's configuration from the next activation on.
    func begin() throws(AudioSessionError) {
        guard made.withLock({ $0 == nil }) else { return }
        let audio = try UnmanagedAudio(session: session)
        let new = Made(audio: audio, observation: audio.observe(onEvent))
        made.withLock { $0 = new }
    }

    func close() async {
        let last = made.withLock { made in
            defer { made = nil }
            return made
        }
        last?.observation.cancel()
        await last?.audio.close()
    }
}
