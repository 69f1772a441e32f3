/// Decides which players of other programs are paused for a session's turn, and which of them are to play afterwards:
/// those that we paused, that nobody touched since, and that nobody else wants silent.
package struct ForeignPlayers: Sendable {
    /// So that no bus full of players fills the memory.
    package static let limit = 100

    package enum Event: Sendable {
        case turnBegan
        /// The session lets go, and is advised to take its turn again soon.
        case turnPaused
        case turnEnded(restores: Bool)
        /// It is there, and makes sound on this machine. Asked for when the turn began.
        case found(ForeignPlayer, ForeignPlayer.Status, isClaimed: Bool)
        case statusChanged(owner: String, ForeignPlayer.Status)
        case vanished(owner: String)
        case pauseFailed(owner: String)
        /// What was answered to ``Action/release(owner:)``.
        case released(owner: String, isClaimed: Bool)
        /// ``Action/wait(_:)`` is over.
        case timer
        case busLost(reason: String)
    }

    package enum Action: Sendable, Hashable {
        /// Look for players, and listen to them; or no longer.
        case survey, dismiss
        /// Tell everybody that we want it silent.
        case claim(owner: String)
        case pause(owner: String)
        case resume(owner: String)
        /// Want it silent no more, and say whether others do.
        case release(owner: String)
        /// Want it silent no more, whatever others want.
        case forget(owner: String)
        /// These are to play if this process ends now.
        case entrust([String])
        case wait(Bool)
        case tell(ForeignAudioEvent)
    }

    private enum Phase: Sendable {
        /// It was asked to pause, and has not said that it did.
        case pausing
        case paused
        case releasing
    }

    private struct Entry: Sendable {
        var player: ForeignPlayer
        var phase: Phase
    }

    private enum Turn: Sendable {
        case none, ours, returning
    }

    private var turn = Turn.none
    private var entries: [String: Entry] = [:]

    package init() {}

    /// Those that are silent because of us, by name.
    package var silenced: [ForeignPlayer] {
        entries.values.filter { $0.phase != .releasing }.map(\.player).sorted { $0.name < $1.name }
    }

    package mutating func receive(_ event: Event) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .turnBegan: begin(&actions)
        case .turnPaused:
            guard turn == .ours else { break }
            turn = .returning
            actions.append(.wait(true))
        case .turnEnded(let restores): end(restores: restores, &actions)
        case .timer: if turn == .returning { end(restores: true, &actions) }
        case .found(let player, let status, let isClaimed): find(player, status, isClaimed, &actions)
        case .statusChanged(let owner, let status): change(owner, to: status, &actions)
        case .vanished(let owner), .pauseFailed(let owner): drop(owner, &actions)
        case .released(let owner, let isClaimed): release(owner, isClaimed, &actions)
        case .busLost(let reason):
            for player in silenced { actions.append(.tell(.released(player))) }
            entries = [:]
            actions.append(.tell(.unavailable(reason: reason)))
        }
        return actions
    }

    private mutating func begin(_ actions: inout [Action]) {
        let former = turn
        turn = .ours
        if former == .returning { actions.append(.wait(false)) }
        if former == .none { actions.append(.survey) }
    }

    private mutating func end(restores: Bool, _ actions: inout [Action]) {
        guard turn != .none else { return }
        if turn == .returning { actions.append(.wait(false)) }
        turn = .none
        for player in silenced {
            if restores {
                entries[player.owner]?.phase = .releasing
                actions.append(.release(owner: player.owner))
            } else {
                entries[player.owner] = nil
                actions += [.forget(owner: player.owner), .tell(.released(player))]
            }
        }
        if !restores { entrust(&actions) }
        if entries.isEmpty { actions.append(.dismiss) }
    }

    /// A player that another session paused is wanted silent by us as well; one that its user paused is left alone.
    private mutating func find(
        _ player: ForeignPlayer, _ status: ForeignPlayer.Status, _ isClaimed: Bool, _ actions: inout [Action]
    ) {
        guard turn != .none, entries[player.owner] == nil, entries.count < Self.limit else { return }
        let owner = player.owner
        switch status {
        case .playing:
            entries[owner] = Entry(player: player, phase: .pausing)
            actions.append(.claim(owner: owner))
            entrust(&actions)
            actions.append(.pause(owner: owner))
        case .paused:
            guard isClaimed else { return }
            entries[owner] = Entry(player: player, phase: .paused)
            actions.append(.claim(owner: owner))
            entrust(&actions)
        case .stopped: return
        }
        actions.append(.tell(.paused(player)))
    }

    /// Browsers answer before they pause: until then they may still say that they play.
    private mutating func change(_ owner: String, to status: ForeignPlayer.Status, _ actions: inout [Action]) {
        switch (entries[owner]?.phase, status) {
        case (nil, _), (.pausing, .playing), (.paused, .paused), (.releasing, _): return
        case (.pausing, .paused): entries[owner]?.phase = .paused
        default: drop(owner, &actions)
        }
    }

    private mutating func drop(_ owner: String, _ actions: inout [Action]) {
        guard let entry = entries.removeValue(forKey: owner) else { return }
        if entry.phase != .releasing { actions.append(.forget(owner: owner)) }
        entrust(&actions)
        actions.append(.tell(.released(entry.player)))
        dismissIfDone(&actions)
    }

    private mutating func release(_ owner: String, _ isClaimed: Bool, _ actions: inout [Action]) {
        guard let entry = entries[owner], entry.phase == .releasing else { return }
        guard turn == .none else {
            // Another turn began meanwhile.
            entries[owner]?.phase = .paused
            actions.append(.claim(owner: owner))
            return
        }
        entries[owner] = nil
        if !isClaimed { actions.append(.resume(owner: owner)) }
        entrust(&actions)
        actions.append(.tell(isClaimed ? .released(entry.player) : .resumed(entry.player)))
        dismissIfDone(&actions)
    }

    private func dismissIfDone(_ actions: inout [Action]) {
        if turn == .none, entries.isEmpty { actions.append(.dismiss) }
    }

    private func entrust(_ actions: inout [Action]) { actions.append(.entrust(entries.keys.sorted())) }
}
