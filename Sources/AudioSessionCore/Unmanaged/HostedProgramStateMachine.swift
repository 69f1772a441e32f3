/// Decides what a session's events mean to the program that the session hosts.
///
/// The program is silent while the session is interrupted, after the loss of the output in use, and
/// after an activation that was refused. Unlike an interruption, a loss has no end of its own. Its
/// silence ends when the output is in use again, or when the user intervenes.
package struct HostedProgramStateMachine: Sendable {
    /// The time after which a route change is over. A change of volume so soon before or after one
    /// is another output's volume, which the user did not change.
    package static let settling = Duration.seconds(1)

    package enum Event: Sendable, Hashable {
        case activated, deactivated, interrupted
        case interruptionEnded(shouldResume: Bool)
        /// An activation was refused, and the program runs all the same.
        case refused
        /// The session's gain in thousandths.
        case ducked(UInt16)
        /// The output in use was lost. A session that mixes only receives the route change.
        case outputLost(uid: String, at: MonotonicTime)
        case routeChanged(RouteChange)
        /// The uids of the route's outputs, as the answer to ``Action/readRoute``.
        case routeRead([String])
        /// Volume or mute of the output changed, by the user or by a route change.
        case volumeChanged(at: MonotonicTime)
        /// The user changed volume or mute of a stream of the program, played a player, or started
        /// a stream again.
        case overruled
    }

    package enum Action: Sendable, Hashable {
        /// Pause the program's players, and mute the streams of all its other processes.
        case silence
        /// Do the same, also if the program is silent already, and undo none of it at the end of
        /// this process.
        case silenceForLoss
        /// Unmute the streams. Resume the players that were paused for this session, or leave them
        /// paused.
        case unsilence(resumes: Bool)
        case duck(UInt16)
        /// Report ``Event/routeRead(_:)`` after ``settling``.
        case readRoute
    }

    /// Whether the loss of the output in use silences the program.
    package var pausesAtLoss = true
    private var isActive = false
    private var isInterrupted = false
    private var isRefused = false
    /// Whether the interruption has ended, which makes the session inactive next.
    private var hasEnded = false
    /// Whether the program of the session deactivated it. The next activation is a new intention.
    private var isGivenUp = false
    /// The uid of the lost output, for as long as the loss silences the program.
    private var lostOutput: String?
    /// The time of the last loss or route change.
    private var lastMove = MonotonicTime(nanoseconds: 0)
    /// Whether the output's volume has changed since, perhaps by the user.
    private var hasVolumeChanged = false
    private var isSilent = false
    /// Whether players may resume at the end of the silence.
    private var mayResume = true
    private var gain = TokenTraits.fullGain

    package init() {}

    /// Returns the actions for an event.
    ///
    /// A mute always ends with its reason, because the program cannot end it. A paused player is
    /// resumed only if the session may resume, because the user can resume it.
    package mutating func receive(_ event: Event) -> [Action] {
        switch event {
        case .activated:
            if isGivenUp { lostOutput = nil }
            (isActive, isInterrupted, isRefused) = (true, false, false)
            (hasEnded, isGivenUp) = (false, false)
            return settle()
        case .interrupted:
            (isActive, isInterrupted, hasEnded) = (true, true, false)
            return duck(TokenTraits.fullGain) + settle()
        case .interruptionEnded(let shouldResume):
            (isInterrupted, hasEnded) = (false, true)
            mayResume = mayResume && shouldResume
            return settle()
        case .deactivated:
            isActive = false
            if !hasEnded { (isInterrupted, isRefused, isGivenUp) = (false, false, true) }
            return settle() + duck(TokenTraits.fullGain)
        case .refused:
            isRefused = true
            return settle()
        case .ducked(let gain): return duck(gain)
        case .outputLost(let uid, let time):
            (lastMove, hasVolumeChanged) = (time, false)
            // An output that returns at once causes no route change.
            let actions = lose(uid)
            return actions.isEmpty ? [] : actions + [.readRoute]
        case .routeChanged(let change): return move(change)
        case .routeRead(let outputs):
            if hasVolumeChanged { lostOutput = nil }
            hasVolumeChanged = false
            return regain(among: outputs) + settle()
        case .volumeChanged(let time):
            guard lostOutput != nil, !hasVolumeChanged, time.since(lastMove) >= Self.settling else { return [] }
            hasVolumeChanged = true
            return [.readRoute]
        case .overruled:
            if isRefused || lostOutput != nil { mayResume = false }
            (isRefused, lostOutput) = (false, nil)
            return settle()
        }
    }

    private mutating func settle() -> [Action] {
        let mustBeSilent = isInterrupted || isRefused || lostOutput != nil
        guard mustBeSilent != isSilent else { return [] }
        isSilent = mustBeSilent
        guard isSilent else { return [.unsilence(resumes: mayResume)] }
        mayResume = true
        return [.silence]
    }

    private mutating func duck(_ gain: UInt16) -> [Action] {
        guard gain != self.gain else { return [] }
        self.gain = gain
        return [.duck(gain)]
    }

    // MARK: The output

    private mutating func move(_ change: RouteChange) -> [Action] {
        (lastMove, hasVolumeChanged) = (change.time, false)
        let outputs = change.current.outputs.map(\.uid)
        guard lostOutput == nil else { return regain(among: outputs) }
        guard [.oldDeviceUnavailable, .noSuitableRouteForCategory].contains(change.underlyingReason),
            let lost = change.previous.outputs.first(where: { !outputs.contains($0.uid) })
        else { return [] }
        return lose(lost.uid)
    }

    /// Begins the silence after a loss. Nothing starts again by itself afterwards.
    private mutating func lose(_ uid: String) -> [Action] {
        guard pausesAtLoss, isActive, lostOutput == nil else { return [] }
        lostOutput = uid
        (isSilent, mayResume) = (true, false)
        return [.silenceForLoss]
    }

    private mutating func regain(among outputs: [String]) -> [Action] {
        guard let lostOutput, outputs.contains(lostOutput) else { return [] }
        self.lostOutput = nil
        return settle()
    }
}
