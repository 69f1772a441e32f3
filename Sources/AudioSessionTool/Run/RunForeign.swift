import AudioSessionDesktop
import AudioSessions
import PipeWireGraph

/// Applies the session's state to programs without sessions.
///
/// It needs a thread and a connection to the session bus, which are made when a policy is set.
final class RunForeign: Sendable {
    private let session: AudioSession
    private let tell: @Sendable (ForeignAudioEvent) -> Void
    private let made = Locked<Made?>(nil)

    private struct Made: Sendable {
        let audio: ForeignAudio
        let observation: EventObservation
    }

    init(session: AudioSession, tell: @escaping @Sendable (ForeignAudioEvent) -> Void) {
        self.session = session
        self.tell = tell
    }

    /// Sets the policy for the next activation and all later ones. The first policy is `leave`.
    func setPolicy(_ policy: ForeignAudioPolicy?) throws(AudioSessionError) {
        if let made = made.withLock(\.self) { return made.audio.setPolicy(policy) }
        guard policy != .leave else { return }
        let audio = try ForeignAudio(session: session, policy: policy)
        let new = Made(audio: audio, observation: audio.observe(tell))
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
