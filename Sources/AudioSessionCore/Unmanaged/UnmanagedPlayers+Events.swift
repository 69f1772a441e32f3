extension UnmanagedPlayers {
    package enum Event: Sendable, Hashable {
        /// Players must be silent from now on.
        case turnBegan
        /// As ``turnBegan``, but streams of programs without players are muted as well. Sent also
        /// if a loss of the output ends while the session is interrupted or refused. The players
        /// that were paused for the loss stay paused.
        case silenceBegan
        /// The output in use was lost. Players are paused as after ``silenceBegan``, and stay
        /// paused at the end of this process. ``UnmanagedStreams`` mutes all streams meanwhile.
        case outputLost
        /// A player with any status exists. Sent before ``found(_:_:_:isClaimed:)``.
        case listed(owner: String, ProgramTrace)
        /// All players were reported, or ``UnmanagedPlayers/surveyLimit`` has passed.
        case surveyed
        /// The session's interruption has ended with the advice to resume, so it may soon be active
        /// again.
        case turnPaused
        /// The session was interrupted.
        case interrupted
        case turnEnded(restores: Bool)
        /// The outputs in use by the computer.
        case outputsRead([PortDescription])
        /// ``HeadsetMode/returnLimit`` has passed since ``Action/awaitHeadset(_:)``.
        case headsetLate
        /// A player of a program that plays on this computer was found, with its status; `nil` if
        /// it does not answer. The event is reported after ``Action/survey``.
        case found(UnmanagedPlayer, ProgramTrace, UnmanagedPlayer.Status?, isClaimed: Bool)
        case statusChanged(owner: String, UnmanagedPlayer.Status)
        /// The player reported a change of its status without the new value.
        case statusInvalidated(owner: String)
        /// The answer to ``Action/ask(owner:)``; `nil` if there was none.
        case answered(owner: String, UnmanagedPlayer.Status?)
        /// The player has no name on the bus any more.
        case vanished(owner: String)
        /// The player answered *Pause* with an error. A player that does not answer at all may
        /// still obey later.
        case pauseFailed(owner: String)
        /// The time of ``Action/allowTime(owner:)`` has passed.
        case timeOver(owner: String)
        /// All audible streams of other programs; `nil` if they are unknown.
        case streams([AudibleStream]?)
        /// The answer to ``Action/release(owner:)``.
        case released(owner: String, isClaimed: Bool)
        /// The time of ``Action/wait(_:)`` has passed.
        case timer
        case busLost(reason: String)
    }

    package enum Action: Sendable, Hashable {
        /// Start or stop finding players and following their changes.
        case survey, dismiss
        /// Claim the player, which shows all programs that this one needs it silent.
        case claim(owner: String)
        case pause(owner: String)
        case resume(owner: String)
        /// Report ``Event/timeOver(owner:)`` after ``UnmanagedPlayers/pauseTimeout``, unless
        /// ``survey`` or ``dismiss`` cancels it.
        case allowTime(owner: String)
        /// Query the player's status.
        case ask(owner: String)
        /// Start or stop reporting ``Event/streams(_:)``.
        case watchStreams(Bool)
        /// Mute these streams, and unmute all others.
        case mute(Set<ObjectID>)
        /// Release the claim on the player, and report whether other programs claim it.
        case release(owner: String)
        /// Release the claim on the player without a report.
        case forget(owner: String)
        /// Let the watchdog resume these players if this process ends.
        case resumeAtExit([String])
        case wait(Bool)
        /// Start or stop the timer of ``Event/headsetLate``.
        case awaitHeadset(Bool)
        case notify(UnmanagedAudioEvent)
        /// Report that the user played a player after the loss of the output.
        case overruled
    }

    /// A stream that runs and that its user has not muted.
    package struct AudibleStream: Sendable, Hashable {
        package var id: ObjectID
        package var program: ProgramTrace

        package init(id: ObjectID, program: ProgramTrace) {
            self.id = id
            self.program = program
        }
    }
}

extension UnmanagedPlayers.Event {
    /// The player that the event concerns, for events that are ignored for unknown players.
    var player: String? {
        switch self {
        case .statusChanged(let owner, _), .statusInvalidated(let owner), .answered(let owner, _),
            .vanished(let owner), .pauseFailed(let owner), .timeOver(let owner), .released(let owner, _):
            owner
        case .turnBegan, .silenceBegan, .outputLost, .listed, .surveyed, .turnPaused, .interrupted, .turnEnded,
            .outputsRead, .headsetLate, .found, .streams, .timer, .busLost:
            nil
        }
    }
}
