/// Decides what a session's events mean to the program that the session hosts.
package struct HostedProgramStateMachine: Sendable {
    package enum Event: Sendable, Hashable {
        case activated, deactivated, interrupted
        case interruptionEnded(shouldResume: Bool)
        /// The session's gain in thousandths.
        case ducked(UInt16)
    }

    package enum Action: Sendable, Hashable {
        /// Pause the program's players, and mute the streams of all its other processes.
        case silence
        /// Unmute the streams. Resume the players that were paused for this session, or leave them
        /// paused.
        case unsilence(resumes: Bool)
        case duck(UInt16)
    }

    private var isSilenced = false
    private var gain = TokenTraits.fullGain

    package init() {}

    /// Returns the actions for an event.
    ///
    /// A mute always ends with the interruption, because the user cannot end it. A paused player is
    /// resumed only if the session may resume, because the user can resume it.
    package mutating func receive(_ event: Event) -> [Action] {
        switch event {
        case .interrupted:
            guard !isSilenced else { return [] }
            isSilenced = true
            return duck(TokenTraits.fullGain) + [.silence]
        case .interruptionEnded(let shouldResume): return unsilence(resumes: shouldResume)
        case .activated: return unsilence(resumes: true)
        case .deactivated: return unsilence(resumes: true) + duck(TokenTraits.fullGain)
        case .ducked(let gain): return duck(gain)
        }
    }

    private mutating func unsilence(resumes: Bool) -> [Action] {
        guard isSilenced else { return [] }
        isSilenced = false
        return [.unsilence(resumes: resumes)]
    }

    private mutating func duck(_ gain: UInt16) -> [Action] {
        guard gain != self.gain else { return [] }
        self.gain = gain
        return [.duck(gain)]
    }
}
