/// A media player of another program, as it shows on the desktop's bus (MPRIS).
public struct ForeignPlayer: Sendable, Hashable {
    /// What it calls itself there: "mpv", "firefox.instance_1_36".
    public let name: String
    /// Of the process that owns that name.
    public let processID: Int?
    /// Its address on the bus, never given to another one.
    package let owner: String

    package init(name: String, processID: Int?, owner: String) {
        self.name = name
        self.processID = processID
        self.owner = owner
    }

    package enum Status: String, Sendable {
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }
}

/// What a session's turn means to programs that know nothing of sessions.
public enum ForeignAudioPolicy: String, Sendable, Hashable, CaseIterable {
    /// They go on as they are.
    case leave
    /// Their media players are paused while the session has its turn, and play again afterwards.
    case pause
    /// Their streams are lowered while the session is active.
    case duck
}

/// What became of programs that know nothing of sessions.
public enum ForeignAudioEvent: Sendable, Hashable {
    /// It was paused for the session, and the streams of its program have stopped.
    case paused(ForeignPlayer)
    /// The streams of its program were muted, because they still ran 100 ms after it was told to pause. They are heard
    /// again when the session's turn is over. If they stop before that, `paused` follows. Some browsers keep a stream
    /// running while they are paused.
    case muted(ForeignPlayer)
    /// The session's turn is over, and nobody else wants silence: it plays again.
    case resumed(ForeignPlayer)
    /// It is not our concern any more: somebody let it play or stopped it meanwhile, it ended, or another session that
    /// wants silence is to let it go on.
    case released(ForeignPlayer)
    /// What it was lowered to: 0 to 1, times its own volume.
    case ducked(ForeignStream, gain: Float)
    /// It is not our concern any more: it is as loud as before, unless another session still lowers it, or it ended.
    case restored(ForeignStream)
    /// The session manager itself lowers streams by their roles (WirePlumber's role policy), and nobody is lowered twice.
    case leftToRolePolicy
    /// The desktop's bus cannot be reached, or was lost: no player is paused, now and until it can. With each turn that is
    /// tried again. Or PipeWire cannot, and no stream is lowered; that is tried again every second.
    case unavailable(reason: String)
}
