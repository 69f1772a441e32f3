/// Decides what a session's events mean to programs without sessions, by the session's policy.
///
/// Unlike paused players, streams are ducked only while the session is active.
package struct UnmanagedProgramsStateMachine: Sendable {
    package typealias Policy = AudioSessionConfiguration.UnmanagedAudioPolicy

    package enum Event: Sendable, Hashable {
        case activated(Policy)
        case interrupted
        case interruptionEnded(shouldResume: Bool)
        /// The session is inactive. If it does not notify others, the players stay paused.
        case deactivated(notifiesOthers: Bool)
        /// The session's silence reasons changed. Without advice to resume, an inactive session was
        /// deactivated, or its claim has lapsed.
        case silenceReasonsChanged(isAdvised: Bool, notifiesOthers: Bool)
        /// The policy of the session's configuration may have changed.
        case policyRead(Policy)
    }

    package enum Action: Sendable, Hashable {
        case players(UnmanagedPlayers.Event)
        case duck(Bool)
    }

    private enum SessionState: Sendable {
        case inactive, interrupted
        case active(Policy)
    }

    private var session = SessionState.inactive
    /// Whether the session's interruption has ended with advice, and it may soon be active again.
    private var mayReturn = false
    /// Whether the policy of the last activation pauses players.
    package private(set) var pausesPlayers = false

    package init() {}

    package mutating func receive(_ event: Event) -> [Action] {
        switch event {
        case .activated(let policy): return apply(policy)
        case .policyRead(let policy):
            guard case .active(let former) = session, policy != former else { return [] }
            return apply(policy)
        case .interrupted:
            (session, mayReturn) = (.interrupted, false)
            return [.players(.interrupted), .duck(false)]
        case .interruptionEnded(let shouldResume):
            // The session becomes inactive next.
            mayReturn = shouldResume
            return shouldResume ? [.players(.turnPaused)] : []
        case .deactivated(let notifiesOthers):
            session = .inactive
            return (mayReturn ? [] : [end(notifiesOthers)]) + [.duck(false)]
        case .silenceReasonsChanged(let isAdvised, let notifiesOthers):
            guard case .inactive = session, !isAdvised else { return [] }
            return [end(notifiesOthers)]
        }
    }

    /// Applies the policy of an active session, instead of the one before.
    private mutating func apply(_ policy: Policy) -> [Action] {
        (session, mayReturn) = (.active(policy), false)
        pausesPlayers = policy == .pause || policy == .silence
        let turn: UnmanagedPlayers.Event =
            switch policy {
            case .pause: .turnBegan
            case .silence: .silenceBegan
            case .duck, .leave: .turnEnded(restores: true)
            }
        return [.players(turn), .duck(policy == .duck)]
    }

    private func end(_ notifiesOthers: Bool) -> Action { .players(.turnEnded(restores: notifiesOthers)) }
}
