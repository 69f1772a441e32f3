import AudioSessionDesktop
import AudioSessions
import PipeWireGraph

/// What the session means to players of programs without sessions. It takes a thread, and a connection to the session bus,
/// so it is made when they are first spoken of.
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

    /// From the next activation on. They are left alone at first.
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
