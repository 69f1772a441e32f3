public import AudioSessionCore

extension AudioSession {
    /// Tells sessions apart, on the whole machine.
    public struct ID: Sendable, Hashable, CustomStringConvertible {
        let token: SessionUUID

        /// A uuid in lower case.
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

    /// Whether a session has its turn.
    public typealias State = AudioSessionState
    /// A session of another program that did something to this one.
    public typealias Cause = AudioSessionCause
    /// What a session notifies its listeners of, in the order in which it happens.
    public typealias Event = AudioSessionEvent
    /// Why nothing, or less, is heard of a session.
    public typealias Silence = AudioSessionSilence

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
        var targets = RouteTargets()
        var outputTarget: String?
        var inputTarget: String?
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
