extension UnmanagedPlayers {
    /// What was reported of a player.
    enum Report: Sendable {
        case none, paused, muted
    }

    /// A player that must be silent, or is asked for its status.
    struct Entry: Sendable {
        var player: UnmanagedPlayer
        var program: ProgramTrace
        /// Whether the player had time to obey, or was never asked to pause.
        var isTimeOver = false
        /// Whether the streams that continue were determined after that time.
        var isDecided = false
        /// The status with which the player obeyed; `nil` until it reports one. Radios obey *Pause*
        /// by stopping.
        var silentStatus: UnmanagedPlayer.Status?
        var refuses = false
        var isReleasing = false
        /// Whether a query of its status is pending; `isStale` if its answer may be out of date.
        var isAsked = false
        var isStale = false
        /// The audible streams of its program; `nil` if they are unknown.
        var audible: [ObjectID]?
        var muted: Set<ObjectID> = []
        var report = Report.none

        var saysPaused: Bool { silentStatus != nil }

        /// Whether the streams of its program still matter.
        var needsStreams: Bool {
            !isReleasing && (report == .none || !isDecided || !saysPaused || !muted.isEmpty)
        }
    }
}

extension UnmanagedPlayers.Entry {
    mutating func match(_ streams: [UnmanagedPlayers.AudibleStream]?) {
        audible = streams?.filter { $0.program.isSameProgram(as: program) }.map(\.id)
    }

    mutating func settle() {
        guard let audible else {
            // Nothing can be muted, and only the player's own status is known.
            if !muted.isEmpty { isDecided = false }
            muted = []
            if isTimeOver, saysPaused, report == .none { report = .paused }
            return
        }
        if isTimeOver {
            // If a player reports that it is paused, streams that begin later are not its own: its
            // user plays something else.
            muted = isDecided && saysPaused ? muted.intersection(audible) : Set(audible)
            isDecided = true
        }
        if !muted.isEmpty {
            report = .muted
        } else if audible.isEmpty, !refuses {
            report = .paused
        }
    }
}
