public import AudioSessionCore

extension AudioSession {
    /// The identity of a session, unique on the computer.
    public struct ID: Sendable, Hashable, CustomStringConvertible {
        let token: SessionUUID

        /// The session's UUID in lower case.
        public var description: String { token.description }

        static func random() -> ID {
            while true {
                var bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
                bytes[6] = bytes[6] & 0x0f | 0x40
                bytes[8] = bytes[8] & 0x3f | 0x80
                let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
                let parts = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
                if let token = SessionUUID(parts.joined(separator: "-")) { return ID(token: token) }
            }
        }
    }

    /// A session's state: inactive, active or interrupted.
    public typealias State = AudioSessionState
    /// A session of another program that caused a change of this one.
    public typealias Cause = AudioSessionCause
    /// An event of a session. Listeners receive events in the order in which they happen.
    public typealias Event = AudioSessionEvent
    /// A reason why a session is silent or quieter than usual.
    public typealias Silence = AudioSessionSilence

    /// The result of deactivating a session.
    public struct DeactivationReport: Sendable, Hashable {
        /// The names of the streams that still ran, and were stopped. Apple fails with `isBusy`
        /// instead.
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
        /// The session's own choice; `nil` for the default ports.
        var choice: RouteChoice?
        var targets = RouteTargets()
        var outputTarget: String?
        var inputTarget: String?
        /// The session's route; `nil` until the session is open.
        var route: RouteDescription?
        var resumesOnReplug = false
        var replugLimit = AudioSession.usualReplugLimit
        var soundPreferences = SoundPreferences()
        /// The session's numbers; `nil` while it uses those of the computer's default ports.
        var sound: SoundState?
        var leavesSilently = false
    }
}
