/// The state of a session of any process, and the effects of other sessions on it.
package struct SessionStatus: Sendable, Hashable {
    package var id: AudioSessionPeer
    package var traits: TokenTraits
    package var state: State
    package var interruptedBy: [AudioSessionPeer]
    /// The gain in force: that of ducking, or 0 in silent mode.
    package var gain: Float { isSilenced ? 0 : duckedGain }
    /// The gain to which others duck the session.
    package var duckedGain: Float
    package var duckedBy: [AudioSessionPeer]
    /// Whether silent mode silences the session.
    package var isSilenced = false
    /// Whether the session's output, or all of its streams, are muted. It is known only in an
    /// overview.
    package var isMuted = false

    package enum State: String, Sendable, Hashable {
        /// The session is inactive, which only its own process sees.
        case inactive
        case active, interrupted
        /// The interruption has ended, and the session has a claim to resume.
        case advised
    }

    package init(
        id: AudioSessionPeer, traits: TokenTraits, state: State = .active, interruptedBy: [AudioSessionPeer] = [],
        gain: Float = 1, duckedBy: [AudioSessionPeer] = []
    ) {
        self.id = id
        self.traits = traits
        self.state = state
        self.interruptedBy = interruptedBy
        duckedGain = gain
        self.duckedBy = duckedBy
    }
}
