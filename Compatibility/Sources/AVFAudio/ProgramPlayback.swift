/// What this module knows about the program's playback, for the desktop's display of it.
package final class ProgramPlayback: Sendable {
    /// The state of the program's playback.
    package enum Status: Sendable {
        /// No player has played yet.
        case unknown
        case playing
        /// A player is paused, or the session was active and is not any more.
        case paused
        /// The players have played to their ends, or were released.
        case ended
    }

    private let state = Locked(State())

    private struct State {
        /// The players that have played, and whether they play now, are paused or have ended.
        var players: [ObjectIdentifier: Status] = [:]
        var hasPlayed = false
        /// Whether the session was active, and is inactive or interrupted now.
        var isSilenced = false
        var changed: (@Sendable () -> Void)?

        var status: Status {
            if isSilenced { return .paused }
            if players.values.contains(.playing) { return .playing }
            if players.values.contains(.paused) { return .paused }
            return hasPlayed ? .ended : .unknown
        }
    }

    package init() {}

    package var status: Status { state.withLock(\.status) }

    /// Calls `changed` after each change of ``status``, on any thread.
    package func observe(_ changed: @escaping @Sendable () -> Void) { state.withLock { $0.changed = changed } }

    /// Notes the state of a player. One that has not played yet counts only once it plays.
    package func note(_ player: ObjectIdentifier, _ status: Status) {
        change { state in
            guard status == .playing || state.players[player] != nil else { return }
            state.players[player] = status
            state.hasPlayed = true
        }
    }

    /// Notes that a player was released.
    package func remove(_ player: ObjectIdentifier) { change { $0.players[player] = nil } }

    /// Notes whether the session is active. Called only when that has changed.
    package func setActive(_ isActive: Bool) { change { $0.isSilenced = !isActive } }

    /// Changes the state, and reports a new status without the lock, because `changed` reads it.
    private func change(_ change: (inout State) -> Void) {
        let changed: (@Sendable () -> Void)? = state.withLock { state in
            let old = state.status
            change(&state)
            return state.status == old ? nil : state.changed
        }
        changed?()
    }
}
