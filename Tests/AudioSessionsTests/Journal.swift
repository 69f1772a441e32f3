import AudioSessions
import PipeWireGraph
import TestSupport

/// The notifications of a session, in short.
final class Journal: Sendable {
    enum Entry: Sendable, Hashable {
        case state(AudioSession.State)
        case began(by: String?)
        case ended(shouldResume: Bool)
        case ducking(Float, by: String?)
        case hint(SilenceSecondaryAudioHintType)
        case noisy
        case other
    }

    private let entries = Locked<[Entry]>([])
    private let cause = Locked<AudioSession.Peer?>(nil)
    private let observation = Locked<EventObservation?>(nil)

    init(_ session: AudioSession) {
        let (entries, cause) = (entries, cause)
        let observation = session.observe { event in
            if case .interruptionBegan(_, let by, _) = event { cause.withLock { $0 = by } }
            if !event.isSilenceChange { entries.withLock { $0.append(Entry(event)) } }
        }
        self.observation.withLock { $0 = observation }
    }

    var lastCause: AudioSession.Peer? { cause.withLock(\.self) }

    /// The entries since the last call.
    func take() -> [Entry] {
        entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }
}

extension Journal.Entry {
    init(_ event: AudioSession.Event) {
        self =
            switch event {
            case .stateChanged(let state, _): .state(state)
            case .interruptionBegan(_, let by, _): .began(by: by.applicationName)
            case .interruptionEnded(let options, _): .ended(shouldResume: options.contains(.shouldResume))
            case .ducking(let gain, let by, _): .ducking(gain, by: by.first?.applicationName)
            case .silenceSecondaryAudioHint(let type, _): .hint(type)
            case .becameNoisy: .noisy
            default: .other
            }
    }
}
