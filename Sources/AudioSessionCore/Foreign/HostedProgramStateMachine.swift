/// Decides what a session's events mean to the program that the session hosts.
package struct HostedProgramStateMachine: Sendable {
    package enum Event: Sendable, Hashable {
        case activated, deactivated, interrupted
        case interruptionEnded(shouldResume: Bool)
        /// In thousandths.
        case ducked(UInt16)
    }

    package enum Action: Sendable, Hashable {
        /// Pause the program's players, and mute the streams of all its other processes.
        case silence
        /// Unmute the streams, and let those players play again that were paused for this session, or leave them paused.
        case unsilence(resumes: Bool)
        case duck(UInt16)
    }

    private var isSilenced = false
    private var gain = TokenTraits.fullGain

    package init() {}

    /// A mute ends with the interruption in any case, because the program's user cannot end it. A player that was paused
    /// plays again only if the session may resume: its user can let it play.
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
