/// A media player of another program, as the desktop's bus shows it (MPRIS).
package struct UnmanagedPlayer: Sendable, Hashable {
    /// The player's own name on the bus, such as "mpv" or "firefox.instance_1_36".
    package let name: String
    /// The ID of the process that owns the name; `nil` if it is unknown.
    package let processID: Int?
    /// The player's unique name on the bus, which is never reused.
    package let owner: String
    /// The names of the streams of its program.
    package var streamNames: Set<String> = []

    package init(name: String, processID: Int?, owner: String) {
        self.name = name
        self.processID = processID
        self.owner = owner
    }

    /// The player's name on the bus, with and without the instance, and those of its streams.
    package var names: [String] { [name, String(name.prefix { $0 != "." })] + streamNames }

    package enum Status: String, Sendable {
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }
}

/// A change of an unmanaged player or stream that a session caused or ended.
package enum UnmanagedAudioEvent: Sendable, Hashable {
    /// The player was paused for the session, and the streams of its program have stopped.
    case paused(UnmanagedPlayer)
    /// The streams of the player's program were muted, because they still ran 100 ms after the
    /// player was asked to pause, or because the player did not answer whether it plays.
    ///
    /// They are unmuted when the session becomes inactive. If they stop before that, `paused`
    /// follows. Some browsers keep a stream running while they are paused.
    case muted(UnmanagedPlayer)
    /// The player was resumed, because the session is inactive and no other session needs it
    /// silent.
    case resumed(UnmanagedPlayer)
    /// The session does not control the player any more. The user resumed or stopped it meanwhile,
    /// it ended, or another session needs it silent and will resume it.
    case released(UnmanagedPlayer)
    /// The stream was ducked to this gain, 0 to 1, which multiplies its own volume.
    case ducked(UnmanagedStream, gain: Float)
    /// The session does not duck the stream any more. Its volume is restored unless another session
    /// ducks it, or it has ended.
    case restored(UnmanagedStream)
    /// The session manager itself ducks streams by their roles (WirePlumber's role policy), so they
    /// are not ducked again.
    case leftToRolePolicy
    /// The desktop's bus cannot be reached, or was lost, so no player is paused; the connection is
    /// tried again at each activation. Or PipeWire cannot be reached, so no stream is ducked; the
    /// connection is tried again every second.
    case unavailable(reason: String)
}
