public import AudioSessionCore

extension AudioSession {
    /// Tells sessions apart, on the whole machine.
    public struct ID: Sendable, Hashable, CustomStringConvertible {
        let token: TokenSession

        /// A uuid in lower case.
        public var description: String { token.description }

        static func random() -> ID {
            while true {
                var bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
                bytes[6] = bytes[6] & 0x0f | 0x40
                bytes[8] = bytes[8] & 0x3f | 0x80
                let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
                let parts = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
                if let token = TokenSession(parts.joined(separator: "-")) { return ID(token: token) }
            }
        }
    }

    /// Whether a session has its turn.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// `interrupted` sessions keep their place and are silent; after the end they are `inactive` until they go
        /// on.
        case inactive, active, interrupted
    }

    /// A session that did something to this one. PipeWire vouches for the process; the name is what the program calls
    /// itself.
    public struct Cause: Sendable, Hashable {
        /// The session's uuid.
        public var session: String { name.description }
        /// What the program calls itself; `nil` if it has no name.
        public let applicationName: String?
        /// The process, as PipeWire knows it.
        public let processID: Int?
        // Its text takes longer to write than all that has to be done before it may be told.
        private let name: Name

        private enum Name: Sendable, Hashable, CustomStringConvertible {
            case token(TokenSession)
            case text(String)

            init(_ text: String) {
                let token = TokenSession(text)
                self = if let token, token.description == text { .token(token) } else { .text(text) }
            }

            var description: String {
                switch self {
                case .token(let token): token.description
                case .text(let text): text
                }
            }
        }

        /// For tests: what a program is told comes from PipeWire.
        public init(session: String, applicationName: String?, processID: Int?) {
            (name, self.applicationName, self.processID) = (Name(session), applicationName, processID)
        }

        init(_ cause: BoardCause) {
            (name, applicationName, processID) = (.token(cause.session), cause.application, cause.processID)
        }
    }

    /// What a session is told, in the order in which it happens.
    public enum Event: Sendable, Hashable {
        /// The session's ``AudioSession/state`` is another one.
        case stateChanged(State)
        /// Another session took over. The session's players are silent already.
        case interruptionBegan(reason: InterruptionReason, by: Cause, at: MonotonicTime)
        /// Nobody is in the way any more. With `shouldResume` the turn is kept for 3 seconds for ``activate(_:)``.
        case interruptionEnded(options: InterruptionOptions, at: MonotonicTime)
        /// Others lower this session's sound to `gain`, or do no longer (`gain` 1). Or silent mode does, to 0 and by
        /// nobody.
        case ducking(gain: Float, by: [Cause])
        /// The output that the sound went to is gone. Comes before ``routeChanged(_:)``, and not to sessions that mix nor
        /// to calls, which go on elsewhere.
        case becameNoisy(PortDescription, at: MonotonicTime)
        /// ``AudioSession/currentRoute`` is another one: the session's sound goes, or comes from, elsewhere. Or category, mode or
        /// options changed while the session was active, and the ports are the same.
        case routeChanged(RouteChange)
        /// Something that silenced the session is over, and it may be heard again; its turn is not kept for it. Only if
        /// it was asked for: see ``AudioSession/setResumesOnReplug(_:within:)``.
        case resumeAdvice(reason: ResumeAdviceReason, at: MonotonicTime)
        /// Only while the session is active.
        case silenceSecondaryAudioHint(SilenceSecondaryAudioHintType)
        /// The volume of the output in use, or its mute: the user moved it, or sound goes to another output. Never told for
        /// what a session does; what others lower it to is ``ducking(gain:by:)``.
        case outputVolumeChanged(previous: OutputVolume, current: OutputVolume)
        /// The gain of the input in use, by whomever.
        case inputGainChanged(previous: Float, current: Float)
        /// Sample rate, I/O buffer, latencies or channels are others than before; a latency by a millisecond at least.
        /// Comes before the ``routeChanged(_:)`` that it belongs to. The library's players and recorders go on in the
        /// format that they have.
        case hardwareFormatChanged(previous: HardwareFormat, current: HardwareFormat)
        /// PipeWire is gone. The session keeps its place, its players are silent, and ``AudioSession/activate(_:)`` fails
        /// until it is back.
        case mediaServicesLost
        /// PipeWire is back: the session has its place again, and is what it was. Its players start nothing by themselves.
        case mediaServicesReset
    }

    /// Why nothing, or less, is heard of a session.
    public enum Silence: Sendable, Hashable {
        /// It is not its turn: it did not ask, or gave it up.
        case inactive
        /// Others have the turn: the oldest of them first.
        case interrupted(by: [Cause])
        /// The interruption is over, and the program has not gone on yet.
        case advised
        /// Others lower it, to `gain` of its amplitude.
        case ducked(gain: Float, by: [Cause])
        /// The machine is in silent mode, which sessions of this category follow.
        case silentMode
        /// The user has muted its output, or its streams.
        case muted
        /// What it records is silence: its microphone is muted, by the program or by the user. What it plays is heard.
        case inputMuted
        /// Its output went, and it does not go on elsewhere by itself.
        case routeLost
        /// There is no PipeWire.
        case daemonLost
        /// It could be heard, but its program plays nothing.
        case paused
    }

    /// What deactivating found.
    public struct DeactivationReport: Sendable, Hashable {
        /// Names of the streams that still ran. Apple's `isBusy`, as information.
        public let stoppedStreams: [String]
    }

    struct Snapshot: Sendable {
        var configuration: Configuration
        var state = State.inactive
        var gain: Float = 1
        var silence: [Silence] = [.inactive]
        var isOtherAudioPlaying = false
        var hint = false
        var preferences = RoutePreferences()
        /// `nil`: the machine's default.
        var choice: RouteChoice?
        /// `nil` until the session is open.
        var route: RouteDescription?
        var resumesOnReplug = false
        var replugLimit = AudioSession.usualReplugLimit
        var soundPreferences = SoundPreferences()
        /// `nil`: it did nothing yet that needs more than the machine's.
        var sound: SoundState?
        var leavesSilently = false
    }
}
