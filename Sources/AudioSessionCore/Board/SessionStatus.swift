/// The state of a session of any process, and what other sessions do to it.
package struct SessionStatus: Sendable, Hashable {
    package var id: AudioSessionCause
    package var traits: TokenTraits
    package var state: State
    package var interruptedBy: [AudioSessionCause]
    /// In force: what duckers leave, or 0 in silent mode.
    package var gain: Float { isSilenced ? 0 : duckedGain }
    /// What duckers leave.
    package var duckedGain: Float
    package var duckedBy: [AudioSessionCause]
    /// Whether silent mode silences it.
    package var isSilenced = false
    /// Whether its output, or all of its streams, are muted. Known of sessions in an overview only.
    package var isMuted = false

    package enum State: String, Sendable, Hashable {
        /// Only a session of this process: others see none.
        case inactive
        case active, interrupted
        /// The interruption is over, and the session has a moment to resume.
        case advised
    }

    package init(
        id: AudioSessionCause, traits: TokenTraits, state: State = .active, interruptedBy: [AudioSessionCause] = [],
        gain: Float = 1, duckedBy: [AudioSessionCause] = []
    ) {
        self.id = id
        self.traits = traits
        self.state = state
        self.interruptedBy = interruptedBy
        duckedGain = gain
        self.duckedBy = duckedBy
    }
}
