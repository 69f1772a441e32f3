public import AudioSessionCore
import AudioSessions
import PipeWireGraph

extension UnmanagedAudio {
    /// The programs that an ``UnmanagedAudio`` leaves unchanged.
    public typealias Exceptions = UnmanagedAudioExceptions

    /// A media player of a program without sessions, as the desktop's bus shows it (MPRIS).
    public struct Player: Sendable, Hashable {
        /// The player's own name on the bus, such as "mpv" or "firefox.instance_1_36".
        public let name: String
        /// The ID of the process that owns the name; `nil` if it is unknown.
        public let processID: Int?

        init(_ player: UnmanagedPlayer) { (name, processID) = (player.name, player.processID) }
    }

    /// A stream of a program without sessions.
    public struct Stream: Sendable, Hashable {
        /// The name of the program; without one, that of the stream.
        public let name: String
        /// The process ID that PipeWire verified. A stream through pipewire-pulse has the one that
        /// its program claims, and none if the program is in a Flatpak.
        public let processID: Int?

        init(_ stream: UnmanagedStream) { (name, processID) = (stream.name, stream.processID) }
    }

    /// A change of an unmanaged player or stream that the session caused or ended.
    ///
    /// Later versions may add cases, so a `switch` in another package ends with `@unknown default`.
    @nonexhaustive
    public enum Event: Sendable, Hashable {
        /// The player was paused for the session, and the streams of its program have stopped.
        case paused(Player, at: MonotonicTime)
        /// The streams of the player's program were muted, because they still ran 100 ms after the
        /// player was asked to pause, or because the player did not answer whether it plays.
        ///
        /// They are unmuted when the session becomes inactive. If they stop before that, `paused`
        /// follows. Some browsers keep a stream running while they are paused.
        case muted(Player, at: MonotonicTime)
        /// The player was resumed, because the session is inactive and no other session needs it
        /// silent.
        case resumed(Player, at: MonotonicTime)
        /// The session does not control the player any more. The user resumed or stopped it
        /// meanwhile, it ended, or another session needs it silent and will resume it.
        case released(Player, at: MonotonicTime)
        /// The stream was ducked to this gain, 0 to 1, which multiplies its own volume.
        case ducked(Stream, gain: Float, at: MonotonicTime)
        /// The session does not duck the stream any more. Its volume is restored unless another
        /// session ducks it, or it has ended.
        case restored(Stream, at: MonotonicTime)
        /// The session manager itself ducks streams by their roles (WirePlumber's role policy), so
        /// they are not ducked again.
        case leftToRolePolicy(at: MonotonicTime)
        /// The desktop's bus cannot be reached, or was lost, so no player is paused; the connection
        /// is tried again at each activation. Or PipeWire cannot be reached, so no stream is
        /// ducked; the connection is tried again every second.
        case unavailable(reason: String, at: MonotonicTime)
    }
}

extension UnmanagedAudio.Event {
    init(_ event: UnmanagedAudioEvent, at time: MonotonicTime) {
        self =
            switch event {
            case .paused(let player): .paused(.init(player), at: time)
            case .muted(let player): .muted(.init(player), at: time)
            case .resumed(let player): .resumed(.init(player), at: time)
            case .released(let player): .released(.init(player), at: time)
            case .ducked(let stream, let gain): .ducked(.init(stream), gain: gain, at: time)
            case .restored(let stream): .restored(.init(stream), at: time)
            case .leftToRolePolicy: .leftToRolePolicy(at: time)
            case .unavailable(let reason): .unavailable(reason: reason, at: time)
            }
    }
}
